import { parse as parseCsv } from 'csv-parse/sync'
import { readYaml } from '#domain/yaml.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { type EntitySpan, NONE_INTENT, printStatement } from '../project-data.ts'
import { type JsonFile, readDialogflowCx, readDialogflowEs } from './dialogflow.ts'
import {
  isMembers,
  listAt,
  listOf,
  member,
  type NluFile,
  NluFileCollector,
  type NluFileContent,
  textAt,
  textOf,
} from './nlu-file-content.ts'
import { placeUtterances, readRasaTree, type Utterances } from './rasa-yaml.ts'

/** The JSON that Rasa had until version 1: `rasa_nlu_data`. */
const readRasaJson = (tree: unknown, path: string, into: NluFileCollector): void => {
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
const markedText = (text: string, entities: readonly unknown[], path: string, into: NluFileCollector): string => {
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
const isRasaMarkdown = (text: string): boolean => text.split('\n').some(line => SECTION.test(line))

/** Rasa's Markdown: sections of lines, with HTML comments. */
const readRasaMarkdown = (text: string, path: string, into: NluFileCollector): void => {
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

/** A workspace of Watson Assistant; reports its dialog. */
const readWatson = (tree: unknown, path: string, into: NluFileCollector): void => {
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

const readValue = (value: unknown, entity: string, into: NluFileCollector): void => {
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
const readWatsonCsv = (rows: readonly (readonly string[])[], path: string, into: NluFileCollector): void => {
  const isOfEntities = areEntities(rows, path)
  for (const [first = '', second = '', ...others] of rows) {
    if (!isOfEntities && second === '') into.unread(path, 'line', first)
    else if (!isOfEntities) into.statement(second, plain(first))
    else if (/^\/.+\/$/u.test(second)) into.regex(second.slice(1, -1), first, second.slice(1, -1))
    else into.lookup(first, second, others)
  }
}

/** Content of a file, or its fault and line (counted from 1). */
type Parsed = { readonly tree: unknown } | { readonly fault: TreeFault; readonly line?: number }

type TreeFault = 'syntax' | 'duplicate' | 'alias' | 'depth'

/** Aliases of one document that are followed. */
const MAX_ALIASES = 100
const MAX_DEPTH = 100

/** JSON without members of the same name. */
const parseJsonTree = (text: string): Parsed => {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/u.exec(String(error))?.[1]
    return { fault: 'syntax', ...(at === undefined ? {} : { line: lineAt(text, Number(at)) }) }
  }
  const fault = scanMembers(text)
  return fault ?? { tree }
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const TOKEN = /"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/gsu

/** Looks through text that is JSON for what `JSON.parse` lets pass. */
const scanMembers = (text: string): Parsed | undefined => {
  const open: Set<string>[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (open.length === MAX_DEPTH) return { fault: 'depth', line: lineAt(text, index) }
      open.push(new Set())
    } else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const names = open.at(-1)
      const name = String(JSON.parse(token.slice(0, -1).trim()))
      if (names?.has(name)) return { fault: 'duplicate', line: lineAt(text, index) }
      names?.add(name)
    }
  }
  return undefined
}

const FAULTS: Readonly<Partial<Record<string, TreeFault>>> = { DUPLICATE_KEY: 'duplicate', IMPOSSIBLE: 'depth' }

/** YAML without duplicate members, custom tags or too many aliases. */
const parseYamlTree = (text: string): Parsed => {
  try {
    const { document } = readYaml(text, undefined)
    const [error] = document.errors
    if (error !== undefined) {
      const line = error.linePos?.[0].line
      const fault = FAULTS[error.code] ?? 'syntax'
      return { fault, ...(line === undefined ? {} : { line }) }
    }
    return { tree: document.toJS({ maxAliasCount: MAX_ALIASES }) }
  } catch (error) {
    return { fault: error instanceof RangeError ? 'depth' : 'alias' }
  }
}

const intentNamed = (name: string): string => (name.trim() === '' ? NONE_INTENT : name)

/** Rows with a header: `intent`, `text` with its entities marked. Other columns say nothing. */
const readOwnCsv = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  path: string,
  into: NluFileCollector,
): void => {
  const [intent, text] = ['intent', 'text'].map(name => header.indexOf(name))
  for (const row of rows) {
    const line = row[text ?? -1] ?? ''
    if (line.trim() === '') into.unread(path, 'line', row.join(','))
    else into.statement(intentNamed(row[intent ?? -1] ?? ''), line)
  }
}

/** An object a line: {text, intent, entities: [{start, end, entity, value}]}; the text is plain. */
const readOwnLines = (lines: readonly unknown[], path: string, into: NluFileCollector): void => {
  for (const line of lines) {
    const text = textAt(line, 'text')
    if (text.trim() === '') into.unread(path, 'line', JSON.stringify(line))
    else into.statement(intentNamed(textAt(line, 'intent')), markedText(text, listAt(line, 'entities'), path, into))
  }
}

/** Members that only a tree of Rasa has at its top. */
const RASA = ['nlu', 'stories', 'rules', 'responses', 'domain', 'slots', 'forms', 'actions', 'pipeline', 'policies']
const SKIPPED = /(?:^|\/)(?:license|readme|__macosx|\.[^/]*)/iu

/**
 * Training data of files from any source: detects the format by content. `locale`: of the project, for files with
 * several languages. @returns refused `nlu.format` with file and line of unreadable content
 */
export const readNlu = (files: readonly NluFile[], locale: string): Result<NluFileContent> => {
  const into = new NluFileCollector()
  const errors: FieldError[] = []
  const utterances: Utterances = new Map()
  const trees: JsonFile[] = []
  let lastRasa = ''
  for (const file of files) {
    const text = file.text.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n')
    if (SKIPPED.test(file.path)) continue
    if (text.trim() === '') into.unread(file.path, 'file', file.path)
    else if (isJson(text)) {
      const parsed = parseJson(text)
      if ('fault' in parsed) errors.push(faultIn(file, parsed))
      else trees.push({ ...file, text: '', tree: parsed.tree })
    } else if (isRasaMarkdown(text)) readRasaMarkdown(text, file.path, into)
    else if (isCsv(file.path, text)) errors.push(...readCsv(text, file.path, into))
    else {
      const parsed = parseYamlTree(text)
      if ('fault' in parsed) errors.push(faultIn(file, parsed))
      else if (isRasa(parsed.tree)) {
        readRasaTree(parsed.tree, file.path, into, utterances)
        lastRasa = file.path
      } else into.unread(file.path, 'file', file.path)
    }
  }
  readTrees(trees, locale, into, utterances)
  into.placeFeatures()
  placeUtterances(utterances, lastRasa || (trees[0]?.path ?? ''), into)
  if (errors.length > 0) return refused('nlu.format', { errors: errors.slice(0, MAX_ERRORS) })
  return isEmpty(into.gathered) ? refused('nlu.format', { errors: [NOTHING] }) : accepted(into.gathered)
}

const MAX_ERRORS = 20
const NOTHING: FieldError = { path: 'file', code: 'format', params: { rule: 'nluempty' } }

const isEmpty = ({ intents, entities, synonyms, regexes, stories }: NluFileContent): boolean =>
  [intents, entities, synonyms, regexes, stories].every(({ size }) => size === 0)

const faultIn = ({ path }: NluFile, parsed: Extract<Parsed, { fault: unknown }>): FieldError => ({
  path: 'file',
  code: 'format',
  params: { rule: `nlu${parsed.fault}`, name: path, line: parsed.line ?? 1 },
})

const isJson = (text: string): boolean => /^\s*[[{]/u.test(text) && !/^\s*\[[^\]]*\]\(/u.test(text)

/** One tree, or an object a line. */
const parseJson = (text: string): Parsed => {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const areObjects = lines.length > 1 && lines.every(line => /^\s*\{.*\}\s*$/u.test(line))
  if (!areObjects) return parseJsonTree(text)
  const tree: unknown[] = []
  for (const [at, line] of lines.entries()) {
    const parsed = parseJsonTree(line)
    if ('fault' in parsed) return { ...parsed, line: at + 1 }
    tree.push(parsed.tree)
  }
  return { tree }
}

const isRasa = (tree: unknown): boolean => RASA.some(name => member(tree, name) !== undefined)

const isCsv = (path: string, text: string): boolean =>
  /\.csv$/iu.test(path) || (!/\.ya?ml$/iu.test(path) && /^[^:\n]*,[^\n]*$/u.test(text.split('\n')[0] ?? ''))

const readCsv = (text: string, path: string, into: NluFileCollector): readonly FieldError[] => {
  let rows: readonly (readonly string[])[]
  try {
    rows = parseCsv(text, { skip_empty_lines: true, relax_column_count: true, trim: true })
  } catch (error) {
    return [faultIn({ path, text }, { fault: 'syntax', line: Number(/line (\d+)/u.exec(String(error))?.[1] ?? 1) })]
  }
  const [header = [], ...others] = rows
  const isOwn = header.includes('intent') && header.includes('text')
  if (isOwn) readOwnCsv(header, others, path, into)
  else readWatsonCsv(rows, path, into)
  return []
}

const isCx = (files: readonly JsonFile[]): boolean =>
  files.some(({ path, tree }) => /\/trainingPhrases\/[^/]+$/u.test(path) || textAt(tree, 'displayName') !== '')

const isEs = ({ path, tree }: JsonFile): boolean =>
  /(?:^|\/)(?:intents|entities)\/[^/]+\.json$/u.test(path) ||
  /_(?:usersays|entries)_[\w-]+\.json$/u.test(path) ||
  Array.isArray(member(tree, 'userSays')) ||
  Array.isArray(member(tree, 'entries'))

const readTrees = (
  trees: readonly JsonFile[],
  locale: string,
  into: NluFileCollector,
  utterances: Utterances,
): void => {
  const others = isCx(trees) || trees.some(isEs) ? [] : trees
  if (isCx(trees)) readDialogflowCx(trees, locale, into)
  else if (others.length === 0) readDialogflowEs(trees, locale, into)
  for (const { path, tree } of others) {
    if (member(tree, 'rasa_nlu_data') !== undefined) readRasaJson(tree, path, into)
    else if (isWatson(tree)) readWatson(tree, path, into)
    else if (isRasa(tree)) readRasaTree(tree, path, into, utterances)
    else if (isLines(tree)) readOwnLines(listOf(tree), path, into)
    else into.unread(path, 'file', path)
  }
}

const isWatson = (tree: unknown): boolean =>
  listOf(member(tree, 'intents')).some(intent => textAt(intent, 'intent') !== '' && isMembers(intent)) ||
  listOf(member(tree, 'entities')).some(entity => textAt(entity, 'entity') !== '')

const isLines = (tree: unknown): boolean =>
  Array.isArray(tree) && tree.some(line => textAt(line, 'text') !== '' && member(line, 'intent') !== undefined)
