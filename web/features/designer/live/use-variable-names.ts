import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { LintContext } from '#domain/flow/lint-flow.ts'
import type { DeclaredVariable } from '#domain/flow/variable-fit.ts'
import { api } from '#web/api/client.ts'
import { type FlowNames, globalVariablesQuery, type Variable } from './flow-names.ts'

/** What no flow of the bot says is looked for once all else is there: it takes reading them all. Milliseconds. */
const QUIET = 4000
const FRESH = 60_000

const useAfter = (ms: number, isBegun: boolean): boolean => {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!isBegun) return
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [ms, isBegun])
  return isOver
}

const reachOf = (variables: readonly Variable[], { flow, task }: FlowNames) => {
  const declared = new Map<string, DeclaredVariable[]>()
  for (const { name, datatype = 'string', schema, task: ofTask, dialog } of variables) {
    const inReach = [
      [ofTask, task?.id],
      [dialog, flow?.id],
    ].every(([owner, here]) => (owner ?? here) === here)
    declared.set(name, [...(declared.get(name) ?? []), { datatype, schema: schema ?? '', inReach }])
  }
  return declared
}

/**
 * The variables that blocks of this flow may name, for the lint; nothing while not all of them are known, or when they
 * may not all be read.
 */
export const useVariableNames = (names: FlowNames): Pick<LintContext, 'variable' | 'declared' | 'unused'> => {
  const globals = useQuery({ ...globalVariablesQuery, enabled: names.listed }).data
  const isIdle = useAfter(QUIET, names.listed)
  const { variables, flow, task, bot } = names
  const unsaid = useQuery({
    queryKey: ['bot', bot?.id, 'unused'],
    queryFn: ({ signal }) => api.get<{ items: readonly Variable[] }>(`/bot/${bot?.id}/flow/unused`, {}, signal),
    enabled: isIdle && bot !== undefined,
    staleTime: FRESH,
    retry: false,
  }).data
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the names, these alone are read
  return useMemo(() => {
    if (variables === undefined || !names.allVariables || globals === undefined || bot === undefined) return {}
    if (globals.items.length < globals.total) return {}
    const declared = reachOf(variables, names)
    const near = [...declared].filter(([, each]) => each.some(({ inReach }) => inReach)).map(([name]) => name)
    const global = globals.items.filter(each => (each.bot ?? bot.id) === bot.id).map(({ name }) => name)
    const unused = [...new Set(unsaid?.items.map(({ name }) => name))].filter(name => near.includes(name))
    return { variable: new Set([...near, ...global]), declared, unused }
  }, [variables, names.allVariables, globals, unsaid, bot?.id, flow?.id, task?.id])
}
