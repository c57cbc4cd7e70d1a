import { mergeItems } from '#domain/field/merge-items.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ListField } from '#schemas/field/kind.ts'
import type { ToldError } from '#web/api/problem.ts'
import type { Value } from '#web/entity/entity-query.ts'

/** What is chosen by itself: a field, or an item of a list. */
export const choiceKey = (path: string, item?: string): string => (item === undefined ? path : `${path} ${item}`)

interface Sides {
  readonly error: ToldError
  /** The list as it was sent, and as it stands now. */
  readonly yours: Value
  readonly theirs: Value
  /** Keys of what is kept as it was sent. */
  readonly own: ReadonlySet<string>
}

/** The list with every change that merges, and of each item in conflict the side that was chosen. */
export const chosenItems = (field: ListField, { error, yours, theirs, own }: Sides): readonly JsonObject[] => {
  const versions = { before: error.before ?? null, yours, theirs }
  const isYours = (id: string) => own.has(choiceKey(error.path, id))
  return mergeItems(field, versions, id => (isYours(id) ? 'yours' : 'theirs')).items
}
