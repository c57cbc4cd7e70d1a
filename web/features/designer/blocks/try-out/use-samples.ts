import { useMemo } from 'react'
import type { Json, JsonObject } from '#schemas/event.ts'
import { type SampledVariable, sampleValues } from '../../inspector/sample-values.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'
import { maskedSamplesOf, type Samples, samplesOf } from './samples.ts'
import { useMaskedVariables } from './use-masked-variables.ts'

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, Json>>)[name]
    : undefined

const DOTS = '••••••'

const put = (samples: Samples, name: string, value: Json | undefined) =>
  samples.set(({ [name]: _before, ...others }) => (value === undefined ? others : { ...others, [name]: value }))

/** A value for each variable: this flow's sample, else the variable's own example. */
export const useSamples = (known: readonly SampledVariable[]) => {
  const { address } = useDesigner()
  const store = samplesOf(address)
  const secrets = maskedSamplesOf(address)
  const masked = useMaskedVariables()
  const kept = useStoreValue(store)
  const unkept = useStoreValue(secrets)
  const own = useMemo((): JsonObject => ({ ...kept, ...unkept }), [kept, unkept])
  const values = useMemo((): JsonObject => ({ ...sampleValues(known), ...own }), [known, own])
  const told = useMemo((): JsonObject => {
    const dots = [...masked].filter(name => Object.hasOwn(values, name)).map(name => [name, DOTS])
    return { ...values, ...Object.fromEntries(dots) }
  }, [values, masked])
  return {
    values,
    /** For what is shown: masked ones are dots. */
    told,
    isMasked: (name: string) => masked.has(name),
    /** Of a variable, or of a member of one (`order.total`). */
    sampleOf: (name: string): Json | undefined =>
      Object.hasOwn(values, name) ? values[name] : name.split('.').reduce<Json | undefined>(memberOf, values),
    isOwn: (name: string) => Object.hasOwn(own, name),
    /** Undefined: as before anything was made up. */
    set: (name: string, value: Json | undefined) => {
      put(store, name, masked.has(name) ? undefined : value)
      if (masked.has(name)) put(secrets, name, value)
    },
  }
}
