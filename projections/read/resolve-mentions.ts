import { partsOf } from '#domain/comment.ts'
import type { Json } from '#schemas/event.ts'
import type { Change, Person } from '../port.ts'

const COMMENTS: ReadonlySet<string> = new Set(['dialogcomment', 'handlercomment'])

const nameOf = ({ username, firstname, lastname }: Person): string =>
  [firstname, lastname].filter(part => part !== undefined && part !== '').join(' ') || (username ?? '–')

/** A name or value for display: mentions in a comment become names, `–` for people without one. */
export const resolveMentions = (entity: string, text: string, personOf: (id: string) => Person): string =>
  COMMENTS.has(entity)
    ? partsOf(text)
        .map(part => ('text' in part ? part.text : `@${nameOf(personOf(part.user))}`))
        .join('')
    : text

/** The changes of a line of the audit, its texts as they are read. */
export const resolveMentionsInChanges = (
  entity: string,
  changes: readonly Change[],
  personOf: (id: string) => Person,
): readonly Change[] => {
  if (!COMMENTS.has(entity)) return changes
  const told = (value: Json) => (typeof value === 'string' ? resolveMentions(entity, value, personOf) : value)
  return changes.map(change => ({ ...change, before: told(change.before), after: told(change.after) }))
}
