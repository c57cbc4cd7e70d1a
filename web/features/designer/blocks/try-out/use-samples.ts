import { useMemo } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { maskedVariables } from '#domain/flow/variable/variable-use.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { SAMPLES } from '#web/shell/storage-keys.ts'
import { type SampledVariable, sampleValues } from '../../inspector/sample-values.ts'
import { createStore, type Store, useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'
import type { FlowAddress } from '../../session/room/flow-address.ts'

/** As one text: the same text, the same names. */
const namesOf = (flow: FlowModel): string => [...maskedVariables(flow)].sort().join('\n')

/** Names of the variables of this flow whose values nobody may read. */
export const useMaskedVariables = (): ReadonlySet<string> => {
  const { canvas } = useDesigner()
  const names = useStoreValue(canvas.flow, namesOf)
  return useMemo(() => new Set(names === '' ? [] : names.split('\n')), [names])
}

/** A person's sample values for one flow's variables, stored in this browser until sign-out. */
type Samples = Store<JsonObject>

const opened = new Map<string, Samples>()
const unkept = new Map<string, Samples>()

const read = (key: string): JsonObject => {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof held === 'object' && held !== null && !Array.isArray(held) ? (held as JsonObject) : {}
  } catch {
    return {}
  }
}

const write = (key: string, values: JsonObject) => {
  try {
    if (Object.keys(values).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(values))
  } catch {
    // No room there: they last as long as the page.
  }
}

/** The one store of a flow's samples: all fields and panels read the same. */
const samplesOf = ({ kind, id }: FlowAddress): Samples => {
  const key = `${SAMPLES}${kind}-${id}`
  const held = opened.get(key)
  if (held !== undefined) return held
  const store: Samples = createStore(read(key))
  store.subscribe(() => write(key, store.get()))
  opened.set(key, store)
  return store
}

/** Sample values of masked variables: never stored beyond the page. */
const maskedSamplesOf = ({ kind, id }: FlowAddress): Samples => {
  const key = `${kind}-${id}`
  const store = unkept.get(key) ?? createStore<JsonObject>({})
  unkept.set(key, store)
  return store
}

/** A sample as a person types it: texts as they are, everything else as JSON. */
export const sampleText = (value: Json | undefined): string =>
  typeof value === 'string'
    ? value
    : value === undefined
      ? ''
      : JSON.stringify(value, null, typeof value === 'object' ? 2 : 0)

/** Typed text as a value of the variable's type; unknown types parse as JSON, else stay text. */
export const readSample = (text: string, datatype: string | undefined): Json => {
  if (datatype === 'string' || datatype === 'date') return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

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
