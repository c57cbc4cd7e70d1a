import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LintContext } from '#domain/flow/lint-flow.ts'
import type { DeclaredVariable } from '#domain/flow/variable-fit.ts'
import { type FlowNames, globalVariablesQuery, type Variable } from './flow-names.ts'

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
export const useVariableNames = (names: FlowNames): Pick<LintContext, 'variable' | 'declared'> => {
  const globals = useQuery({ ...globalVariablesQuery, enabled: names.listed }).data
  const { variables, flow, task, bot } = names
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the names, these alone are read
  return useMemo(() => {
    if (variables === undefined || !names.allVariables || globals === undefined || bot === undefined) return {}
    if (globals.items.length < globals.total) return {}
    const declared = reachOf(variables, names)
    const near = [...declared].filter(([, each]) => each.some(({ inReach }) => inReach)).map(([name]) => name)
    const global = globals.items.filter(each => (each.bot ?? bot.id) === bot.id).map(({ name }) => name)
    return { variable: new Set([...near, ...global]), declared }
  }, [variables, names.allVariables, globals, bot?.id, flow?.id, task?.id])
}
