/**
 * Input of a training: the whole content of an NLU project or brain, without ids of the console, so that the same
 * contents from any source are the same data.
 */
export interface NluData {
  /** en, pt or es. */
  readonly locale: string
  /** IANA. */
  readonly timezone: string
  readonly intents: readonly IntentData[]
  readonly entities: readonly EntityData[]
  readonly regexes: readonly RegexData[]
  readonly synonyms: readonly SynonymData[]
  readonly stories?: readonly StoryData[]
}

export interface IntentData {
  readonly name: string
  /** `text` is marked (`parseStatement`); `id` is that of the item in the intent's list. */
  readonly statements: readonly { readonly id: string; readonly text: string }[]
  readonly responses: readonly { readonly id: string; readonly text: string }[]
}

export interface EntityData {
  readonly name: string
  /** `learned` from marks in statements, `lookup` from its table, `system` from the readers of answers. */
  readonly type: 'learned' | 'lookup' | 'system'
  readonly lookup: readonly SynonymData[]
}

interface RegexData {
  readonly name: string
  /** Name of the entity that it finds. */
  readonly entity: string
  readonly pattern: string
}

interface SynonymData {
  /** Stored value. */
  readonly value: string
  /** Alternative words. */
  readonly synonyms: readonly string[]
}

interface StoryData {
  readonly name: string
  readonly steps: readonly {
    readonly kind: 'intent' | 'entity' | 'action'
    readonly name: string
    readonly text: string
  }[]
}

/** Lines of this intent belong to none of the others. */
export const NONE_INTENT = 'none'

/** A marked part of a statement; `start` and `end` (exclusive) are UTF-16 places in its plain text. */
export interface EntitySpan {
  readonly start: number
  readonly end: number
  readonly entity: string
  /** The canonical value, if the text differs. */
  readonly value?: string
  readonly role?: string
  readonly group?: string
}

/** A statement without its marks. Spans are in order and do not overlap. */
export interface MarkedStatement {
  readonly text: string
  readonly spans: readonly EntitySpan[]
}

const ESCAPE = /\\([[\]\\])/gu
/** `[raw](entity)` or `[raw](entity:value)`, at the place where the search begins. */
const SHORT = /\[((?:[^[\]\\]|\\[\s\S])+)\]\(([^()[\]:]+)(?::([^()]*))?\)/uy
const LONG_HEAD = /\[((?:[^[\]\\]|\\[\s\S])+)\](?=\{)/uy
const JSON_OBJECT = /\{(?:[^{}"]|"(?:[^"\\]|\\[\s\S])*")*\}/uy

const unescaped = (text: string): string => text.replace(ESCAPE, '$1')

type Mark = Omit<EntitySpan, 'start' | 'end'>
interface MarkAt {
  readonly raw: string
  readonly mark: Mark
  /** Offset after the mark. */
  readonly next: number
}

const textMember = (object: object, name: string): string | undefined => {
  const value: unknown = Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

const jsonMark = (json: string): Mark | undefined => {
  try {
    const object: unknown = JSON.parse(json)
    if (typeof object !== 'object' || object === null) return undefined
    const entity = textMember(object, 'entity')
    if (entity === undefined) return undefined
    const [value, role, group] = ['value', 'role', 'group'].map(name => textMember(object, name))
    return {
      entity,
      ...(value === undefined ? {} : { value }),
      ...(role === undefined ? {} : { role }),
      ...(group === undefined ? {} : { group }),
    }
  } catch {
    return undefined
  }
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const markAt = (marked: string, at: number): MarkAt | undefined => {
  const short = matchAt(SHORT, marked, at)
  if (short !== null) {
    const [whole, raw = '', entity = '', value = ''] = short
    const mark = { entity: entity.trim(), ...(value === '' ? {} : { value }) }
    return mark.entity === '' ? undefined : { raw: unescaped(raw), mark, next: at + whole.length }
  }
  const head = matchAt(LONG_HEAD, marked, at)
  const json = head === null ? null : matchAt(JSON_OBJECT, marked, at + head[0].length)
  const mark = json === null ? undefined : jsonMark(json[0])
  if (head === null || json === null || mark === undefined) return undefined
  return { raw: unescaped(head[1] ?? ''), mark, next: at + head[0].length + json[0].length }
}

/**
 * Parses a written statement: `[raw](entity)`, `[raw](entity:value)`, `[raw]{"entity": …, "value": …, "role": …,
 * "group": …}` (Rasa 3). `\[`, `\]` and `\\` are literal characters; a bracket that begins no mark is text. Never
 * throws.
 */
export const parseStatement = (marked: string): MarkedStatement => {
  const parts: string[] = []
  const spans: EntitySpan[] = []
  let length = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  let at = 0
  while (at < marked.length) {
    const stop = marked.slice(at).search(/[[\\]/u)
    if (stop === -1) break
    if (stop > 0) add(marked.slice(at, at + stop))
    at += stop
    const found = marked[at] === '[' ? markAt(marked, at) : undefined
    if (found !== undefined) {
      spans.push({ start: length, end: length + found.raw.length, ...found.mark })
      add(found.raw)
      at = found.next
      continue
    }
    const isEscape = marked[at] === '\\' && /[[\]\\]/u.test(marked[at + 1] ?? '')
    add(marked[isEscape ? at + 1 : at] ?? '')
    at += isEscape ? 2 : 1
  }
  add(marked.slice(at))
  return { text: parts.join(''), spans }
}

const escapedRaw = (text: string): string => text.replace(/[[\]\\]/gu, '\\$&')
const escapedText = (text: string): string => text.replace(/\[|\\(?=[[\]\\]|$)/gu, '\\$&')

const printMark = ({ entity, value, role, group }: EntitySpan): string => {
  const isShort = role === undefined && group === undefined && value === undefined && !/[()[\]:]/u.test(entity)
  if (isShort && entity === entity.trim()) return `(${entity})`
  return JSON.stringify({ entity, value, role, group })
}

/** The statement in `parseStatement`'s format; leaves out spans that are empty, overlap or exceed the text. */
export const printStatement = ({ text, spans }: MarkedStatement): string => {
  const parts: string[] = []
  let at = 0
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.start < at || span.end <= span.start || span.end > text.length || span.entity === '') continue
    parts.push(escapedText(text.slice(at, span.start)))
    parts.push(`[${escapedRaw(text.slice(span.start, span.end))}]${printMark(span)}`)
    at = span.end
  }
  parts.push(escapedText(text.slice(at)))
  return parts.join('')
}

const unionByName = <T extends { readonly name: string }>(
  own: readonly T[],
  inherited: readonly T[],
  join: (mine: T, theirs: T) => T,
): readonly T[] => {
  const theirs = new Map(inherited.map(each => [each.name, each]))
  const names = new Set(own.map(({ name }) => name))
  return [
    ...own.map(each => {
      const other = theirs.get(each.name)
      return other === undefined ? each : join(each, other)
    }),
    ...inherited.filter(({ name }) => !names.has(name)),
  ]
}

const mine = <T>(own: T): T => own

/**
 * A project with what it inherits: intents of one name have the lines of both, its own first, and its own
 * responses where it has some; its entities and regexes replace those of the same name.
 */
export const inheritData = (own: NluData, inherited: NluData): NluData => ({
  locale: own.locale,
  timezone: own.timezone,
  intents: unionByName(own.intents, inherited.intents, (each, other) => ({
    name: each.name,
    statements: [...each.statements, ...other.statements],
    responses: each.responses.length > 0 ? each.responses : other.responses,
  })),
  entities: unionByName(own.entities, inherited.entities, mine),
  regexes: unionByName(own.regexes, inherited.regexes, mine),
  synonyms: [
    ...own.synonyms,
    ...inherited.synonyms.filter(({ value }) => !own.synonyms.some(each => each.value === value)),
  ],
  stories: [...(own.stories ?? []), ...(inherited.stories ?? [])],
})
