import type { Json, JsonObject } from './event.ts'
import { accepted, type FieldError, type Refusal, type Result, refused } from './refusal.ts'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text, or the empty text for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text without white space around it, or the empty text for any other value. */
export const trimmedText = (value: unknown): string => textOf(value).trim()

/** The text; undefined for any other value. */
export const optionalText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The objects of a list; none for any other value. */
export const objectsOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The texts of a list; none for any other value. */
export const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

/** An object from entries in which `__proto__` is a key like any other. */
export const record = <T>(entries: Iterable<readonly [string, T]>): { [key: string]: T } => {
  const result: { [key: string]: T } = {}
  for (const [key, value] of entries) {
    if (key === '__proto__') {
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true })
    } else result[key] = value
  }
  return result
}

/** The object's own member, never an inherited one. */
export const own = <T>(object: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** The text of an object's own member, or the empty text. */
export const textAt = (object: { readonly [key: string]: unknown }, key: string): string => textOf(own(object, key))

/** The text of a field without white space around it, or the empty text. */
export const fieldText = (fields: { readonly [key: string]: unknown }, name: string): string =>
  trimmedText(own(fields, name))

/** The value of a JSON text; undefined for any other text. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Value of a JSON field: a file may have it as JSON text, which is kept so. Text that is no JSON is the value. */
export const parseJsonField = (value: Json | undefined): Json | undefined => {
  if (typeof value !== 'string' || isDeeperThan(value, FILE_BOUNDS.depth)) return value
  const parsed = parseJson(value)
  return parsed === undefined ? value : parsed
}

/** Whether two JSON values are the same; the order of keys does not count. */
export const jsonEqual = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item: Json, index) => jsonEqual(item, b[index]))
  }
  const left = a as JsonObject
  const right = b as JsonObject
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every(key => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]))
}

interface JsonFault {
  readonly path: string
  readonly code: 'type' | 'number' | 'depth' | 'surrogate'
}

/**
 * Reason that a value cannot be stored and read back as is: not JSON, a number that is not finite, an unpaired
 * surrogate, nesting beyond `maxDepth`. Does not recurse, so that hostile nesting cannot exhaust the stack.
 */
export const jsonFault = (root: unknown, maxDepth: number): JsonFault | null => {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next
    if (value === null || typeof value === 'boolean') continue
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return { path, code: 'number' }
      continue
    }
    if (typeof value === 'string') {
      if (!value.isWellFormed()) return { path, code: 'surrogate' }
      continue
    }
    if (typeof value !== 'object') return { path, code: 'type' }
    if (depth >= maxDepth) return { path: path.slice(0, 200), code: 'depth' }
    const prototype = Object.getPrototypeOf(value)
    if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return { path, code: 'type' }
    for (const [key, member] of Object.entries(value)) {
      if (!key.isWellFormed()) return { path, code: 'surrogate' }
      open.push({ value: member, path: path === '' ? key : `${path}.${key}`, depth: depth + 1 })
    }
  }
  return null
}

const PACKED = '~json'

/** `__proto__` is lost in the document's encoding, and `constructor` misleads it about what a value is. */
const isLost = (key: string) => key === '__proto__' || key === 'constructor' || key === PACKED

const needsPacking = (value: Json): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(needsPacking)
  const object = value as JsonObject
  return Object.keys(object).some(key => isLost(key) || needsPacking(own(object, key) ?? null))
}

/** A value as a document can hold it: one with members that the encoding loses goes as text. */
export const packJson = (value: Json): Json => (needsPacking(value) ? { [PACKED]: JSON.stringify(value) } : value)

/** The value that `packJson` was given. */
export const unpackJson = (value: Json): Json => {
  if (!isObject(value)) return value
  const packed = own(value, PACKED)
  if (typeof packed !== 'string' || Object.keys(value).length !== 1) return value
  const parsed = parseJson(packed)
  return parsed === undefined ? value : parsed
}

/** Readers of members that outside systems may omit or send in another form: none of them throws. */
export const scalarText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Undefined for anything but a finite number or its text. */
export const numberOf = (value: Json | undefined): number | undefined => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** Omits empty members. */
export const withoutEmpty = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined || value === '' || value === null || (Array.isArray(value) && value.length === 0)
        ? []
        : [[name, value]],
    ),
  )

/** ms since 1970 of a time in seconds, in ms, or as text. 0 when there is none. */
export const timeOf = (value: Json | undefined): number => {
  const count = numberOf(value)
  if (count !== undefined) return Math.round(count < 100_000_000_000 ? count * 1000 : count)
  // Not every Date.parse accepts +0000, which ISO 8601 writes as +00:00.
  const written = Date.parse(scalarText(value).replace(/([+-]\d\d)(\d\d)$/u, '$1:$2'))
  return Number.isFinite(written) ? written : 0
}

/** Latitude and longitude in their valid ranges; undefined for anything else. */
export const coordinates = (latitude: Json | undefined, longitude: Json | undefined) => {
  const [north, east] = [numberOf(latitude), numberOf(longitude)]
  return north === undefined || east === undefined || Math.abs(north) > 90 || Math.abs(east) > 180
    ? undefined
    : { latitude: north, longitude: east }
}

/** Depth of a body: a version file has a block's property nine levels down, the rest is to spare. */
const DEEPEST_BODY = 256
const MAX_ERRORS = 20

/** Limits of a body, besides its bytes. */
interface BodyBounds {
  /** Objects and lists within each other. */
  readonly depth: number
  readonly values: number
}

/** More values than any flow of 64 MB has, few enough to be held and walked at once. */
export const FILE_BOUNDS: BodyBounds = { depth: DEEPEST_BODY, values: 2_000_000 }

/** Names, passwords and codes, sent by callers without a session. */
export const OPEN_BOUNDS: BodyBounds = { depth: 4, values: 50 }

/** Strict UTF-8 JSON, bounded in depth and in its number of values, without members named `__proto__`. An empty body is undefined. */
export const readJsonBody = (bytes: Uint8Array, bounds: BodyBounds = FILE_BOUNDS): Result<Json | undefined> => {
  if (bytes.length === 0) return accepted(undefined)
  const excess = excessOf(bytes, bounds)
  if (excess !== undefined) return { ok: false, refusal: excess }
  const text = readUtf8(bytes)
  if (!text.ok) return text
  const value = parseJson(text.value)
  return value === undefined ? refused('request.unreadable') : inspect(value)
}

/** The text of strict UTF-8. */
export const readUtf8 = (bytes: Uint8Array): Result<string> => {
  try {
    return accepted(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refused('request.unreadable')
  }
}

/** {@link readJsonBody} of a text that was read already. */
export const readJsonText = (text: string): Result<Json | undefined> => readJsonBody(new TextEncoder().encode(text))

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const LIST = [0x5b, 0x5d] as const
const OBJECT = [0x7b, 0x7d] as const

/** Looks at the bytes before anything is made of them: a small body can describe more than memory holds. */
function excessOf(bytes: Uint8Array, bounds: BodyBounds): Refusal | undefined {
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) inText = !inText
    else if (inText) {
      if (byte === BACKSLASH) at += 1
    } else if (byte === COMMA) values += 1
    else if (byte === LIST[0] || byte === OBJECT[0]) {
      values += 1
      depth += 1
      if (depth > bounds.depth) return tooDeep(at, bounds.depth)
    } else if (byte === LIST[1] || byte === OBJECT[1]) depth -= 1
    if (values > bounds.values) return { code: 'request.toolarge' }
  }
  return undefined
}

/** Whether JSON has more than so many objects and lists within each other. */
export const isDeeperThan = (text: string, depth: number): boolean =>
  excessOf(new TextEncoder().encode(text), { depth, values: Number.POSITIVE_INFINITY }) !== undefined

const tooDeep = (byte: number, max: number): Refusal => ({
  code: 'request.unreadable',
  errors: [{ path: '', code: 'toodeep', params: { rule: 'byte', max, byte } }],
})

interface Place {
  readonly value: Json
  readonly path: string
}

/** Uses an explicit stack: the input decides the depth. */
function inspect(root: Json): Result<Json> {
  const errors: FieldError[] = []
  const open: Place[] = [{ value: root, path: '' }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path } = place
    if (value === null || typeof value !== 'object') continue
    for (const key of Object.keys(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (key === '__proto__') {
        if (errors.push({ path: inner, code: 'unknown' }) >= MAX_ERRORS) return refused('validation.failed', { errors })
        continue
      }
      const member = (value as Record<string, Json>)[key]
      if (member !== null && typeof member === 'object') open.push({ value: member, path: inner })
    }
  }
  return errors.length > 0 ? refused('validation.failed', { errors }) : accepted(root)
}
