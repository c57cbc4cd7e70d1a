import type { Json, JsonObject } from '#schemas/event.ts'
import type { FieldWhen } from '#schemas/field/core.ts'
import type { Field } from '#schemas/field/kind.ts'

/** Whether all fields of a condition have one of its values; true without a condition. */
export const isWhen = (when: FieldWhen | undefined, read: (field: string) => Json | undefined): boolean =>
  Object.entries(when ?? {}).every(([field, values]) => values.some(value => value === read(field)))

export type DeclaredFields = Readonly<Record<string, Field>>

export const initialValues = (fields: DeclaredFields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]))

/** Names of the fields that `when` leaves out; a field that is left out counts with its initial value. */
export const hiddenFields = (fields: DeclaredFields, values: JsonObject): ReadonlySet<string> => {
  const conditional = Object.entries(fields).filter(([, field]) => field.when !== undefined)
  const hidden = new Set<string>()
  const read = (name: string) => (hidden.has(name) ? fields[name]?.initial : values[name])
  // Each round hides at least one more field, so there are no more rounds than fields.
  for (let before = -1; before < hidden.size; ) {
    before = hidden.size
    for (const [name, field] of conditional) if (!isWhen(field.when, read)) hidden.add(name)
  }
  return hidden
}

/** The options of a field, narrowed by `per`; undefined for a field that has none. */
export const offeredOptions = (field: Field, values: JsonObject): readonly string[] | undefined => {
  const value = field.per === undefined ? undefined : values[field.per.field]
  return (typeof value === 'string' ? field.per?.options[value] : undefined) ?? field.options
}

/** Whether `per` leaves a value out. */
export const isNarrowedOut = (field: Field, value: Json | undefined, values: JsonObject): boolean =>
  field.per !== undefined && typeof value === 'string' && offeredOptions(field, values)?.includes(value) === false

/** Names of the fields whose place, options or language the given fields decide, the given ones included. */
export const withDependents = (fields: DeclaredFields, given: Iterable<string>): ReadonlySet<string> => {
  const names = new Set(given)
  for (let before = -1; before < names.size; ) {
    before = names.size
    for (const [name, field] of Object.entries(fields)) {
      if (decidersOf(field).some(decider => names.has(decider))) names.add(name)
    }
  }
  return names
}

const decidersOf = (field: Field): readonly string[] => [
  ...Object.keys(field.when ?? {}),
  ...(field.per === undefined ? [] : [field.per.field]),
  ...(field.kind === 'expression' && typeof field.language === 'object' ? [field.language.field] : []),
]
