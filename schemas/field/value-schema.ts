import { z } from 'zod'
import type { Json } from '../event.ts'
import { FILE_ID, type FileType } from './file-type.ts'
import type { Field, ItemFields } from './kind.ts'

/** A name of the IANA time zone database, such as America/Sao_Paulo or UTC; offsets such as +03:00 are none. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Gives equal arguments the same schema: declarations of fields would hold thousands of equal ones. */
export const shared = <A extends readonly (number | boolean | string | readonly string[])[], S>(
  make: (...args: A) => S,
): ((...args: A) => S) => {
  const made = new Map<string, S>()
  return (...args) => {
    const key = JSON.stringify(args)
    const known = made.get(key)
    if (known !== undefined) return known
    const schema = make(...args)
    made.set(key, schema)
    return schema
  }
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Line breaks and tabs are text. */
const CONTROL_IN_TEXT = /(?![\n\r\t])\p{Cc}/u

/** Text without control characters, in one line. `max` in UTF-16 units. */
export const line = shared((max: number) =>
  z
    .string()
    .max(max)
    .refine(value => value.isWellFormed() && !CONTROL.test(value), { params: { code: 'characters' } }),
)

/** A line that is not blank. */
export const filledLine = shared((max: number) =>
  line(max).refine(value => value.trim() !== '', { params: { code: 'required' } }),
)

export const lines = shared((max: number) =>
  z
    .string()
    .max(max)
    .refine(value => value.isWellFormed() && !CONTROL_IN_TEXT.test(value), { params: { code: 'characters' } }),
)

/** A line of a known form: `rule` and what its text fills in go into the refusal, `pattern` into OpenAPI. */
const lineLike = (max: number, rule: string, pattern: RegExp) =>
  line(max)
    .refine(value => pattern.test(value), { params: { rule } })
    .meta({ pattern: pattern.source })

export const timeZoneSchema = shared((max: number) => line(max).refine(isTimeZone, { params: { rule: 'timezone' } }))

/** E.164. */
export const phoneSchema = shared(() => lineLike(16, 'phone', /^\+[1-9][0-9]{6,14}$/))

const COLOR = /^#[0-9A-Fa-f]{6}$/
const COLOR_WITH_ALPHA = /^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/
export const colorSchema = shared((alpha: boolean) =>
  alpha ? lineLike(9, 'color', COLOR_WITH_ALPHA) : lineLike(7, 'opaquecolor', COLOR),
)

const ORIGINS = /^\s*(https?:\/\/[^\s/?#@;,]+\/?\s*(;\s*|$))*$/i
/** Origins of web pages (scheme, host and port), separated by semicolons. */
const isOrigins = (value: string): boolean => ORIGINS.test(value) && value.split(';').every(isOriginOrBlank)

/** Origins, or one of the words of `also`. */
export const originsSchema = (max: number, also: readonly string[]) =>
  line(max).refine(value => also.includes(value) || isOrigins(value), { params: { rule: 'origins' } })

const isOriginOrBlank = (entry: string): boolean => entry.trim() === '' || URL.canParse(entry.trim())

/** An absolute address with a host and one of `protocols`. */
const isUrl = (value: string, protocols: readonly string[]): boolean => {
  if (/\s/u.test(value) || !URL.canParse(value)) return false
  const { protocol, hostname, pathname } = new URL(value)
  return protocols.includes(protocol.slice(0, -1)) && (hostname !== '' || pathname !== '')
}

/** Whether an address has a name or a password before its host. No call sends them. */
export const hasCredentials = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** `protocols` without the colon; `rule` of the refusal of a name or password in it. */
export const urlSchema = shared((protocols: readonly string[], max: number, rule: string) =>
  line(max)
    .refine(value => isUrl(value, protocols), { params: { rule: 'url', protocols: protocols.join(', ') } })
    .refine(value => !hasCredentials(value), { params: { rule } })
    .meta({ format: 'uri' }),
)

/** An address whose path ends in a file extension; the refusal names the extension as its rule. */
export const pathEndsIn = (address: z.ZodType<string>, extension: string) =>
  address.refine(value => URL.parse(value)?.pathname.toLowerCase().endsWith(`.${extension}`) ?? false, {
    params: { rule: extension },
  })

interface FileLimits {
  readonly accept: readonly FileType[]
  readonly maxBytes: number
}

/** An uploaded file as a field holds it. */
export const fileSchema = ({ accept, maxBytes }: FileLimits) =>
  z.strictObject({
    id: z.string().regex(FILE_ID),
    name: filledLine(255),
    type: z.enum(accept),
    size: z.int().min(1).max(maxBytes),
  })

export type FileValue = z.infer<ReturnType<typeof fileSchema>>

/** A secret of an item that stays as it was. */
const keptSecret = z.strictObject({ set: z.literal(true) })

const itemMember = (field: Field): z.ZodType => {
  const given = field.secret ? z.union([keptSecret, field.schema]).meta({ writeOnly: true }) : field.schema
  const isRequired = field.required && field.when === undefined && !field.secret
  return isRequired ? given : given.nullable().optional()
}

const MAX_ITEM_ID = 100

const hasDistinctIds = (items: readonly { readonly id?: string | undefined }[]): boolean => {
  const ids = items.flatMap(item => item.id ?? [])
  return new Set(ids).size === ids.length
}

/** The items of a list, each with or without its id. */
export const itemsSchema = (item: ItemFields, minItems: number, maxItems: number): z.ZodType<Json> =>
  z
    .array(
      z.strictObject({
        id: line(MAX_ITEM_ID).min(1).optional(),
        ...Object.fromEntries(Object.entries(item).map(([name, field]) => [name, itemMember(field)])),
      }),
    )
    .min(minItems)
    .max(maxItems)
    .refine(hasDistinctIds, { params: { code: 'duplicate' } }) as unknown as z.ZodType<Json>
