import { mention, partsOf } from '#domain/mention.ts'
import { type NamedPerson, nameOf } from '#web/components/person-avatar.tsx'

/** A comment in edit form: people by name; `named` maps each name to a person id. */
export interface CommentText {
  readonly text: string
  readonly named: ReadonlyMap<string, string>
}

export const NOTHING_WRITTEN: CommentText = { text: '', named: new Map() }

/** `@Ana Souza`; the username if another person in the text has the same name, or if the name is missing. */
const shownName = (person: NamedPerson, named: ReadonlyMap<string, string>): string => {
  const full = `@${nameOf(person)}`
  const other = named.get(full)
  return other === undefined || other === person.id ? full : `@${person.username ?? person.id}`
}

export const toWritten = (text: string, people: readonly NamedPerson[]): CommentText => {
  const named = new Map<string, string>()
  const parts = partsOf(text).map(part => {
    if ('text' in part) return part.text
    const person = people.find(({ id }) => id === part.user)
    // People without a known name, such as forgotten ones, stay as stored.
    if (person === undefined || person.username === null) return mention(part.user)
    const shown = shownName(person, named)
    named.set(shown, person.id)
    return shown
  })
  return { text: parts.join(''), named }
}

/** The text to keep. The longest names first: `@Ana` begins `@Ana Souza`. */
export const toStored = ({ text, named }: CommentText): string =>
  [...named]
    .sort(([one], [other]) => other.length - one.length)
    .reduce((stored, [shown, id]) => stored.replaceAll(shown, mention(id)), text)

const BEGUN = /(?:^|[\s(])@([\p{L}\p{N}._-]*(?: [\p{L}\p{N}._-]+)?)$/u

/** Text between the @ and the caret; undefined: no name is being typed. */
export const begunName = (text: string, caret: number): string | undefined => BEGUN.exec(text.slice(0, caret))?.[1]

/** Replaces the started name before the caret with a person; `caret` is the new caret. */
export const withPerson = (
  written: CommentText,
  caret: number,
  person: NamedPerson,
): CommentText & { caret: number } => {
  const begun = begunName(written.text, caret) ?? ''
  const start = caret - begun.length - 1
  const shown = shownName(person, written.named)
  const rest = written.text.slice(caret)
  const text = `${written.text.slice(0, start)}${shown}${rest.startsWith(' ') ? '' : ' '}${rest}`
  return { text, named: new Map(written.named).set(shown, person.id), caret: start + shown.length + 1 }
}
