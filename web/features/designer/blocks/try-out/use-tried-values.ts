import { useMemo } from 'react'
import type { JsonObject } from '#schemas/event.ts'
import type { SampledVariable } from '../../inspector/sample-values.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'
import { triedValuesOf } from './tried-values.ts'
import { useMaskedVariables } from './use-masked-variables.ts'
import { useSamples } from './use-samples.ts'

/** Values of variables whose members a path may name: results of tries before samples, never those of masked ones. */
export const useTriedValues = (known: readonly SampledVariable[]): JsonObject => {
  const { address } = useDesigner()
  const { told } = useSamples(known)
  const masked = useMaskedVariables()
  const tried = useStoreValue(triedValuesOf(address))
  return useMemo(
    () => ({ ...told, ...Object.fromEntries(Object.entries(tried).filter(([name]) => !masked.has(name))) }),
    [told, tried, masked],
  )
}
