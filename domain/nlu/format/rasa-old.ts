import { type EntitySpan, printStatement } from '../project-data.ts'
import { isMembers, listAt, member, type NluFileCollector, textAt, textOf } from './nlu-file-content.ts'

/** The JSON that Rasa had until version 1: `rasa_nlu_data`. */
export const readRasaJson = (tree: unknown, path: string, into: NluFileCollector): void => {
  const data = member(tree, 'rasa_nlu_data')
  const examples = ['common_examples', 'intent_examples', 'entity_examples'].flatMap(name => listAt(data, name))
  for (const example of examples) {
    const intent = textAt(example, 'intent')
    const marked = markedText(textAt(example, 'text'), listAt(example, 'entities'), path, into)
    if (intent !== '') into.statement(intent, marked)
  }
  for (const { value, synonyms } of listAt(data, 'entity_synonyms').filter(isMembers))
    into.synonym(textOf(value), Array.isArray(synonyms) ? synonyms.map(textOf) : [])
  for (const regex of listAt(data, 'regex_features')) {
    into.feature(path, textAt(regex, 'name'), textAt(regex, 'pattern'))
  }
  for (const table of listAt(data, 'lookup_tables'))
    for (const value of listAt(table, 'elements')) into.lookup(textAt(table, 'name'), textOf(value))
}

/**
 * A plain text with entities [{start, end, entity, value}], `end` exclusive, in UTF-16 units. Of entities that overlap
 * the first is marked; the others, and those outside of the text, are listed as not read.
 */
export const markedText = (
  text: string,
  entities: readonly unknown[],
  path: string,
  into: NluFileCollector,
): string => {
  const spans = entities.flatMap((each): EntitySpan[] => {
    const start = Number(member(each, 'start'))
    const end = Number(member(each, 'end'))
    const entity = textAt(each, 'entity')
    if (!Number.isInteger(start) || !Number.isInteger(end) || entity === '') {
      into.unread(path, 'span', `${entity}: ${text}`)
      return []
    }
    const [value, role, group] = ['value', 'role', 'group'].map(name => textAt(each, name))
    return [
      {
        start,
        end,
        entity,
        ...(value && value !== text.slice(start, end) ? { value } : {}),
        ...(role ? { role } : {}),
        ...(group ? { group } : {}),
      },
    ]
  })
  let at = 0
  const apart = spans
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end, entity }) => {
      const isFree = start >= at && end > start && end <= text.length
      if (isFree) at = end
      else into.unread(path, 'span', `${entity}: ${text}`)
      return isFree
    })
  return printStatement({ text, spans: apart })
}

const SECTION = /^##\s*(intent|synonym|regex|lookup)\s*:\s*(.+?)\s*$/u
const ITEM = /^\s*[-*+]\s+(.*)$/u

/** Whether a text has a section of Rasa's Markdown. */
export const isRasaMarkdown = (text: string): boolean => text.split('\n').some(line => SECTION.test(line))

/** Rasa's Markdown: sections of lines, with HTML comments. */
export const readRasaMarkdown = (text: string, path: string, into: NluFileCollector): void => {
  let section: { readonly kind: string; readonly name: string } | undefined
  for (const line of text.replace(/<!--[\s\S]*?(?:-->|$)/gu, '').split('\n')) {
    const [, kind, name] = SECTION.exec(line) ?? []
    if (kind !== undefined && name !== undefined) {
      section = { kind, name }
      if (kind === 'intent') into.intent(name)
      continue
    }
    if (line.startsWith('##')) section = undefined
    const item = ITEM.exec(line)?.[1]?.trim()
    if (item !== undefined && item !== '' && section !== undefined) readItem(section, item, path, into)
    else if (line.trim() !== '' && !line.startsWith('#')) into.unread(path, 'line', line)
  }
}

const readItem = (
  { kind, name }: { readonly kind: string; readonly name: string },
  item: string,
  path: string,
  into: NluFileCollector,
) => {
  if (kind === 'intent') into.statement(name, item)
  else if (kind === 'synonym') into.synonym(name, [item])
  else if (kind === 'regex') into.feature(path, name, item)
  else into.lookup(name, item)
}
