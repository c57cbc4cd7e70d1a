import { type MarkedStatement, printStatement } from '../project-data.ts'
import {
  fileName,
  isMembers,
  listAt,
  listOf,
  member,
  type NluFile,
  type NluFileCollector,
  textAt,
  textOf,
} from './nlu-file-content.ts'

/** A file of JSON with its tree. */
export interface JsonFile extends NluFile {
  readonly tree: unknown
}

const OWN_NAMES: Readonly<Record<string, string>> = {
  'date-time': 'date',
  'date-period': 'date',
  'time-period': 'time',
  'phone-number': 'phone',
  'unit-currency': 'currency',
  'currency-name': 'currency',
  'unit-weight': 'measure',
  'unit-length': 'measure',
  'number-integer': 'number',
  cardinal: 'number',
}

/** Name of an entity here: `@color` → color, `@sys.date-time` → date; undefined for what is no entity. */
const entityName = (meta: string): string | undefined => {
  const name = meta.replace(/^@/u, '').replace(/:\w+$/u, '')
  if (name === '' || name === 'sys.ignore') return undefined
  if (!name.startsWith('sys.')) return name
  const system = name.slice('sys.'.length)
  return Object.hasOwn(OWN_NAMES, system) ? OWN_NAMES[system] : system
}

interface Part {
  readonly text: string
  readonly entity: string | undefined
  readonly role: string
}

const statementOf = (parts: readonly Part[]): string => {
  let text = ''
  const spans: MarkedStatement['spans'][number][] = []
  for (const { text: part, entity, role } of parts) {
    const start = text.length
    text += part
    if (entity !== undefined && part.trim() !== '')
      spans.push({ start, end: text.length, entity, ...(role === '' || role === entity ? {} : { role }) })
  }
  return printStatement({ text, spans })
}

/** Language in a file's name: `X_usersays_pt-br.json`, `trainingPhrases/en.json`. */
const languageOf = (path: string): string | undefined =>
  /_(?:usersays|entries)_([\w-]+)\.json$/u.exec(path)?.[1] ??
  /\/(?:trainingPhrases|entities)\/([a-z]{2,3}(?:-\w+)?)\.json$/u.exec(path)?.[1]

const speaks = (language: string, locale: string): boolean => language.toLowerCase().split(/[-_]/u)[0] === locale

/** Files in the project's language, or all if none is in it; reports the others. */
const inLocale = (files: readonly JsonFile[], locale: string, into: NluFileCollector): readonly JsonFile[] => {
  const languages = new Set(files.flatMap(({ path }) => languageOf(path) ?? []))
  if (![...languages].some(language => speaks(language, locale))) return files
  return files.filter(({ path }) => {
    const language = languageOf(path)
    if (language === undefined || speaks(language, locale)) return true
    into.unread(path, 'language', language)
    return false
  })
}

const nameIn = (path: string, tail: RegExp): string => fileName(path).replace(tail, '')

/** An agent of Dialogflow ES: a file per intent and entity, with their lines inside or in files beside them. */
export const readDialogflowEs = (files: readonly JsonFile[], locale: string, into: NluFileCollector): void => {
  for (const { path, tree } of inLocale(files, locale, into)) {
    if (/_usersays_[\w-]+\.json$/u.test(path)) readPhrases(listOf(tree), nameIn(path, /_usersays_[\w-]+\.json$/u), into)
    else if (/_entries_[\w-]+\.json$/u.test(path))
      readEntries(listOf(tree), nameIn(path, /_entries_[\w-]+\.json$/u), false, into)
    else if (isIntent(path, tree)) readIntent(tree, path, locale, into)
    else if (isEntity(path, tree)) {
      const name = textAt(tree, 'name')
      const isRegex = textAt(tree, 'kind') === 'KIND_REGEXP' || member(tree, 'isRegexp') === true
      if (!isRegex) into.entity(name, 'lookup')
      readEntries(listAt(tree, 'entries'), name, isRegex, into)
    } else if (!/(?:^|\/)(?:agent|package)\.json$/u.test(path)) into.unread(path, 'file', fileName(path))
  }
}

const isIntent = (path: string, tree: unknown): boolean =>
  textAt(tree, 'name') !== '' && (/(?:^|\/)intents\/[^/]+$/u.test(path) || Array.isArray(member(tree, 'userSays')))

const isEntity = (path: string, tree: unknown): boolean =>
  textAt(tree, 'name') !== '' && (/(?:^|\/)entities\/[^/]+$/u.test(path) || Array.isArray(member(tree, 'entries')))

const readPhrases = (phrases: readonly unknown[], intent: string, into: NluFileCollector): void => {
  into.intent(intent)
  for (const phrase of phrases) {
    const parts = listAt(phrase, 'data').map(part => ({
      text: textAt(part, 'text'),
      entity: entityName(textAt(part, 'meta')),
      role: textAt(part, 'alias'),
    }))
    into.statement(intent, statementOf(parts))
  }
}

const readIntent = (tree: unknown, path: string, locale: string, into: NluFileCollector): void => {
  const name = textAt(tree, 'name')
  readPhrases(listAt(tree, 'userSays'), name, into)
  const messages = listAt(tree, 'responses').flatMap(response => listAt(response, 'messages'))
  const languages = messages.map(message => textAt(message, 'lang')).filter(language => language !== '')
  const hasOwn = languages.some(language => speaks(language, locale))
  for (const message of messages) {
    const language = textAt(message, 'lang')
    const speech = member(message, 'speech')
    const texts = (Array.isArray(speech) ? speech.map(textOf) : [textOf(speech)]).filter(text => text.trim() !== '')
    if (hasOwn && language !== '' && !speaks(language, locale)) into.unread(path, 'language', `${name}: ${language}`)
    else if (Number(member(message, 'type')) === 0) for (const text of texts) into.intent(name).responses.add(text)
    else into.unread(path, 'response', `${name}: ${textAt(message, 'type')}`)
  }
}

const readEntries = (entries: readonly unknown[], entity: string, isRegex: boolean, into: NluFileCollector): void => {
  for (const entry of entries) {
    const value = textAt(entry, 'value')
    if (isRegex) into.regex(value, entity, value)
    else into.lookup(entity, value, listAt(entry, 'synonyms').map(textOf))
  }
}

/** An agent of Dialogflow CX: folders of intents and entity types; reports flows and pages. */
export const readDialogflowCx = (files: readonly JsonFile[], locale: string, into: NluFileCollector): void => {
  const folders = new Map<string, unknown>()
  for (const { path, tree } of files) {
    const name = textAt(tree, 'displayName')
    if (name !== '') folders.set(path.slice(0, path.lastIndexOf('/')), tree)
    if (name !== '' && /(?:^|\/)intents\/[^/]+\/[^/]+$/u.test(path)) into.intent(name)
    if (name !== '' && /(?:^|\/)entityTypes\/[^/]+\/[^/]+$/u.test(path)) into.entity(name, 'lookup')
  }
  for (const { path, tree } of inLocale(files, locale, into)) {
    const owner = folders.get(path.replace(/\/[^/]+\/[^/]+$/u, ''))
    if (/\/trainingPhrases\/[^/]+$/u.test(path)) readCxPhrases(tree, owner, path, into)
    else if (/\/entityTypes\/[^/]+\/entities\/[^/]+$/u.test(path)) readCxEntities(tree, owner, path, into)
    else if (!/(?:^|\/)(?:intents|entityTypes)\/[^/]+\/[^/]+$/u.test(path)) into.unread(path, 'file', fileName(path))
  }
}

const folderName = (path: string): string => path.split('/').at(-3) ?? ''

const readCxPhrases = (tree: unknown, owner: unknown, path: string, into: NluFileCollector): void => {
  const intent = textAt(owner, 'displayName') || folderName(path)
  const types = new Map(listAt(owner, 'parameters').map(each => [textAt(each, 'id'), textAt(each, 'entityType')]))
  into.intent(intent)
  for (const phrase of listAt(tree, 'trainingPhrases')) {
    const parts = listAt(phrase, 'parts').map(part => {
      const role = textAt(part, 'parameterId')
      return { text: textAt(part, 'text'), entity: entityName(types.get(role) ?? role), role }
    })
    into.statement(intent, statementOf(parts))
  }
}

const readCxEntities = (tree: unknown, owner: unknown, path: string, into: NluFileCollector): void => {
  const entity = textAt(owner, 'displayName') || folderName(path)
  const isRegex = textAt(owner, 'kind') === 'KIND_REGEXP'
  readEntries(listAt(tree, 'entities').filter(isMembers), entity, isRegex, into)
}
