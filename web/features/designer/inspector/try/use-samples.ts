import { useMemo } from 'react'
import type { Json, JsonObject } from '#schemas/event.ts'
import { useDesigner } from '../../live/designer.ts'
import { useStoreValue } from '../../store.ts'
import { type SampledVariable, sampleValues } from '../sample-values.ts'
import { samplesOf } from './samples.ts'

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, Json>>)[name]
    : undefined

/** A value for each of the variables: what was made up for this flow, else their own example. */
export const useSamples = (known: readonly SampledVariable[]) => {
  const { address } = useDesigner()
  const store = samplesOf(address)
  const own = useStoreValue(store)
  const values = useMemo((): JsonObject => ({ ...sampleValues(known), ...own }), [known, own])
  return {
    values,
    /** Of a variable, or of a member of one (`order.total`). */
    sampleOf: (name: string): Json | undefined =>
      Object.hasOwn(values, name) ? values[name] : name.split('.').reduce<Json | undefined>(memberOf, values),
    isOwn: (name: string) => Object.hasOwn(own, name),
    /** Undefined: as before anything was made up. */
    set: (name: string, value: Json | undefined) =>
      store.set(({ [name]: _before, ...others }) => (value === undefined ? others : { ...others, [name]: value })),
  }
}
