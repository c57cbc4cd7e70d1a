import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, parseJson } from '#schemas/json.ts'

/** Detail error keywords of RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A request that SCIM refuses with 400. */
export class ScimFault extends Error {
  override readonly name = 'ScimFault'
  readonly scimType: ScimType
  constructor(scimType: ScimType, detail: string) {
    super(detail)
    this.scimType = scimType
  }
}

/** Characters of a filter and of a path. */
const MAX_TEXT = 1_000
const MAX_COMPARISONS = 10
const MAX_OPERATIONS = 1_000

/** `attribute eq value` of a filter. */
export interface Comparison<Attribute extends string = string> {
  readonly attribute: Attribute
  readonly value: string | boolean
}

const WORK_EMAIL = 'emails[type eq "work"].value'
const USER_ATTRIBUTES = ['id', 'username', 'externalid', 'active', WORK_EMAIL] as const
const GROUP_ATTRIBUTES = ['id', 'displayname', 'externalid'] as const
export type UserAttribute = (typeof USER_ATTRIBUTES)[number]
export type GroupAttribute = (typeof GROUP_ATTRIBUTES)[number]

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/iu
const ATTRIBUTE = /\s*([a-z][\w:.]*(?:\[\s*type\s+eq\s+"work"\s*\]\.value)?)/iuy
const EQUALS = /\s+eq\s+/iuy
const VALUE = /"(?:[^"\\]|\\.)*"|true|false/iuy
const AND = /\s+and\s+/iuy
const END = /\s*$/uy

/** Reads a text from its beginning to its end, one expression after the other. */
class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)
    if (found !== null) this.#at = expression.lastIndex
    return found
  }
}

const literalOf = (text: string) =>
  parseJson(text.startsWith('"') ? text : text.toLowerCase()) as string | boolean | undefined

const comparisonOf = (scanner: Scanner): Comparison | undefined => {
  const name = scanner.take(ATTRIBUTE)?.[1]?.replace(CORE, '').toLowerCase()
  const value = scanner.take(EQUALS) && scanner.take(VALUE)
  const literal = value ? literalOf(value[0]) : undefined
  if (name === undefined || literal === undefined) return undefined
  const attribute = name.includes('[') ? WORK_EMAIL : name
  if (attribute !== 'active') return typeof literal === 'string' ? { attribute, value: literal } : undefined
  const active = booleanOf(literal)
  return active === undefined ? undefined : { attribute, value: active }
}

/** True and false, also as the text that some clients send. */
export const booleanOf = (value: Json | undefined): boolean | undefined => {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}

const readFilter = <A extends string>(
  text: string,
  attributes: readonly A[],
  names: string,
): readonly Comparison<A>[] => {
  const refuse = (): never => {
    throw new ScimFault('invalidFilter', `A filter is "attribute eq value", joined by "and", of ${names}`)
  }
  if (text.length > MAX_TEXT) refuse()
  const scanner = new Scanner(text)
  const found: Comparison<A>[] = []
  do {
    const comparison = comparisonOf(scanner)
    const attribute = attributes.find(one => one === comparison?.attribute)
    if (comparison === undefined || attribute === undefined || found.length === MAX_COMPARISONS) return refuse()
    found.push({ attribute, value: comparison.value })
  } while (scanner.take(AND) !== null)
  return scanner.take(END) === null ? refuse() : found
}

/** @throws ScimFault */
export const readUserFilter = (text: string): readonly Comparison<UserAttribute>[] =>
  readFilter(text, USER_ATTRIBUTES, `id, userName, externalId, active, ${WORK_EMAIL}`)

/** @throws ScimFault */
export const readGroupFilter = (text: string): readonly Comparison<GroupAttribute>[] =>
  readFilter(text, GROUP_ATTRIBUTES, 'id, displayName, externalId')

/** A place in a resource. Names are in small letters. */
export interface ScimPath {
  readonly attribute: string
  /** `members[value eq "…"]`. */
  readonly filter?: Comparison
  /** `name.givenName`. */
  readonly sub?: string
}

const PATH = /^([a-z$][\w$-]*)(?:\[\s*([a-z]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\])?(?:\.([a-z$][\w$-]*))?$/iu
const EXTENSION = /^urn:[\w:.-]+$/iu

/** @throws ScimFault */
const readPath = (text: string): ScimPath => {
  const refuse = (): never => {
    throw new ScimFault('invalidPath', 'A path is attribute, attribute.sub or attribute[sub eq value].sub')
  }
  if (text.length > MAX_TEXT) refuse()
  const own = text.trim().replace(CORE, '')
  if (EXTENSION.test(own)) return { attribute: own.toLowerCase() }
  const [whole, attribute = '', name, value, sub] = PATH.exec(own) ?? []
  const literal = value === undefined ? undefined : literalOf(value)
  if (whole === undefined || (name !== undefined && literal === undefined)) refuse()
  return {
    attribute: attribute.toLowerCase(),
    ...(name === undefined || literal === undefined
      ? {}
      : { filter: { attribute: name.toLowerCase(), value: literal } }),
    ...(sub === undefined ? {} : { sub: sub.toLowerCase() }),
  }
}

const OPS = ['add', 'replace', 'remove'] as const

/** One change of a PATCH at one place. */
export interface ScimOperation {
  readonly op: (typeof OPS)[number]
  readonly path: ScimPath
  /** Undefined for a removal without a value. */
  readonly value: Json | undefined
  /** The request names the path: a read-only attribute there is a fault. */
  readonly isExplicit: boolean
}

/** Members with names in small letters: SCIM compares names without case. */
export const membersOf = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]))

const operationsOf = (given: Json): readonly ScimOperation[] => {
  const { op: name, path, value } = isObject(given) ? membersOf(given) : {}
  const op = OPS.find(one => typeof name === 'string' && one === name.toLowerCase())
  if (op === undefined) throw new ScimFault('invalidSyntax', 'op is add, replace or remove')
  if (op !== 'remove' && value === undefined) throw new ScimFault('invalidValue', `${op} needs a value`)
  if (typeof path === 'string') return [{ op, path: readPath(path), value, isExplicit: true }]
  if (path !== undefined && path !== null) throw new ScimFault('invalidPath', 'path is a text')
  if (op === 'remove') throw new ScimFault('noTarget', 'remove needs a path')
  if (!isObject(value)) throw new ScimFault('invalidValue', 'Without a path the value is an object')
  return Object.entries(value).map(([key, member]) => ({ op, path: readPath(key), value: member, isExplicit: false }))
}

/**
 * The changes of a PATCH body in their order, each with its path.
 * @throws ScimFault
 */
export const readOperations = (body: Json | undefined): readonly ScimOperation[] => {
  const { operations } = isObject(body) ? membersOf(body) : {}
  if (!Array.isArray(operations)) throw new ScimFault('invalidSyntax', 'The body has a list Operations')
  if (operations.length > MAX_OPERATIONS)
    throw new ScimFault('invalidValue', `A PATCH has at most ${MAX_OPERATIONS} operations`)
  return operations.flatMap(operationsOf)
}

/** A single value, which some clients send as a list of one, or as {value}. */
export const singleOf = (value: Json | undefined): Json | undefined => {
  const [first, ...others] = Array.isArray(value) ? value : [value]
  if (others.length > 0) return value
  return isObject(first) && first.value !== undefined ? first.value : first
}

/**
 * A single text; null for an empty one and for none.
 * @throws ScimFault
 */
export const textOrNull = (value: Json | undefined, name: string): string | null => {
  const single = singleOf(value)
  if (single === undefined || single === null || single === '') return null
  if (typeof single !== 'string') throw new ScimFault('invalidValue', `${name} is a text`)
  return single
}
