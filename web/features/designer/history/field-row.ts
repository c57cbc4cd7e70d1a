import type { ValueChange } from '#domain/flow/diff/diff-flows.ts'
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
const isItems = (value: Json | undefined): value is readonly Json[] =>
  Array.isArray(value) && value.length > 0 && value.every((item: Json) => isObject(item) || Array.isArray(item))
const same = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b)

const keyOf = (item: Json | undefined, at: number): string => {
  const id = isObject(item) ? item.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? `id ${id}` : `at ${at}`
}

const itemDetails = (detail: FieldDetail, before: readonly Json[], after: readonly Json[]): readonly FieldDetail[] => {
  const was = new Map(before.map((item, at) => [keyOf(item, at), { item, at }]))
  const is = new Map(after.map((item, at) => [keyOf(item, at), { item, at }]))
  return [...new Set([...is.keys(), ...was.keys()])].flatMap(key => {
    const old = was.get(key)
    const now = is.get(key)
    const place = (now ?? old)?.at ?? 0
    return detailsOf({
      names: detail.names,
      places: [...detail.places, place + 1],
      before: old?.item,
      after: now?.item,
    })
  })
}

const memberDetails = (detail: FieldDetail, before: JsonObject, after: JsonObject): readonly FieldDetail[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(name =>
    detailsOf({ ...detail, names: [...detail.names, name], before: before[name], after: after[name] }),
  )

const detailsOf = (detail: FieldDetail): readonly FieldDetail[] => {
  const { before, after } = detail
  if (same(before, after)) return []
  if (isItems(before) && isItems(after)) return itemDetails(detail, before, after)
  if (isObject(before) && isObject(after)) return memberDetails(detail, before, after)
  return [detail]
}

const namesOf = (path: string): readonly string[] => path.replace(/^properties\./u, '').split('.')

/** Fields that differ, in the order of the difference; a list is one field with what differs in its items. */
export const fieldRows = (changes: readonly ValueChange[]): readonly FieldRow[] =>
  changes.map(({ path, before, after }) => ({
    path,
    details:
      path === 'pos'
        ? [{ names: ['pos'], places: [], before, after }]
        : detailsOf({ names: namesOf(path), places: [], before, after }),
  }))

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
