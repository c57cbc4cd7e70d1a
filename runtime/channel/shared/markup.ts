import type { Capabilities } from '../channel-port.ts'

type Markup = Capabilities['markup']

/** Bold, italic, struck, code and links of the bot's Markdown; groups in this order. */
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

/** A formatted range of a text without marks, in UTF-16 units. */
export interface TextSpan {
  readonly kind: 'bold' | 'italic' | 'struck' | 'code' | 'link'
  readonly offset: number
  readonly length: number
  /** Address of a link. */
  readonly url?: string
}

const KINDS = ['bold', 'italic', 'struck', 'code'] as const
const WEB = /^https?:\/\//iu

/** Limited Markdown as plain text and its formatted ranges: nothing has to be escaped. */
export const readMarkup = (markdown: string): { readonly text: string; readonly spans: readonly TextSpan[] } => {
  const spans: TextSpan[] = []
  let [text, from] = ['', 0]
  for (const match of markdown.matchAll(INLINE)) {
    text += markdown.slice(from, match.index)
    from = match.index + match[0].length
    const [label, url] = [match[5], match[6]]
    const at = KINDS.findIndex((_, group) => match[group + 1] !== undefined)
    const kind = KINDS[at]
    const words = kind === undefined ? (label ?? '') : (match[at + 1] ?? '')
    if (kind !== undefined) spans.push({ kind, offset: text.length, length: words.length })
    else if (url !== undefined && label !== url && WEB.test(url))
      spans.push({ kind: 'link', offset: text.length, length: words.length, url })
    text += kind === undefined && url !== undefined && !WEB.test(url) ? linkText(words, url) : words
  }
  return { text: text + markdown.slice(from), spans }
}
