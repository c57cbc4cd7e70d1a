import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { definedVariables } from '#domain/flow/lint/lint-expression.ts'
import { SYSTEM_VARIABLES } from '#domain/flow/variable/variable-name.ts'
import type { SampledVariable } from '../../inspector/sample-values.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'
import { globalVariablesQuery } from '../../session/flow-names.ts'
import { useNames } from '../../session/names-context.ts'

/** As one text: the same text, the same names. */
const variablesOf = (flow: FlowModel): string =>
  [...definedVariables(flow)]
    .filter(name => name !== '')
    .sort()
    .join('\n')

const newOnes = (names: readonly string[], known: ReadonlySet<string>): readonly SampledVariable[] =>
  [...new Set(names)].filter(name => !known.has(name)).map(name => ({ name }))

/**
 * Every variable that an expression here may read: `declared` are the bot's and global ones, `known` those and what the
 * flow itself sets.
 */
export const useKnownVariables = () => {
  const { bot, variables, allVariables } = useNames()
  const global = useQuery(globalVariablesQuery).data
  const globals = global?.items
  const { canvas } = useDesigner()
  const named = useStoreValue(canvas.flow, variablesOf)
  const declared = useMemo(() => {
    const names = new Set(variables?.map(({ name }) => name))
    const near = (globals ?? []).filter(each => (each.bot ?? bot?.id) === bot?.id).map(({ name }) => name)
    return [...(variables ?? []), ...newOnes([...near, ...SYSTEM_VARIABLES], names)]
  }, [variables, globals, bot])
  const known = useMemo(() => {
    const names = new Set(declared.map(({ name }) => name))
    return [...declared, ...newOnes(named === '' ? [] : named.split('\n'), names)]
  }, [declared, named])
  // A missing variable can only be reported when all are known.
  const isWhole = allVariables && global !== undefined && global.items.length === global.total
  return { known, declared, isWhole }
}
