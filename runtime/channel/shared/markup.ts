import type { Capabilities } from '../port.ts'

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
