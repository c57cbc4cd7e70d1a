import { parseStatement } from '#domain/nlu/project-data.ts'

/** A line to try models on, and the intent that it says. */
export interface LabelledLine {
  readonly text: string
  readonly intent: string
}

/** As many as the API takes. */
const MAX_LINES = 5000
const MAX_TEXT = 4000

/** One record of a CSV file (RFC 4180); a line break within quotes is not read. */
const cellsOf = (line: string, separator: string): readonly string[] => {
  const cells: string[] = []
  for (let at = 0; at <= line.length; ) {
    if (line[at] === '"') {
      const end = /"(?:[^"]|"")*"/y
      end.lastIndex = at
      const quoted = end.exec(line)?.[0] ?? line.slice(at)
      cells.push(quoted.slice(1, -1).replaceAll('""', '"'))
      at += quoted.length + 1
      continue
    }
    const next = line.indexOf(separator, at)
    cells.push(line.slice(at, next < 0 ? undefined : next).trim())
    if (next < 0) break
    at = next + 1
  }
  return cells
}

const fromJson = (line: string): LabelledLine | undefined => {
  try {
    const { text, intent } = JSON.parse(line)
    return typeof text === 'string' && typeof intent === 'string' ? { text, intent } : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads lines with their intents: CSV with columns `intent` and `text` in a header (else in this order), separated by
 * comma, semicolon or tab, or one JSON object per line. Omits other lines; removes marks.
 */
export const readLabelledLines = (file: string): readonly LabelledLine[] => {
  const lines = file
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .filter(line => line.trim() !== '')
  const [first = ''] = lines
  const separator = ['\t', ';', ','].find(each => first.includes(each)) ?? ','
  const head = cellsOf(first.toLowerCase(), separator)
  const hasHead = head.includes('intent') && head.includes('text')
  const [intentAt, textAt] = hasHead ? [head.indexOf('intent'), head.indexOf('text')] : [0, 1]
  return lines
    .slice(hasHead ? 1 : 0)
    .map(line => {
      if (line.startsWith('{')) return fromJson(line)
      const cells = cellsOf(line, separator)
      return { intent: cells[intentAt] ?? '', text: cells[textAt] ?? '' }
    })
    .filter(line => line !== undefined)
    .map(({ intent, text }) => ({ intent: intent.slice(0, 200), text: parseStatement(text).text.slice(0, MAX_TEXT) }))
    .filter(({ intent, text }) => intent !== '' && text !== '')
    .slice(0, MAX_LINES)
}
