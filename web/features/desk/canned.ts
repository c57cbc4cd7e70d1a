import type { DeskChatDetail } from './desk-query.ts'

export type CannedAnswer = DeskChatDetail['canned'][number]

/** `/` at the begin or after a space, and the letters after it, up to the caret. */
const SHORTCUT = /(?:^|\s)\/([\w-]*)$/u

/** Letters that filter canned answers; undefined while no shortcut is typed before the caret. */
export const shortcutAt = (text: string, caret: number): string | undefined => SHORTCUT.exec(text.slice(0, caret))?.[1]

/** The text with a canned answer in place of the shortcut before the caret, and the caret after it. */
export const insertCanned = (text: string, caret: number, answer: string): { text: string; caret: number } => {
  const typed = shortcutAt(text, caret)
  const begin = typed === undefined ? caret : caret - typed.length - 1
  return { text: text.slice(0, begin) + answer + text.slice(caret), caret: begin + answer.length }
}

/** Answers whose shortcut begins with the letters come first, then those that contain them. */
export const matchingCanned = (canned: readonly CannedAnswer[], typed: string): readonly CannedAnswer[] => {
  const wanted = typed.toLowerCase()
  const begins = canned.filter(({ shortcut }) => shortcut.startsWith(wanted))
  const contains = canned.filter(
    ({ shortcut, text }) =>
      !shortcut.startsWith(wanted) && (shortcut.includes(wanted) || text.toLowerCase().includes(wanted)),
  )
  return [...begins, ...contains]
}

/** Place marks of a canned answer whose values are missing, such as `{field.order}`. */
export const gapsOf = (text: string): readonly string[] =>
  text.match(/\{(?:person|agent|bot|field)\.[^{}\s]+\}/gu) ?? []
