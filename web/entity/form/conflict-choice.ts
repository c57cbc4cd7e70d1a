import { mergeItems } from '#domain/field/merge-items.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ListField } from '#schemas/field/kind.ts'
import type { LocalizedFieldProblem } from '#web/api/failure.ts'
import type { Value } from '#web/entity/entity-query.ts'

/** Key of one choice: a field, or an item of a list. */
export const choiceKey = (path: string, item?: string): string => (item === undefined ? path : `${path} ${item}`)

interface Sides {
  readonly error: LocalizedFieldProblem
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

interface Conflict {
  readonly errors: readonly LocalizedFieldProblem[]
  /** The sent values. */
  readonly body: Readonly<Record<string, Value>>
}

/** The lists of a conflict, as they were chosen item by item. */
export const chosenLists = (
  { fields }: EntityDeclaration,
  { errors, body }: Conflict,
  newest: Readonly<Record<string, Value>>,
  own: ReadonlySet<string>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    errors.flatMap(error => {
      const { [error.path]: field } = fields
      if (error.items === undefined || field?.kind !== 'list') return []
      const sides = { error, yours: body[error.path] ?? null, theirs: newest[error.path] ?? null, own }
      return [[error.path, chosenItems(field, sides) as Value]]
    }),
  )
