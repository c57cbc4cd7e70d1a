import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LintContext } from '#domain/flow/lint/lint-flow.ts'
import { declaredVariables } from '#domain/flow/variable/variable-fit.ts'
import { http } from '#web/api/http.ts'
import { useElapsed } from '#web/use-elapsed.ts'
import { type FlowNames, globalVariablesQuery } from './flow-names.ts'

/** The search for unused variables starts last: it reads all flows of the bot. Milliseconds. */
const QUIET = 4000
const FRESH = 60_000

/**
 * The variables that blocks of this flow may name, for the lint: nothing while the bot's are not all known or may not be
 * read, and only these while the global ones are not.
 */
export const useVariableNames = (names: FlowNames): Pick<LintContext, 'variable' | 'declared' | 'unused'> => {
  const globals = useQuery({ ...globalVariablesQuery, enabled: names.listed }).data
  const isIdle = useElapsed(QUIET, names.listed)
  const { variables, flow, task, bot } = names
  const unsaid = useQuery({
    queryKey: ['bot', bot?.id, 'unused'],
    queryFn: ({ signal }) => http.get('/bot/{id}/flow/unused', { params: { id: bot?.id ?? '' }, signal }),
    enabled: isIdle && bot !== undefined,
    staleTime: FRESH,
    retry: false,
  }).data
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the names, these alone are read
  return useMemo(() => {
    if (variables === undefined || !names.allVariables || bot === undefined) return {}
    const declared = declaredVariables(variables, { task: task?.id, dialog: flow?.id })
    if (globals === undefined || globals.items.length < globals.total) return { declared }
    const near = [...declared].filter(([, each]) => each.some(({ inReach }) => inReach)).map(([name]) => name)
    const global = globals.items.filter(each => (each.bot ?? bot.id) === bot.id).map(({ name }) => name)
    const unused = [...new Set(unsaid?.items.map(({ name }) => name))].filter(name => near.includes(name))
    return { variable: new Set([...near, ...global]), declared, unused }
  }, [variables, names.allVariables, globals, unsaid, bot?.id, flow?.id, task?.id])
}
