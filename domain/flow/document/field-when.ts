import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own } from '#schemas/json.ts'

/** Value at a dotted name, from a block's properties down; undefined if missing. */
export const valueNamed = (values: JsonObject, name: string): Json | undefined =>
  name.split('.').reduce<Json | undefined>((held, key) => (isObject(held) ? own(held, key) : undefined), values)
