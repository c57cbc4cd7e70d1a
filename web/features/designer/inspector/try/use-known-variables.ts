import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { definedVariables } from '#domain/flow/lint-expression.ts'
import type { FlowModel } from '#domain/flow/model.ts'
import { SYSTEM_VARIABLES } from '#domain/flow/variable-name.ts'
import { useDesigner } from '../../live/designer.ts'
import { globalVariablesQuery } from '../../live/flow-names.ts'
import { useNames } from '../../live/names-context.ts'
import { useStoreValue } from '../../store.ts'
import type { SampledVariable } from '../sample-values.ts'

/** As one text: the same text, the same names. */
const variablesOf = (flow: FlowModel): string =>
  [...definedVariables(flow)]
    .filter(name => name !== '')
    .sort()
    .join('\n')

/** Every variable that an expression here may read: the bot's, global ones, and what the flow itself sets. */
export const useKnownVariables = () => {
  const { bot, variables, allVariables } = useNames()
  const global = useQuery(globalVariablesQuery).data
  const globals = global?.items
  const { canvas } = useDesigner()
  const named = useStoreValue(canvas.flow, variablesOf)
  const known = useMemo(() => {
    const declared = new Set(variables?.map(({ name }) => name))
    const near = (globals ?? []).filter(each => (each.bot ?? bot?.id) === bot?.id).map(({ name }) => name)
    const more = [...near, ...SYSTEM_VARIABLES, ...(named === '' ? [] : named.split('\n'))].filter(
      name => !declared.has(name),
    )
    return [...(variables ?? []), ...[...new Set(more)].map((name): SampledVariable => ({ name }))]
  }, [variables, globals, bot, named])
  // Where not all variables are known, nobody can say that one is missing.
  const isWhole = allVariables && global !== undefined && global.items.length === global.total
  return { known, isWhole }
}
