import { parse as parseCsv } from 'csv-parse/sync'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { type JsonFile, readDialogflowCx, readDialogflowEs } from './dialogflow.ts'
import { type Gathered, Gathering, type NluFile } from './gathered.ts'
import { readOwnCsv, readOwnLines } from './own-rows.ts'
import { type Parsed, parseJsonTree, parseYamlTree } from './parse-tree.ts'
import { isRasaMarkdown, readRasaJson, readRasaMarkdown } from './rasa-old.ts'
import { placeUtterances, readRasaTree, type Utterances } from './rasa-yaml.ts'
import { isMembers, listOf, member, textAt } from './values.ts'
import { readWatson, readWatsonCsv } from './watson.ts'

/** Members that only a tree of Rasa has at its top. */
const RASA = ['nlu', 'stories', 'rules', 'responses', 'domain', 'slots', 'forms', 'actions', 'pipeline', 'policies']
const SKIPPED = /(?:^|\/)(?:license|readme|__macosx|\.[^/]*)/iu

/**
 * Training data of files from any source: detects the format by content. `locale`: of the project, for files with
 * several languages. @returns refused `nlu.format` with file and line of unreadable content
 */
export const readNlu = (files: readonly NluFile[], locale: string): Result<Gathered> => {
  const into = new Gathering()
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

const isEmpty = ({ intents, entities, synonyms, regexes, stories }: Gathered): boolean =>
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

const readCsv = (text: string, path: string, into: Gathering): readonly FieldError[] => {
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

const readTrees = (trees: readonly JsonFile[], locale: string, into: Gathering, utterances: Utterances): void => {
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
