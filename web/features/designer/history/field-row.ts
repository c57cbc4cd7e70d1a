import type { ValueChange } from '#domain/flow/diff/diff-flows.ts'
import { fieldAt } from '#domain/flow/document/location.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import type { Moment } from '#web/entity/flow/read-revisions.ts'

/** One difference inside a field, as far down as both sides have the same shape. */
export interface FieldDetail {
  /** Names from `properties` down, without item ids; `title`, `pos` and `type` stand alone. */
  readonly names: readonly string[]
  /** Places in lists on the way, counted from 1. */
  readonly places: readonly number[]
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** A field of a block that can be brought back as a whole. */
interface FieldRow {
  readonly path: string
  readonly details: readonly FieldDetail[]
}
const same = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b)

const isItem = (item: Json): boolean => isObject(item) || Array.isArray(item)

const idOf = (item: Json | undefined): string | undefined => {
  const id = isObject(item) ? item.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const withoutId = (item: Json | undefined): Json | undefined => {
  if (!isObject(item)) return item
  const { id: _id, ...members } = item
  return members
}

/** The names of a detail with a place for each item on the way, as a field's path has it. */
export const withItems = (type: string, names: readonly string[]): readonly string[] => {
  const path: string[] = []
  for (const name of names) {
    if (path.length > 0 && fieldAt(type, path)?.kind === 'list') path.push('')
    path.push(name)
  }
  return path
}

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

type Sides = readonly [before: readonly Json[], after: readonly Json[]]

/** Both sides as lists of items; undefined where one is none. A file may hold an item as the value of one member. */
const itemsOf = ({ names, before = [], after = [] }: FieldDetail, type: string): Sides | undefined => {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  const field = fieldAt(type, withItems(type, names))
  const bare = field?.kind === 'list' ? field.bare : undefined
  const whole = (item: Json): Json => (bare === undefined || isItem(item) ? item : { [bare]: item })
  const [was, is]: Sides = [before.map(whole), after.map(whole)]
  return was.length + is.length > 0 && [...was, ...is].every(isItem) ? [was, is] : undefined
}

interface Pair {
  readonly place: number
  /** Its place in the earlier list; 0 where it was not there. */
  readonly was: number
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Items of one id, else of one place where one of them has no id; then those that went. */
const pairsOf = ([before, after]: Sides): readonly Pair[] => {
  const left = new Map(before.map((item, at) => [at, item]))
  const pairs = after.map((item, at): Pair => {
    const id = idOf(item)
    const byId = id === undefined ? -1 : before.findIndex((old, place) => left.has(place) && idOf(old) === id)
    const isAlike = left.has(at) && (id === undefined || idOf(before[at]) === undefined)
    const place = byId >= 0 ? byId : isAlike ? at : -1
    left.delete(place)
    return { place: at + 1, was: place + 1, before: before[place], after: item }
  })
  return [...pairs, ...[...left].map(([at, item]) => ({ place: at + 1, was: at + 1, before: item, after: undefined }))]
}

const itemDetails = (detail: FieldDetail, sides: Sides, type: string): readonly FieldDetail[] => {
  const pairs = pairsOf(sides)
  const details = pairs.flatMap(({ place, before, after }) =>
    detailsOf(
      { names: detail.names, places: [...detail.places, place], before: withoutId(before), after: withoutId(after) },
      type,
    ),
  )
  if (details.length > 0) return details
  // The same items in another order; new ids alone say nothing.
  if (pairs.every(({ place, was }) => place === was)) return []
  const [before, after] = sides.map(side => side.map(item => withoutId(item) ?? null))
  return [{ ...detail, before, after }]
}

const memberDetails = (
  detail: FieldDetail,
  [before, after]: readonly [JsonObject, JsonObject],
  type: string,
): readonly FieldDetail[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(name =>
    detailsOf({ ...detail, names: [...detail.names, name], before: before[name], after: after[name] }, type),
  )

const detailsOf = (detail: FieldDetail, type: string): readonly FieldDetail[] => {
  const { before, after } = detail
  if (same(before, after) || (isNothing(before) && isNothing(after))) return []
  const items = itemsOf(detail, type)
  if (items !== undefined) return itemDetails(detail, items, type)
  if (isObject(before) && isObject(after)) return memberDetails(detail, [before, after], type)
  return [detail]
}

const namesOf = (path: string): readonly string[] => path.replace(/^properties\./u, '').split('.')

/** Whether a change is of the outputs of a block, which are shown by their labels. */
export const isOutputs = ({ path }: ValueChange): boolean => path.split('.', 2).join('.') === 'properties.outputs'

/**
 * Fields of a block of this type that differ, in the order of the difference; a list is one field with what differs in its
 * items.
 */
export const fieldRows = (changes: readonly ValueChange[], type = ''): readonly FieldRow[] =>
  changes
    .filter(change => !isOutputs(change))
    .map(({ path, before, after }) => ({
      path,
      details:
        path === 'pos'
          ? [{ names: ['pos'], places: [], before, after }]
          : detailsOf({ names: namesOf(path), places: [], before, after }, type),
    }))
    .filter(({ details }) => details.length > 0)

const touches = (named: string, path: string) =>
  named === path || path.startsWith(`${named}.`) || named.startsWith(`${path}.`)

/** The last edit among `moments` that touched a block, or one field of it. */
export const lastEdit = (moments: readonly Moment[], block: string, path?: string): Moment | undefined => {
  const name = path?.replace(/^properties\./u, '')
  return moments.findLast(({ summary }) => {
    if (summary.added.some(({ id }) => id === block) || summary.removed.some(({ id }) => id === block)) return true
    const changed = summary.changed.find(({ id }) => id === block)
    if (changed === undefined) return false
    return name === undefined || changed.fields.some(field => touches(field, name))
  })
}
