import { folded } from '#schemas/fold-text.ts'
import { type NamedPerson, nameOf } from '../person-avatar.tsx'

const BEGUN = /(?:^|[\s(])@([\p{L}\p{N}._-]*(?: [\p{L}\p{N}._-]+)?)$/u

/** People offered at once. */
const MAX_SUGGESTIONS = 5

/** Text between the @ and the caret; undefined: no name is being typed. */
export const mentionPrefix = (text: string, caret: number): string | undefined => BEGUN.exec(text.slice(0, caret))?.[1]

/** The people whose name or username contains the begun name. */
export const matchingPeople = (people: readonly NamedPerson[], begun: string): readonly NamedPerson[] =>
  people
    .filter(person => folded(`${nameOf(person)} ${person.username ?? ''}`).includes(folded(begun)))
    .slice(0, MAX_SUGGESTIONS)

/** Replaces the begun name before the caret with `shown` and a space; `caret` is the new caret. */
export const completeMention = (
  text: string,
  caret: number,
  shown: string,
): { readonly text: string; readonly caret: number } => {
  const begun = mentionPrefix(text, caret) ?? ''
  const start = caret - begun.length - 1
  const rest = text.slice(caret)
  return {
    text: `${text.slice(0, start)}${shown}${rest.startsWith(' ') ? '' : ' '}${rest}`,
    caret: start + shown.length + 1,
  }
}
