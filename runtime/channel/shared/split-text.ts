import type { Capabilities } from '../channel-port.ts'

/** Unit of a limit: UTF-16 units (characters) or UTF-8 bytes. */
type TextUnit = 'characters' | 'bytes'

const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4)

/** Number of UTF-16 units after a position that fit into `max` units; never splits a surrogate pair. */
const fitting = (text: string, from: number, max: number, unit: TextUnit): number => {
  let [at, size] = [from, 0]
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0
    const width = point > 0xffff ? 2 : 1
    size += unit === 'bytes' ? bytesOf(point) : width
    if (size > max) break
    at += width
  }
  return at - from
}

const BREAKS = ['\n\n', '\n', '. ', ' '] as const

/** Best end of a piece: after a paragraph, line, sentence or word in its second half, else its full length. */
const breakAt = (piece: string): number => {
  for (const mark of BREAKS) {
    const at = piece.lastIndexOf(mark)
    if (at > piece.length / 2) return at + mark.length
  }
  return piece.length
}

/** Splits a text into non-empty pieces of at most `max`; only white space is lost between them. */
export const splitText = (text: string, max: number, unit: TextUnit = 'characters'): readonly string[] => {
  const pieces: string[] = []
  const whole = text.trim()
  for (let at = 0; at < whole.length; ) {
    const length = Math.max(1, fitting(whole, at, max, unit))
    const piece = whole.slice(at, at + length)
    const end = at + length >= whole.length ? length : breakAt(piece)
    const shown = piece.slice(0, end).trim()
    if (shown !== '') pieces.push(shown)
    at += end
  }
  return pieces
}

/** Cuts to at most `max` units, ending with an ellipsis if shortened. */
export const cutLabel = (text: string, max: number): string => {
  const label = text.replaceAll(/\s+/gu, ' ').trim()
  if (label.length <= max) return label
  return `${label.slice(0, fitting(label, 0, max - 1, 'characters')).trimEnd()}…`
}

type Markup = Capabilities['markup']

/** Bold, italic, struck, code and links; groups in this order. */
const INLINE =
  /\*\*(?=\S)([^\n*]+)(?<=\S)\*\*|(?<![\w*])[*_](?=\S)([^\n*_]+?)[*_](?![\w*])|~~([^\n~]+)~~|`([^\n`]+)`|\[([^[\]\n]+)\]\(([^()\s]+)\)/gu

const MARKS = {
  whatsapp: { bold: '*', italic: '_', struck: '~', code: '```' },
  none: { bold: '', italic: '', struck: '', code: '' },
} as const

const linkText = (label: string, address: string): string => (label === address ? address : `${label}: ${address}`)

/** Converts limited Markdown to a provider's markup. */
export const markUp = (text: string, markup: Markup): string => {
  if (markup === 'markdown') return text
  const marks = MARKS[markup]
  const around = (mark: string, words: string) => `${mark}${words}${mark}`
  return text.replaceAll(INLINE, (whole, bold, italic, struck, code, label, address) => {
    if (bold !== undefined) return around(marks.bold, bold)
    if (italic !== undefined) return around(marks.italic, italic)
    if (struck !== undefined) return around(marks.struck, struck)
    if (code !== undefined) return around(marks.code, code)
    return label === undefined || address === undefined ? whole : linkText(label, address)
  })
}

/** A title to put above other text, in the bot's own Markdown. */
export const boldTitle = (text: string): string => {
  const words = text.trim()
  return words === '' || words.includes('*') ? words : `**${words}**`
}
