import type { Json } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { type AnswerResult, INVALID, lineOf, valid } from './answer-result.ts'

/** UTF-16 units that are compared letter by letter; longer texts match only when they are equal. */
const MAX_FUZZY_LENGTH = 100
const MAX_LENGTH = 4000

/**
 * Damerau–Levenshtein distance: insertions, deletions, replacements and swaps of neighbours, also of letters between
 * which others were put. Time and space grow with the product of both lengths.
 */
export const editDistance = (a: string, b: string): number => {
  const [from, to] = [[...a], [...b]]
  const width = to.length + 2
  const unreachable = from.length + to.length
  const cells = new Array<number>((from.length + 2) * width).fill(unreachable)
  const cell = (row: number, column: number): number => cells[row * width + column] ?? unreachable
  for (let row = 0; row <= from.length; row++) cells[(row + 1) * width + 1] = row
  for (let column = 0; column <= to.length; column++) cells[width + column + 1] = column
  const lastRowOf = new Map<string, number>()
  for (let row = 1; row <= from.length; row++) {
    const letter = from[row - 1] ?? ''
    let lastMatch = 0
    for (let column = 1; column <= to.length; column++) {
      const other = to[column - 1] ?? ''
      const otherRow = lastRowOf.get(other) ?? 0
      const swap = cell(otherRow, lastMatch) + (row - otherRow - 1) + 1 + (column - lastMatch - 1)
      const replacement = cell(row, column) + (letter === other ? 0 : 1)
      if (letter === other) lastMatch = column
      cells[(row + 1) * width + column + 1] = Math.min(
        replacement,
        cell(row + 1, column) + 1,
        cell(row, column + 1) + 1,
        swap,
      )
    }
    lastRowOf.set(letter, row)
  }
  return cell(from.length + 1, to.length + 1)
}

/** A text as typed answers are compared: folded, white space collapsed, without invisible characters. */
export const comparable = (text: string): string =>
  text.length > MAX_LENGTH
    ? ''
    : folded(text)
        .replace(/\p{Cf}/gu, '')
        .replace(/\s+/gu, ' ')
        .trim()

const EDGE = /[^\p{L}\p{N}]/u

/** Without the marks and signs around it ("Sim!", "✅ sim"); a text of signs alone stays. */
const withoutEdges = (text: string): string => {
  const characters = [...text]
  let start = 0
  let end = characters.length
  while (start < end && EDGE.test(characters[start] ?? '')) start++
  while (end > start && EDGE.test(characters[end - 1] ?? '')) end--
  return start === end ? text : characters.slice(start, end).join('')
}

/** One edit per five letters. */
const allowedEdits = (text: string): number => Math.floor((text.match(/\p{L}/gu)?.length ?? 0) / 5)

/** Edits are of letters: another digit is another order, room or price. */
const digitsOf = (text: string): string => text.replace(/\P{Nd}/gu, '')

const isNear = (said: string, text: string): boolean => {
  const allowed = allowedEdits(text)
  if (allowed === 0 || text.length > MAX_FUZZY_LENGTH || Math.abs(said.length - text.length) > 2 * allowed) return false
  return digitsOf(said) === digitsOf(text) && editDistance(said, text) <= allowed
}

/** The only text that passes; duplicates count once. */
const only = (texts: readonly string[], passes: (comparable: string) => boolean): string | undefined => {
  const found = texts.map(text => ({ text, key: comparable(text) })).filter(({ key }) => key !== '' && passes(key))
  return new Set(found.map(({ key }) => key)).size === 1 ? found[0]?.text : undefined
}

/**
 * The one of some texts that was meant: equal without capitals, accents and marks around it, or, with `fuzzy`, the only
 * one within one edit per five letters. Undefined for none, and where several are as good.
 */
export const nearest = (said: string, texts: readonly string[], fuzzy: boolean): string | undefined => {
  const wanted = comparable(said)
  if (wanted === '') return undefined
  const bare = withoutEdges(wanted)
  const same = only(texts, text => text === wanted) ?? only(texts, text => withoutEdges(text) === bare)
  if (same !== undefined || !fuzzy || wanted.length > MAX_FUZZY_LENGTH) return same
  return only(texts, text => isNear(bare, withoutEdges(text)))
}

/** A choosable option; '' as its value means its title. */
export interface AnswerOption {
  readonly title: string
  readonly value: string
}

const resultOf = ({ title, value }: AnswerOption): string => (value === '' ? title : value)

const NUMBERED = /^(?:opcao|opção|opcion|opción|option|numero|número|number|n[ºo°.]|#|\() ?(?=\d)/iu

/** The option of a number as the numbered lines show it, from 1: `2`, `2.`, `2)`, `2º`, `opção 2`. */
const numbered = (said: string, options: readonly AnswerOption[]): AnswerOption | undefined => {
  const digits = /^0{0,3}(\d{1,4})(?:[.)ºª°]|\.[ºª°]| ?-)?$/u.exec(lineOf(said).replace(NUMBERED, ''))?.[1]
  return digits === undefined ? undefined : options[Number(digits) - 1]
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The option of a pressed button, whose value comes as it was sent. */
export const pressedOption = (pressed: Json, options: readonly AnswerOption[]): AnswerResult<string> => {
  const value = textOf(pressed)
  const option = options.find(each => resultOf(each) === value) ?? options.find(({ title }) => title === value)
  return option === undefined ? INVALID : valid(resultOf(option))
}

/**
 * The typed option: by title, number, value, last by a single near match with `fuzzy`. The title is first, so that of
 * 10, 20 and 2 the text `2` is the last. The result is its value, else its title.
 */
export const readChoice = (said: string, options: readonly AnswerOption[], fuzzy: boolean): AnswerResult<string> => {
  const titles = options.map(({ title }) => title)
  const values = options.map(resultOf)
  const byTitle = (isFuzzy: boolean) => {
    const title = nearest(said, titles, isFuzzy)
    return title === undefined ? undefined : options[titles.indexOf(title)]
  }
  const byValue = () => {
    const value = nearest(said, values, false)
    return value === undefined ? undefined : options[values.indexOf(value)]
  }
  const byEither = () => {
    const near = nearest(said, [...titles, ...values], true)
    return near === undefined ? undefined : (options[titles.indexOf(near)] ?? options[values.indexOf(near)])
  }
  const option =
    byTitle(false) ?? numbered(said, options) ?? byValue() ?? (fuzzy ? (byTitle(true) ?? byEither()) : undefined)
  return option === undefined ? INVALID : valid(resultOf(option))
}
