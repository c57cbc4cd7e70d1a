import type { Json, JsonObject } from '#schemas/event.ts'
import type { FieldWhen } from '#schemas/field/core.ts'
import { isObject, own } from './json.ts'

/** What lies at a dotted name, from a block's properties down; undefined where nothing does. */
export const valueNamed = (values: JsonObject, name: string): Json | undefined =>
  name.split('.').reduce<Json | undefined>((held, key) => (isObject(held) ? own(held, key) : undefined), values)

/** Whether all that a condition names has one of its values; without a condition, always. */
export const isWhen = (when: FieldWhen | undefined, read: (field: string) => Json | undefined): boolean =>
  Object.entries(when ?? {}).every(([field, values]) => values.some(value => value === read(field)))
