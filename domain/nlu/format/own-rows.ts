import { NONE_INTENT } from '../project-data.ts'
import type { Gathering } from './gathered.ts'
import { markedText } from './rasa-old.ts'
import { listAt, textAt } from './values.ts'

const intentNamed = (name: string): string => (name.trim() === '' ? NONE_INTENT : name)

/** Rows with a header: `intent`, `text` with its entities marked. Other columns say nothing. */
export const readOwnCsv = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  path: string,
  into: Gathering,
): void => {
  const [intent, text] = ['intent', 'text'].map(name => header.indexOf(name))
  for (const row of rows) {
    const line = row[text ?? -1] ?? ''
    if (line.trim() === '') into.unread(path, 'line', row.join(','))
    else into.statement(intentNamed(row[intent ?? -1] ?? ''), line)
  }
}

/** An object a line: {text, intent, entities: [{start, end, entity, value}]}; the text is plain. */
export const readOwnLines = (lines: readonly unknown[], path: string, into: Gathering): void => {
  for (const line of lines) {
    const text = textAt(line, 'text')
    if (text.trim() === '') into.unread(path, 'line', JSON.stringify(line))
    else into.statement(intentNamed(textAt(line, 'intent')), markedText(text, listAt(line, 'entities'), path, into))
  }
}
