import type { Json, JsonObject } from '#schemas/event.ts'
import type { FieldWhen } from '#schemas/field/core.ts'
import { FILE_ID } from '#schemas/field/file-type.ts'
import type { Field, FieldKind, FileField, ImageField, ItemFields, ListField } from '#schemas/field/kind.ts'
import type { FileValue } from '#schemas/field/value-schema.ts'
import { jsonEqual } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'

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

type Items = readonly JsonObject[]

export const itemsOf = (value: Json | undefined): Items =>
  Array.isArray(value)
    ? value.filter((item: Json): item is JsonObject => typeof item === 'object' && item !== null)
    : []

/** The item of a stored list with that id. */
export const itemWithId = (value: Json | undefined, id: Json | undefined): JsonObject | undefined =>
  itemsOf(value).find(item => item.id === id)

/** Items that come without an id get that of the stored item with the same title, where both lists have it once. */
export const withIdsByTitle = ({ itemTitle }: ListField, stored: Json | undefined, value: Json): Json => {
  if (!Array.isArray(value)) return value
  const once = (items: Items, title: Json) =>
    items.filter(item => jsonEqual(item[itemTitle] ?? null, title)).length === 1
  const [present, given] = [itemsOf(stored), itemsOf(value)]
  const taken = new Set(given.map(({ id }) => id))
  return value.map((item: Json) => {
    if (!given.includes(item as JsonObject)) return item
    const { [itemTitle]: title = null, id } = item as JsonObject
    if (id !== undefined || title === null || !once(given, title) || !once(present, title)) return item
    const known = present.find(one => jsonEqual(one[itemTitle] ?? null, title))?.id
    return known === undefined || taken.has(known) ? item : { id: known, ...(item as JsonObject) }
  })
}

/**
 * Checked changes as they may be stored: each item of a list has an id, and a secret that is left out or comes as
 * {set: true} is the one of the stored item with that id. `newId` is given the dotted path of the item.
 */
export const withStoredItems = (
  fields: Readonly<Record<string, Field>>,
  present: JsonObject,
  changes: JsonObject,
  newId: (path: string) => string,
): Result<JsonObject> => {
  const errors: FieldError[] = []
  const stored: Record<string, Json> = { ...changes }
  for (const [name, value] of Object.entries(changes)) {
    const field = fields[name]
    if (field?.kind !== 'list' || !Array.isArray(value)) continue
    stored[name] = itemsOf(value).map((item, index) => {
      const path = `${name}.${index}`
      const kept = item.id === undefined ? undefined : itemWithId(present[name], item.id)
      const { secrets, missing } = secretsOf(field.item, item, kept)
      errors.push(...missing.map((member): FieldError => ({ path: `${path}.${member}`, code: 'required' })))
      return { id: item.id ?? newId(path), ...membersOf(field, item), ...secrets }
    })
  }
  return errors.length > 0 ? refused('validation.failed', { errors }) : accepted(stored)
}

/**
 * Fields that a process sets as they may be stored: items of lists have ids and every member, and a secret that is left
 * out is the one of the stored item with that id, or none.
 */
export const withWholeItems = (
  fields: Readonly<Record<string, Field>>,
  present: JsonObject,
  changes: JsonObject,
  newId: (path: string) => string,
): JsonObject =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]): [string, Json] => {
      const field = fields[name]
      if (field?.kind !== 'list' || !Array.isArray(value)) return [name, value]
      return [
        name,
        itemsOf(value).map((item, index) => wholeItem(field, present[name], item, newId(`${name}.${index}`))),
      ]
    }),
  )

const wholeItem = (field: ListField, stored: Json | undefined, item: JsonObject, newId: string): JsonObject => {
  const kept = item.id === undefined ? undefined : itemWithId(stored, item.id)
  const members = Object.entries(field.item).map(([name, { secret }]): [string, Json] => {
    return [name, item[name] ?? (secret && item[name] === undefined ? (kept?.[name] ?? null) : null)]
  })
  return { id: item.id ?? newId, ...Object.fromEntries(members) }
}

const membersOf = ({ item: fields }: ListField, item: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(fields).map(name => [name, item[name] ?? null]))

/** {set: true}: a secret stays as it was. */
export const isSetMark = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && 'set' in value

const secretsOf = (fields: ItemFields, item: JsonObject, kept: JsonObject | undefined) => {
  const hidden = hiddenFields(fields, item)
  const secrets: Record<string, Json> = {}
  const missing: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (!field.secret) continue
    const given = item[name]
    const value = hidden.has(name)
      ? null
      : given === undefined || isSetMark(given)
        ? (kept?.[name] ?? null)
        : (given ?? null)
    secrets[name] = value
    const isMissing = value === null && !hidden.has(name) && (field.required || isSetMark(given))
    if (isMissing) missing.push(name)
  }
  return { secrets, missing }
}

/** An uploaded file in a field, and the dotted path of that field. */
export interface HeldFile {
  readonly path: string
  readonly field: FileField | ImageField
  readonly file: FileValue
}

export const isFile = (value: Json | undefined): value is FileValue =>
  typeof value === 'object' &&
  value !== null &&
  'size' in value &&
  'id' in value &&
  typeof value.id === 'string' &&
  FILE_ID.test(value.id)

/** Uploaded files in the values of fields, in items of lists too. */
export const filesIn = (
  fields: Readonly<Record<string, Field>>,
  values: JsonObject,
  prefix = '',
): readonly HeldFile[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const path = prefix + name
    if (field?.kind === 'list')
      return itemsOf(value).flatMap((item, index) => filesIn(field.item, item, `${path}.${index}.`))
    return (field?.kind === 'file' || field?.kind === 'image') && isFile(value) ? [{ path, field, file: value }] : []
  })

/** The values with other files at these paths. */
export const withFiles = (values: JsonObject, files: ReadonlyMap<string, FileValue>, prefix = ''): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Json] => {
      const path = prefix + name
      const file = files.get(path)
      if (file !== undefined) return [name, file]
      const holds = Array.isArray(value) && [...files.keys()].some(key => key.startsWith(`${path}.`))
      return [name, holds ? itemsOf(value).map((item, index) => withFiles(item, files, `${path}.${index}.`)) : value]
    }),
  )

/** The values without the files at these paths. */
export const withoutFiles = (values: JsonObject, paths: ReadonlySet<string>, prefix = ''): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Json] => {
      const path = prefix + name
      if (paths.has(path)) return [name, null]
      const holds = Array.isArray(value) && [...paths].some(key => key.startsWith(`${path}.`))
      return [name, holds ? itemsOf(value).map((item, index) => withoutFiles(item, paths, `${path}.${index}.`)) : value]
    }),
  )

/** Ids of the files that a stored value of a field of this kind holds. */
export const fileIdsIn = (kind: FieldKind, value: Json): readonly string[] => {
  if (kind === 'list')
    return itemsOf(value).flatMap(item =>
      Object.values(item)
        .filter(isFile)
        .map(({ id }) => id),
    )
  return (kind === 'file' || kind === 'image') && isFile(value) ? [value.id] : []
}
