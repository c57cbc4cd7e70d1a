import type { DeskChatDetail } from './desk-query.ts'

export type CannedAnswer = DeskChatDetail['canned'][number]

/** `/` at the begin or after a space, and the letters after it, up to the caret. */
const SHORTCUT = /(?:^|\s)\/([\w-]*)$/u

/** Letters that filter canned answers; undefined while no shortcut is typed before the caret. */
export const shortcutAt = (text: string, caret: number): string | undefined => SHORTCUT.exec(text.slice(0, caret))?.[1]

interface Insertion {
  readonly text: string
  /** Begin of the selection: the first gap, else the caret. */
  readonly begin: number
  readonly caret: number
}

/** The text with a canned answer in place of the shortcut before the caret. Its first gap is selected. */
export const insertCanned = (text: string, caret: number, answer: string): Insertion => {
  const typed = shortcutAt(text, caret)
  const at = typed === undefined ? caret : caret - typed.length - 1
  const [gap = ''] = gapsOf(answer)
  const begin = at + (gap === '' ? answer.length : answer.indexOf(gap))
  return { text: text.slice(0, at) + answer + text.slice(caret), begin, caret: begin + gap.length }
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
