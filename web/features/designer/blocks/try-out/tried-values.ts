import { isPlainName } from '#domain/flow/variable/variable-name.ts'
import { folded } from '#domain/fold-text.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { createStore, type Store } from '../../model/store.ts'
import type { FlowAddress } from '../../session/room/flow-address.ts'

const opened = new Map<string, Store<JsonObject>>()

/** Results of tries by the variable that takes them, as long as the page lasts: they may hold personal data. */
export const triedValuesOf = ({ kind, id }: FlowAddress): Store<JsonObject> => {
  const key = `${kind}-${id}`
  const store = opened.get(key) ?? createStore<JsonObject>({})
  opened.set(key, store)
  return store
}

interface Member {
  /** From the variable on: `order.items[0].name`. */
  readonly path: string
  readonly value: Json
}

const MAX_MEMBERS = 50
const STEP = /(?:^|\.)([\p{L}_$][\p{L}\d_$]*)|\[(\d+)\]/uy

/** The value at a path of names and places; undefined where there is none. */
const valueAt = (values: JsonObject, path: string): Json | undefined => {
  let value: Json | undefined = values
  STEP.lastIndex = 0
  while (STEP.lastIndex < path.length) {
    const [whole, name, place] = STEP.exec(path) ?? []
    if (whole === undefined || typeof value !== 'object' || value === null) return undefined
    value = Array.isArray(value)
      ? value[place === undefined ? -1 : Number(place)]
      : Object.entries(value).find(([key]) => key === name)?.[1]
  }
  return value
}

/** Completions after a path's last dot; for a list, members of its first item. */
export const membersOf = (values: JsonObject, typed: string): readonly Member[] => {
  const dot = typed.lastIndexOf('.')
  if (dot <= 0) return []
  const base = typed.slice(0, dot)
  const wanted = folded(typed.slice(dot + 1))
  const found = valueAt(values, base)
  const [first] = Array.isArray(found) ? found : []
  const owner = Array.isArray(found) ? first : found
  const path = Array.isArray(found) ? `${base}[0]` : base
  if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) return []
  return Object.entries<Json>(owner as JsonObject)
    .filter(([name]) => isPlainName(name) && folded(name).includes(wanted))
    .map(([name, value]) => ({ path: `${path}.${name}`, value }))
    .slice(0, MAX_MEMBERS)
}

const MAX_SHOWN = 40

/** A value as a list of members shows it. */
export const shownMember = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
