import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field, FieldKind, FileField, ImageField } from '#schemas/field/kind.ts'
import { FILE_ID, type FileValue } from '#schemas/field/value-schema.ts'
import { itemsOf } from './stored-items.ts'

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
