import { useMemo } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { maskedVariables } from '#domain/flow/variable/masked-variable.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'

/** As one text: the same text, the same names. */
const namesOf = (flow: FlowModel): string => [...maskedVariables(flow)].sort().join('\n')

/** Names of the variables of this flow whose values nobody may read. */
export const useMaskedVariables = (): ReadonlySet<string> => {
  const { canvas } = useDesigner()
  const names = useStoreValue(canvas.flow, namesOf)
  return useMemo(() => new Set(names === '' ? [] : names.split('\n')), [names])
}
