import { NONE_INTENT, printStatement } from '../project-data.ts'
import type { Gathering } from './gathered.ts'
import { markedText } from './rasa-old.ts'
import { listAt, listOf, member, textAt, textOf } from './values.ts'

/** A workspace of Watson Assistant; reports its dialog. */
export const readWatson = (tree: unknown, path: string, into: Gathering): void => {
  for (const intent of listAt(tree, 'intents')) {
    const name = textAt(intent, 'intent')
    into.intent(name)
    for (const example of listAt(intent, 'examples'))
      into.statement(name, markedText(textAt(example, 'text'), listAt(example, 'mentions').map(mention), path, into))
  }
  for (const entity of listAt(tree, 'entities')) {
    const name = textAt(entity, 'entity')
    into.entity(name)
    for (const value of listAt(entity, 'values')) readValue(value, name, into)
  }
  for (const example of listAt(tree, 'counterexamples')) into.statement(NONE_INTENT, plain(textAt(example, 'text')))
  const nodes = listAt(tree, 'dialog_nodes').length
  if (nodes > 0) into.unread(path, 'part', `dialog_nodes (${nodes})`)
}

const mention = (each: unknown) => {
  const [start, end] = listOf(member(each, 'location'))
  return { start, end, entity: textAt(each, 'entity') }
}

const readValue = (value: unknown, entity: string, into: Gathering): void => {
  const name = textAt(value, 'value')
  const patterns = listAt(value, 'patterns').map(textOf)
  if (textAt(value, 'type') === 'patterns' || patterns.length > 0)
    for (const pattern of patterns) into.regex(name, entity, pattern)
  else into.lookup(entity, name, listAt(value, 'synonyms').map(textOf))
}

const plain = (text: string): string => printStatement({ text, spans: [] })

/** Columns whose values look like names, not like lines. */
const looksNamed = (values: readonly string[]): boolean => values.every(value => /^[\p{L}\p{N}_./@-]+$/u.test(value))

/** Whether the rows of a CSV without header are entities (`entity,value,synonym…`), not lines (`text,intent`). */
const areEntities = (rows: readonly (readonly string[])[], path: string): boolean => {
  const [first, second] = [0, 1].map(at => rows.map(row => row[at] ?? ''))
  const [named, other] = [looksNamed(first ?? []), looksNamed(second ?? [])]
  if (named !== other) return named
  if (rows.some(row => row.length > 2)) return true
  return /entit/iu.test(path)
}

/** Watson's CSV of intents or of entities. */
export const readWatsonCsv = (rows: readonly (readonly string[])[], path: string, into: Gathering): void => {
  const isOfEntities = areEntities(rows, path)
  for (const [first = '', second = '', ...others] of rows) {
    if (!isOfEntities && second === '') into.unread(path, 'line', first)
    else if (!isOfEntities) into.statement(second, plain(first))
    else if (/^\/.+\/$/u.test(second)) into.regex(second.slice(1, -1), first, second.slice(1, -1))
    else into.lookup(first, second, others)
  }
}
