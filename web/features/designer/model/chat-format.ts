/** Formatting of chats, around words and not within them, each in the others. */
const FORMATS = {
  bold: /(?<![\p{L}\p{N}*/{])\*+([^\s*][^*\n]*)\*+(?![\p{L}\p{N}])/gu,
  italic: /(?<![\p{L}\p{N}_/{])_+([^\s_][^_\n]*)_+(?![\p{L}\p{N}])/gu,
  struck: /(?<![\p{L}\p{N}~/{])~+([^\s~][^~\n]*)~+(?![\p{L}\p{N}])/gu,
} as const

type Format = keyof typeof FORMATS

const NAMES: readonly Format[] = ['bold', 'italic', 'struck']

export interface ChatRun {
  readonly text: string
  readonly formats: readonly Format[]
}

/** A text without the marks of chat formatting. */
export const withoutFormats = (text: string): string =>
  NAMES.reduce((words, name) => words.replace(FORMATS[name], '$1'), text)

/** A text's runs as a chat shows them, without the marks. */
export const chatRuns = (text: string, formats: readonly Format[] = []): readonly ChatRun[] => {
  for (const name of NAMES) {
    const [match] = text.matchAll(FORMATS[name])
    if (match === undefined) continue
    return [
      ...chatRuns(text.slice(0, match.index), formats),
      ...chatRuns(match[1] ?? '', [...formats, name]),
      ...chatRuns(text.slice(match.index + match[0].length), formats),
    ]
  }
  return text === '' ? [] : [{ text, formats }]
}
