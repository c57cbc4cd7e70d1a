import { parseStatement, printStatement } from '../project-data.ts'

/** A file of training data, its text decoded. */
export interface NluFile {
  /** Path in its archive, with slashes; the name of a single file. */
  readonly path: string
  readonly text: string
}

/** Part of a file without a place in a project. `code` has a translation (`nlu:unread.<code>`). */
interface Unread {
  readonly path: string
  readonly code: UnreadCode
  /** Its name in the file. */
  readonly name: string
}

type UnreadCode = 'part' | 'response' | 'step' | 'line' | 'language' | 'pattern' | 'feature' | 'span' | 'file'

interface Value {
  readonly value: string
  readonly synonyms: readonly string[]
}

/** Content of the files, things by name, in the order of the files. */
export interface NluFileContent {
  readonly intents: ReadonlyMap<
    string,
    { readonly statements: readonly string[]; readonly responses: readonly string[] }
  >
  readonly entities: ReadonlyMap<string, { readonly type: EntityType; readonly lookup: readonly Value[] }>
  readonly synonyms: ReadonlyMap<string, readonly string[]>
  readonly regexes: ReadonlyMap<string, { readonly entity: string; readonly pattern: string }>
  readonly stories: ReadonlyMap<string, readonly StoryStep[]>
  readonly unread: readonly Unread[]
}

type EntityType = 'learned' | 'lookup' | 'system'

export interface StoryStep {
  readonly kind: 'intent' | 'entity' | 'action'
  readonly name: string
  readonly text: string
}

/** Readers that the built-in engine has for values of every language. */
const SYSTEM_ENTITIES: ReadonlySet<string> = new Set([
  'number',
  'ordinal',
  'percentage',
  'currency',
  'measure',
  'temperature',
  'age',
  'date',
  'time',
  'duration',
  'email',
  'url',
  'phone',
  'cpf',
  'cnpj',
  'cep',
])

/** Collects what readers find: lines once each, tables joined. */
export class NluFileCollector {
  readonly #intents = new Map<string, { statements: Set<string>; responses: Set<string> }>()
  readonly #entities = new Map<string, { type: EntityType; lookup: Map<string, Set<string>> }>()
  readonly #synonyms = new Map<string, Set<string>>()
  readonly #regexes = new Map<string, { entity: string; pattern: string }>()
  readonly #stories = new Map<string, readonly StoryStep[]>()
  readonly #features: { readonly path: string; readonly name: string; readonly pattern: string }[] = []
  readonly #unread: Unread[] = []

  intent(name: string): { statements: Set<string>; responses: Set<string> } {
    const key = oneLine(name)
    const known = this.#intents.get(key) ?? { statements: new Set<string>(), responses: new Set<string>() }
    this.#intents.set(key, known)
    return known
  }

  hasIntent = (name: string): boolean => this.#intents.has(oneLine(name))

  /** A line as it is written here: its entities marked. */
  statement(intent: string, marked: string): void {
    const parsed = parseStatement(oneLine(marked))
    if (parsed.text.trim() === '') return
    this.intent(intent).statements.add(printStatement(parsed))
    for (const { entity } of parsed.spans) this.entity(entity)
  }

  entity(name: string, type?: EntityType): void {
    const key = oneLine(name)
    const known = this.#entities.get(key)
    const initial = SYSTEM_ENTITIES.has(key) ? 'system' : 'learned'
    this.#entities.set(key, { lookup: known?.lookup ?? new Map(), type: type ?? known?.type ?? initial })
  }

  lookup(entity: string, value: string, synonyms: readonly string[] = []): void {
    if (oneLine(value) === '') return
    this.entity(entity, 'lookup')
    const table = this.#entities.get(oneLine(entity))?.lookup
    const known = table?.get(oneLine(value)) ?? new Set<string>()
    for (const synonym of synonyms.map(oneLine)) if (synonym !== '' && synonym !== oneLine(value)) known.add(synonym)
    table?.set(oneLine(value), known)
  }

  synonym(value: string, synonyms: readonly string[]): void {
    if (oneLine(value) === '') return
    const known = this.#synonyms.get(oneLine(value)) ?? new Set<string>()
    for (const synonym of synonyms.map(oneLine)) if (synonym !== '' && synonym !== oneLine(value)) known.add(synonym)
    this.#synonyms.set(oneLine(value), known)
  }

  /** A second pattern of one name is numbered. */
  regex(name: string, entity: string, pattern: string): void {
    if (pattern === '') return
    this.entity(entity)
    const isKnown = (key: string) => {
      const known = this.#regexes.get(key)
      return known !== undefined && known.pattern !== pattern
    }
    let key = oneLine(name)
    for (let copy = 2; isKnown(key); copy += 1) key = `${oneLine(name)} ${copy}`
    this.#regexes.set(key, { entity: oneLine(entity), pattern })
  }

  /** A pattern that finds an entity only if another part of the files has an entity of its name. */
  feature(path: string, name: string, pattern: string): void {
    this.#features.push({ path, name, pattern })
  }

  /** Adds the patterns of entities; call it when all files are read. */
  placeFeatures(): void {
    for (const { path, name, pattern } of this.#features.splice(0))
      if (this.#entities.has(oneLine(name))) this.regex(name, name, pattern)
      else this.unread(path, 'feature', name)
  }

  story(name: string, steps: readonly StoryStep[]): void {
    let key = oneLine(name)
    for (let copy = 2; this.#stories.has(key); copy += 1) key = `${oneLine(name)} ${copy}`
    this.#stories.set(key, steps)
  }

  unread(path: string, code: UnreadCode, name: string): void {
    this.#unread.push({ path, code, name: oneLine(name).slice(0, MAX_NAME) })
  }

  get gathered(): NluFileContent {
    const lists = ({ statements, responses }: { statements: Set<string>; responses: Set<string> }) => ({
      statements: [...statements],
      responses: [...responses],
    })
    return {
      intents: mapped(this.#intents, lists),
      entities: mapped(this.#entities, ({ type, lookup }) => ({
        type,
        lookup: [...lookup].map(([value, synonyms]) => ({ value, synonyms: [...synonyms] })),
      })),
      synonyms: mapped(this.#synonyms, synonyms => [...synonyms]),
      regexes: this.#regexes,
      stories: this.#stories,
      unread: this.#unread,
    }
  }
}

const MAX_NAME = 200

const mapped = <A, B>(map: ReadonlyMap<string, A>, make: (value: A) => B): ReadonlyMap<string, B> =>
  new Map([...map].map(([key, value]) => [key, make(value)]))

/** Line breaks, tabs and other control characters become spaces: a name and a statement are one line. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()

/** Unknown values of a file, read without trusting their shape. */
type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const member = (value: unknown, name: string): unknown =>
  isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const textAt = (value: unknown, name: string): string => textOf(member(value, name))

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export const listAt = (value: unknown, name: string): readonly unknown[] => listOf(member(value, name))

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Last part of a path. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
