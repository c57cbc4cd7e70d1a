import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, record } from '../document/json.ts'

const valueAt = (value: Json | undefined, names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((held, name) => (isObject(held) ? own(held, name) : undefined), value)

const assign = (target: JsonObject, [name, ...rest]: readonly string[], value: Json | undefined): JsonObject => {
  if (name === undefined) return target
  const held = own(target, name)
  const inner = rest.length === 0 ? value : assign(isObject(held) ? held : {}, rest, value)
  const others = Object.entries(target).filter(([other]) => other !== name)
  return record(inner === undefined ? others : [...others, [name, inner]])
}

/**
 * An operator with chosen fields from another version of it; fields missing there are removed. A field is named as in a
 * difference: `title`, `pos`, `properties.…`, dotted.
 */
export const withFields = (operator: JsonObject, wanted: JsonObject, fields: readonly string[]): JsonObject =>
  fields.reduce((next, field) => {
    if (field === 'pos') return assign(assign(next, ['left'], own(wanted, 'left')), ['top'], own(wanted, 'top'))
    const names = field.split('.')
    return assign(next, names, valueAt(wanted, names))
  }, operator)
