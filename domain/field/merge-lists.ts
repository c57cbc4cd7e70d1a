import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { jsonEqual } from '#schemas/json.ts'
import type { FieldError } from '#schemas/refusal.ts'
import { maskedItem, mergeItems, mergeValues } from './merge-items.ts'
import { itemsOf, itemWithId } from './stored-items.ts'

interface MergedInput {
  /** With merged lists; of items in conflict as others saved them. */
  readonly input: JsonObject
  /** Its lists are the present ones: the conflicts are reported here. */
  readonly base: JsonObject
  readonly conflicts: readonly FieldError[]
}

/** Of a sealed list nobody sees the items. */
const isMerged = ({ kind, personal, secret, secretWhen }: Field): boolean =>
  kind === 'list' || ((kind === 'strings' || kind === 'references') && !personal && !secret && secretWhen === undefined)

const isWellFormed = (value: Json | undefined, { kind }: Field): value is readonly Json[] => {
  if (!Array.isArray(value)) return false
  const items = itemsOf(value)
  const ids = items.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return kind !== 'list' || (items.length === value.length && new Set(ids).size === ids.length)
}

/** The input of a change made against `base`, with lists that others changed meanwhile merged item by item. */
export const mergeLists = (
  { fields }: EntityDeclaration,
  base: JsonObject,
  present: JsonObject,
  input: JsonObject,
): MergedInput => {
  const merged = { input: { ...input } as Record<string, Json>, base: { ...base } as Record<string, Json> }
  const conflicts: FieldError[] = []
  for (const [path, yours] of Object.entries(input)) {
    const field = Object.hasOwn(fields, path) ? fields[path] : undefined
    const [before, theirs] = [base[path] ?? null, present[path] ?? null]
    if (field === undefined || !isMerged(field) || jsonEqual(before, theirs) || !isWellFormed(yours, field)) continue
    merged.base[path] = theirs
    if (field.kind !== 'list') {
      merged.input[path] = mergeValues({ before, yours, theirs })
      continue
    }
    const { items, conflicts: inItems } = mergeItems(field, { before, yours, theirs })
    merged.input[path] = items
    if (inItems.length === 0) continue
    const shown = (value: Json) => itemsOf(value).map(item => maskedItem(field, item, itemWithId(before, item.id)))
    const lists = { before: shown(before), yours: shown(yours), theirs: shown(theirs) }
    conflicts.push({ path, code: 'conflict', ...lists, items: inItems })
  }
  return { input: merged.input, base: merged.base, conflicts }
}
