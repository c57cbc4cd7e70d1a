import { z } from 'zod'
import type { Fields } from '#domain/entity.ts'
import { withStoredItems } from '#domain/field/stored-items.ts'
import { validateChange, validateCreate } from '#domain/field/validate.ts'
import { parseInput } from '#domain/field-error.ts'
import { carriesLevel, type EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { DEEPEST_BODY } from '#schemas/flow/file.ts'
import { accepted, type FieldError, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { derivedId } from './append.ts'

export const parse = parseInput

/** Ids of new items of a list: the same for each attempt of one command. */
const itemIds = (seed: string) => (path: string) => derivedId(seed, `item:${path}`)

export const parseCreate = async (
  entity: EntityDeclaration,
  input: JsonObject,
  seed: string,
): Promise<Result<{ fields: Fields; hierarchylevel: string | undefined }>> => {
  const parsed = await validateCreate(entity, input)
  if (!parsed.ok) return parsed
  const { hierarchylevel, ...rest } = parsed.value
  const given = carriesLevel(entity) ? rest : parsed.value
  const fields = withStoredItems(entity.fields, {}, given, itemIds(seed))
  if (!fields.ok) return fields
  return accepted({
    fields: fields.value,
    hierarchylevel: typeof hierarchylevel === 'string' ? hierarchylevel : undefined,
  })
}

export const parseChange = async (
  entity: EntityDeclaration,
  present: Fields,
  input: JsonObject,
  seed: string,
): Promise<Result<Fields>> => {
  const parsed = await validateChange(entity, present, input)
  return parsed.ok ? withStoredItems(entity.fields, present, parsed.value, itemIds(seed)) : parsed
}

const bodySchema = z.strictObject({ confirm: z.string().max(100).optional() })

/** Whether CONFIRM was typed where it is needed; the body holds nothing else. */
export const checkConfirmation = (input: JsonObject, needed: boolean): Result<null> => {
  if (needed && input.confirm !== 'CONFIRM') return refused('validation.confirm', { errors: [missing(input)] })
  const parsed = parse(bodySchema, input)
  return parsed.ok ? accepted(null) : parsed
}

const missing = ({ confirm }: JsonObject) =>
  ({ path: 'confirm', code: confirm === undefined || confirm === null ? 'required' : 'option' }) as const

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
  let value: Json
  try {
    value = JSON.parse(text.value) as Json
  } catch {
    return refused('request.unreadable')
  }
  return inspect(value)
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
