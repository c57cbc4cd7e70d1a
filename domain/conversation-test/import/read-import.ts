import { parse } from 'csv-parse/sync'
import { Document, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
import { csvRecord } from '#domain/csv/cell.ts'
import { readYaml } from '#domain/yaml.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject } from '#schemas/json.ts'

/** Why a part of a file is not in the tests that were made of it. */
type ImportFaultCode =
  | 'syntax'
  | 'empty'
  | 'nobody'
  | 'speaker'
  | 'agent'
  | 'step'
  | 'slot'
  | 'checkpoint'
  | 'either'
  | 'loop'
  | 'event'
  | 'columns'
  | 'activity'
  | 'toomany'

interface ImportFault {
  /** From 1. */
  readonly line: number
  readonly code: ImportFaultCode
  /** Unread text. */
  readonly text?: string
}

interface ImportedTest {
  readonly name: string
  /** `parley-test` in YAML. */
  readonly file: string
  readonly steps: number
}

/** Tests that a file of another kind became, and what could not be read of it. */
export interface ImportedTests {
  readonly tests: readonly ImportedTest[]
  readonly faults: readonly ImportFault[]
}

const MAX_IMPORTED_TESTS = 500
const MAX_NAME = 200
const MAX_STEPS = 1000

/** A step from the file, with preceding content that is not a step. */
interface ImportedStep {
  readonly step: JsonObject
  readonly comments?: readonly string[]
}

interface NewTest {
  readonly name: string
  readonly loose?: boolean
  readonly stubs?: readonly JsonObject[]
  readonly steps: readonly ImportedStep[]
  /** Content after the last step. */
  readonly rest?: readonly string[]
}

const commented = (comments: readonly string[]): string =>
  comments.map(comment => ` ${comment.replaceAll(/\s+/gu, ' ')}`).join('\n')

/** The file of a test that comes from elsewhere. */
const writeImported = ({ name, loose = false, stubs = [], steps, rest = [] }: NewTest): ImportedTest => {
  const title = name.trim().slice(0, MAX_NAME)
  const document = new Document({ format: 'parley-test', version: 1, name: title })
  if (loose) document.set('loose', true)
  if (stubs.length > 0) document.set('stubs', document.createNode(stubs))
  const kept = steps.slice(0, MAX_STEPS)
  const list = document.createNode(kept.map(({ step }) => step))
  for (const [place, { comments = [] }] of kept.entries()) {
    const node = list.items[place] as { commentBefore?: string } | undefined
    if (node !== undefined && comments.length > 0) node.commentBefore = commented(comments)
  }
  document.set('steps', list)
  if (rest.length > 0) document.comment = commented(rest)
  return { name: title, file: document.toString({ lineWidth: 0 }), steps: kept.length }
}

/** Speaker names, without capitals and accents. */
const BOTS = new Set(['bot', 'robo', 'robot', 'chatbot', 'assistant', 'assistente', 'asistente', 'system', 'sistema'])
const PEOPLE = new Set([
  ...['user', 'usuario', 'person', 'pessoa', 'persona', 'human', 'humano', 'customer', 'client', 'cliente'],
  ...['visitor', 'visitante', 'eu', 'me', 'yo', 'i', 'you', 'voce', 'contact', 'contato', 'contacto'],
])
const AGENTS = new Set(['agent', 'agente', 'atendente', 'attendant', 'operador', 'operator'])

type Role = 'bot' | 'user' | 'agent'

const WHO_COLUMNS = ['who', 'from', 'speaker', 'author', 'role', 'sender', 'quem', 'de', 'autor', 'quien', 'remetente']
const WORDS_COLUMNS = ['text', 'words', 'message', 'body', 'mensagem', 'texto', 'fala', 'mensaje', 'palavras']
const GROUP_COLUMNS = ['conversation', 'conversationid', 'conversa', 'conversacion', 'test', 'teste', 'id']

interface Line {
  readonly line: number
  readonly who: string
  readonly text: string
}

interface Talk {
  readonly name: string
  readonly lines: Line[]
}

type Roles = ReadonlyMap<string, Role>

/** Names of a file by who they are: of two names, one that is known says who the other is. */
const rolesOf = (lines: readonly Line[], bot: string): Roles => {
  const names = [...new Set(lines.map(({ who }) => folded(who)))]
  const roles = new Map<string, Role>()
  for (const name of names) {
    if (BOTS.has(name) || (bot !== '' && name === folded(bot))) roles.set(name, 'bot')
    else if (PEOPLE.has(name)) roles.set(name, 'user')
    else if (AGENTS.has(name)) roles.set(name, 'agent')
  }
  const others = names.filter(name => !roles.has(name))
  const held = new Set(roles.values())
  const [other] = others
  if (others.length === 1 && other !== undefined && held.has('bot') !== held.has('user'))
    roles.set(other, held.has('bot') ? 'user' : 'bot')
  return roles
}

const testOf = ({ name, lines }: Talk, roles: Roles, faults: ImportFault[]): ImportedTest | undefined => {
  const steps = lines.flatMap(({ line, who, text }): readonly ImportedStep[] => {
    const role = roles.get(folded(who))
    if (role === 'user') return [{ step: { user: text } }]
    if (role === 'bot') return [{ step: { bot: text } }]
    faults.push({ line, code: role === 'agent' ? 'agent' : 'speaker', text: who })
    return []
  })
  if (steps.some(({ step }) => 'user' in step)) return writeImported({ name, steps })
  faults.push({ line: lines[0]?.line ?? 1, code: 'nobody', text: name })
  return undefined
}

const testsOf = (talks: readonly Talk[], bot: string, faults: ImportFault[]): ImportedTests => {
  const filled = talks.filter(({ lines }) => lines.length > 0)
  const roles = rolesOf(
    filled.flatMap(({ lines }) => lines),
    bot,
  )
  const beyond = filled[MAX_IMPORTED_TESTS]
  if (beyond !== undefined) faults.push({ line: beyond.lines[0]?.line ?? 1, code: 'toomany', text: beyond.name })
  const tests = filled.slice(0, MAX_IMPORTED_TESTS).flatMap(talk => testOf(talk, roles, faults) ?? [])
  if (tests.length === 0 && faults.length === 0) faults.push({ line: 1, code: 'empty' })
  return { tests, faults: faults.toSorted((one, other) => one.line - other.line) }
}

/** A time in front of who speaks, as chats export it. */
const MOMENT = /^\s*(?:\[[^\]]{1,40}\]|\d{4}-\d\d-\d\dT\S+|\d{1,2}:\d\d(?::\d\d)?(?:\s*-)?)\s+/u
const SPOKEN = /^\s*([\p{L}\p{N}][^:\n]{0,39}?)\s*:\s*(.*)$/u
const RULE = /^\s*(?:-{3,}|={3,}|\*{3,})\s*$/u
const HEADING = /^\s*#+\s*(.+?)\s*$/u

/** Lines of `who: words`; a line without a name continues the previous one. A rule or a heading begins another talk. */
const readLines = (source: string, name: string, bot: string): ImportedTests => {
  const faults: ImportFault[] = []
  const talks: Talk[] = [{ name, lines: [] }]
  for (const [place, raw] of source.split(/\r?\n/u).entries()) {
    const line = place + 1
    const talk = talks.at(-1) ?? { name, lines: [] }
    const [, heading] = HEADING.exec(raw) ?? []
    if (heading !== undefined || RULE.test(raw)) {
      talks.push({ name: heading ?? `${name} ${talks.filter(({ lines }) => lines.length > 0).length + 1}`, lines: [] })
      continue
    }
    if (raw.trim() === '') continue
    const [, who, text] = SPOKEN.exec(raw.replace(MOMENT, '')) ?? []
    const last = talk.lines.at(-1)
    if (who !== undefined && text !== undefined && text.trim() !== '') talk.lines.push({ line, who, text: text.trim() })
    else if (last !== undefined) talk.lines.splice(-1, 1, { ...last, text: `${last.text}\n${raw.trim()}` })
    else faults.push({ line, code: 'speaker', text: raw.trim().slice(0, 80) })
  }
  return testsOf(talks, bot, faults)
}

const columnOf = (header: readonly string[], names: readonly string[]): number =>
  header.findIndex(cell => names.includes(folded(cell.trim())))

interface CsvRow {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** A table with a column of who speaks and one of words, and maybe one that says which conversation it is. */
const readTable = (source: string, name: string, bot: string): ImportedTests => {
  const delimiter = (source.split('\n', 1)[0] ?? '').includes(';') ? ';' : ','
  let rows: readonly CsvRow[]
  try {
    const options = { bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true } as const
    rows = parse(source, options) as unknown as readonly CsvRow[]
  } catch (error) {
    return { tests: [], faults: [{ line: 1, code: 'syntax', text: error instanceof Error ? error.message : '' }] }
  }
  const [first, ...rest] = rows
  const header = first?.record ?? []
  const [who, words, group] = [WHO_COLUMNS, WORDS_COLUMNS, GROUP_COLUMNS].map(names => columnOf(header, names))
  if (who === undefined || words === undefined || who < 0 || words < 0)
    return { tests: [], faults: [{ line: 1, code: 'columns', text: header.join(', ').slice(0, 200) }] }
  const talks = new Map<string, Talk>()
  for (const { record, info } of rest) {
    const of = group === undefined || group < 0 ? '' : (record[group] ?? '')
    const talk = talks.get(of) ?? { name: of === '' ? name : `${name} ${of}`, lines: [] }
    talks.set(of, talk)
    const text = (record[words] ?? '').trim()
    if (text !== '') talk.lines.push({ line: info.lines, who: record[who] ?? '', text })
  }
  return testsOf([...talks.values()], bot, [])
}

/** Activities of Bot Framework, as Direct Line and its Emulator keep them. */
const readActivities = (activities: readonly unknown[], name: string, bot: string): ImportedTests => {
  const faults: ImportFault[] = []
  const lines = activities.flatMap((activity, place): readonly Line[] => {
    const line = place + 1
    const from = isObject(activity) && isObject(activity.from) ? activity.from : {}
    const role = from.role ?? from.name ?? from.id
    if (!isObject(activity) || activity.type !== 'message' || typeof role !== 'string') {
      const isSilent = isObject(activity) && ['typing', 'conversationUpdate'].includes(String(activity.type))
      if (!isSilent) faults.push({ line, code: 'activity', text: isObject(activity) ? String(activity.type) : '' })
      return []
    }
    const text = typeof activity.text === 'string' ? activity.text.trim() : ''
    if (text !== '') return [{ line, who: role, text }]
    faults.push({ line, code: 'activity', text: 'message' })
    return []
  })
  return testsOf([{ name, lines }], bot, faults)
}

const activitiesOf = (source: string): readonly unknown[] | undefined => {
  try {
    const tree = JSON.parse(source) as unknown
    if (Array.isArray(tree)) return tree
    const held = isObject(tree as never) ? (tree as { readonly activities?: unknown }).activities : undefined
    return Array.isArray(held) ? held : undefined
  } catch {
    return undefined
  }
}

interface TranscriptOf {
  /** Of the file, for tests without a name of their own. */
  readonly name: string
  /** Name of the bot among the speakers. */
  readonly bot: string
  readonly isTable: boolean
}

/** A conversation that was written down: lines of `who: words`, a table, or Bot Framework's activities. */
const readTranscript = (source: string, { name, bot, isTable }: TranscriptOf): ImportedTests => {
  const activities = activitiesOf(source)
  if (activities !== undefined) return readActivities(activities, name, bot)
  return isTable ? readTable(source, name, bot) : readLines(source, name, bot)
}

/** Implicit in Rasa; nothing is lost without it. */
const LISTENING = 'action_listen'
/** `[Paris](city)`, `[Paris]{"entity": "city", "value": "paris"}` */
const MARKED = /\[([^[\]]+)\](?:\(([^()[\]]*)\)|(\{[^{}]*\}))/gu

interface Heard {
  readonly text: string
  readonly entities: JsonObject
}

const given = (written: string): { readonly entity?: unknown; readonly value?: unknown } => {
  try {
    return JSON.parse(written) as { entity?: unknown; value?: unknown }
  } catch {
    return {}
  }
}

/** Plain text of a message, and the entities marked in it. */
const heardIn = (source: string): Heard => {
  const entities: { [name: string]: Json } = {}
  const text = source.replaceAll(MARKED, (_, words: string, short: string | undefined, long: string | undefined) => {
    if (long !== undefined) {
      const { entity, value } = given(long)
      if (typeof entity === 'string') entities[entity] = typeof value === 'string' ? value : words
      return words
    }
    const [name = '', value] = (short ?? '').split(':')
    if (name !== '') entities[name] = value ?? words
    return words
  })
  return { text: text.replaceAll(/\s+/gu, ' ').trim(), entities }
}

const textAt = (map: YAMLMap, key: string): string => {
  const value = map.get(key)
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

/** Entities beside an intent: `- city: Paris`. */
const entitiesAt = (map: YAMLMap): JsonObject => {
  const list = map.get('entities')
  if (!isSeq(list)) return {}
  return Object.assign({}, ...list.items.map(item => (isMap(item) ? item.toJSON() : {}))) as JsonObject
}

/** Steps that a test has no like of. */
const OTHER_STEPS: Readonly<Record<string, ImportFault['code']>> = {
  slot_was_set: 'slot',
  checkpoint: 'checkpoint',
  or: 'either',
  active_loop: 'loop',
}

class Story {
  readonly steps: ImportedStep[] = []
  readonly stubs = new Map<string, JsonObject>()
  comments: string[] = []
  readonly #fault: (node: unknown, code: ImportFault['code'], text: string) => void

  constructor(fault: (node: unknown, code: ImportFault['code'], text: string) => void) {
    this.#fault = fault
  }

  #add(step: JsonObject): void {
    this.steps.push({ step, comments: this.comments })
    this.comments = []
  }

  #said(map: YAMLMap): void {
    const intent = textAt(map, 'intent')
    const written = textAt(map, 'user')
    const { text, entities } = heardIn(written)
    // Without words Rasa says the intent itself: `/greet`.
    const words = text === '' ? `/${intent}` : text
    const marked = { ...entities, ...entitiesAt(map) }
    if (intent !== '')
      this.stubs.set(words, {
        nlu: words,
        intent,
        confidence: 1,
        ...(Object.keys(marked).length === 0 ? {} : { entities: marked }),
      })
    this.#add({ user: words })
  }

  /** Kept as a comment; reported if its absence may change the test's path. */
  #note(node: unknown, name: string, value: string, code?: ImportFault['code']): void {
    this.comments.push(value === '' ? name : `${name}: ${value}`)
    if (code !== undefined) this.#fault(node, code, value === '' ? name : value)
  }

  take(item: unknown): void {
    if (!isMap(item)) this.#fault(item, 'step', String(item))
    else if (item.has('user') || item.has('intent')) this.#said(item)
    else if (item.has('bot')) this.#add({ bot: textAt(item, 'bot').trim() || 'any' })
    else this.#other(item)
  }

  #other(item: YAMLMap): void {
    const [first] = item.items
    const name = isScalar(first?.key) ? String(first.key.value) : ''
    const value = isScalar(first?.value) ? String(first.value.value) : JSON.stringify(item.toJSON())
    if (name === 'action' && value === LISTENING) return
    this.#note(item, name, value, name === 'action' ? undefined : (OTHER_STEPS[name] ?? 'step'))
  }
}

/**
 * Rasa's stories, rules and test stories in YAML: messages and intents are steps, actions are comments.
 */
const readStories = (source: string): ImportedTests => {
  const { document, lines } = readYaml(source)
  const faults: ImportFault[] = []
  const lineOf = (node: unknown) => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line || 1
  const fault = (node: unknown, code: ImportFault['code'], text: string) =>
    faults.push({ line: lineOf(node), code, text: text.slice(0, 200) })
  const [broken] = document.errors
  if (broken !== undefined) {
    const [text = ''] = broken.message.split(' at line')
    return { tests: [], faults: [{ line: lines.linePos(broken.pos[0]).line || 1, code: 'syntax', text }] }
  }
  const tests: ImportedTest[] = []
  for (const [list, name] of [
    ['stories', 'story'],
    ['rules', 'rule'],
  ] as const) {
    const held = isMap(document.contents) ? document.get(list) : undefined
    for (const item of isSeq(held) ? held.items : []) {
      const steps = isMap(item) ? item.get('steps') : undefined
      const title = isMap(item) ? textAt(item, name) : ''
      const story = new Story(fault)
      for (const step of isSeq(steps) ? steps.items : []) story.take(step)
      if (story.steps.length === 0) fault(item, 'empty', title)
      else if (tests.length >= MAX_IMPORTED_TESTS) fault(item, 'toomany', title)
      else
        tests.push(
          writeImported({
            name: title || `${name} ${tests.length + 1}`,
            // Stories lack the bot's texts.
            loose: true,
            stubs: [...story.stubs.values()],
            steps: story.steps,
            rest: story.comments,
          }),
        )
    }
  }
  if (tests.length === 0 && faults.length === 0) faults.push({ line: 1, code: 'empty' })
  return { tests, faults }
}

const STORIES = /^(?:stories|rules)\s*:/mu

/** Tests of a file other than `parley-test`: format detected by content, tables by file extension. */
export const readImport = (source: string, fileName: string, bot: string): ImportedTests => {
  const text = source.replace(/^\uFEFF/u, '')
  if (STORIES.test(text)) return readStories(text)
  const name = fileName.replace(/\.[^.]+$/u, '')
  return readTranscript(text, { name, bot, isTable: /\.(?:csv|tsv)$/iu.test(fileName) })
}

/** The tests as records that the entity's import takes. */
export const importRecords = (tests: readonly Pick<ImportedTest, 'name' | 'file'>[]): string =>
  [['name', 'source', 'file'], ...tests.map(({ name, file }) => [name, 'import', file])].map(csvRecord).join('')
