import type { Json, JsonObject } from '#schemas/event.ts'
import { SAMPLES } from '#web/shell/storage-keys.ts'
import { createStore, type Store } from '../../model/store.ts'
import type { FlowAddress } from '../../session/room/flow-address.ts'

/** A person's sample values for one flow's variables, stored in this browser until sign-out. */
export type Samples = Store<JsonObject>

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
export const samplesOf = ({ kind, id }: FlowAddress): Samples => {
  const key = `${SAMPLES}${kind}-${id}`
  const held = opened.get(key)
  if (held !== undefined) return held
  const store: Samples = createStore(read(key))
  store.subscribe(() => write(key, store.get()))
  opened.set(key, store)
  return store
}

/** Sample values of masked variables: never stored beyond the page. */
export const maskedSamplesOf = ({ kind, id }: FlowAddress): Samples => {
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
