import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockFields } from '#schemas/flow/block-field.ts'
import { isObject, own, stringsOf } from '#schemas/json.ts'
import type { Content, Entries } from './model.ts'

/**
 * Key, in `properties`, groups and items, of what a file said that the fields cannot show, so that export gives the
 * file's own shape again. A file's own keys that begin with `~` (in items also `order`) get another `~` in front.
 */
export const SHAPE = '~file'

export interface Shape {
  /** Declared names that the file did not have; left out again while they are empty. */
  readonly absent?: readonly string[]
  /** JSON fields that stood in the file as a string. */
  readonly text?: readonly string[]
  /** Lists that stood in the file as an object of name → value. */
  readonly record?: readonly string[]
  /** An item without id, an item that was its one field's value, or an item's id that was not a string. */
  readonly form?: 'plain' | 'bare' | { readonly id: Json }
  /** Parts of a node that the file's operator did not have; a node without one and without this note has its default. */
  readonly missing?: readonly string[]
  /** Members of the operator beyond type, title, top, left and properties, or in a shape these cannot have. */
  readonly operator?: JsonObject
  /** Members of outgoing links that links of the document do not have. */
  readonly links?: readonly { readonly link: string; readonly color: string | null; readonly members: JsonObject }[]
}

const form = (value: Json | undefined): Shape['form'] => {
  if (value === 'plain' || value === 'bare') return value
  return isObject(value) && Object.hasOwn(value, 'id') ? { id: own(value, 'id') ?? null } : undefined
}

const links = (value: Json | undefined): NonNullable<Shape['links']> => {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: Json) => {
    if (!isObject(entry)) return []
    const { link, color, members } = entry
    if (typeof link !== 'string' || !isObject(members)) return []
    return [{ link, color: typeof color === 'string' ? color : null, members }]
  })
}

/** The shape note of a map; a damaged one counts as none. */
export const shapeOf = (entries: Entries): Shape => {
  const note = entries.get(SHAPE)
  if (note?.kind !== 'value' || !isObject(note.value)) return {}
  const operator = own(note.value, 'operator')
  const noted = form(own(note.value, 'form'))
  return {
    absent: stringsOf(own(note.value, 'absent')),
    text: stringsOf(own(note.value, 'text')),
    record: stringsOf(own(note.value, 'record')),
    missing: stringsOf(own(note.value, 'missing')),
    links: links(own(note.value, 'links')),
    ...(noted === undefined ? {} : { form: noted }),
    ...(isObject(operator) ? { operator } : {}),
  }
}

/** The note as content, or undefined where there is nothing to note. */
export const shapeContent = (shape: Shape): Content | undefined => {
  const kept = Object.entries(shape).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  return kept.length === 0 ? undefined : { kind: 'value', value: Object.fromEntries(kept) as JsonObject }
}

export const escapeKey = (name: string, inItem: boolean): string =>
  name.startsWith('~') || (inItem && name === 'order') ? `~${name}` : name

/** The file's key, or undefined for keys of our own. */
export const unescapeKey = (key: string, inItem: boolean): string | undefined => {
  if (key === SHAPE || (inItem && key === 'order')) return undefined
  if (inItem && key === '~order') return 'order'
  return key.startsWith('~~') ? key.slice(1) : key
}

/** The type of a node that has none. */
export const DEFAULT_TYPE = 'marker'

/** No fields: unknown content is read and written without a declaration. */
export const NO_FIELDS: BlockFields = {}
