import { z } from 'zod'
import { isTimeZone } from '../time-zone.ts'

const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Line breaks and tabs are text. */
const CONTROL_IN_TEXT = /(?![\n\r\t])\p{Cc}/u

/** Text without control characters, in one line. `max` in UTF-16 units. */
export const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine(value => value.isWellFormed() && !CONTROL.test(value), { params: { code: 'characters' } })

export const lines = (max: number) =>
  z
    .string()
    .max(max)
    .refine(value => value.isWellFormed() && !CONTROL_IN_TEXT.test(value), { params: { code: 'characters' } })

/** A line of a known form: `rule` and what its text fills in go into the refusal, `pattern` into OpenAPI. */
const lineLike = (max: number, rule: string, pattern: RegExp) =>
  line(max)
    .refine(value => pattern.test(value), { params: { rule } })
    .meta({ pattern: pattern.source })

export const timeZoneSchema = (max: number) => line(max).refine(isTimeZone, { params: { rule: 'timezone' } })

/** E.164. */
export const phoneSchema = () => lineLike(16, 'phone', /^\+[1-9][0-9]{6,14}$/)

const COLOR = /^#[0-9A-Fa-f]{6}$/
const COLOR_WITH_ALPHA = /^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/
export const colorSchema = (alpha: boolean) =>
  alpha ? lineLike(9, 'color', COLOR_WITH_ALPHA) : lineLike(7, 'opaquecolor', COLOR)

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

const MAX_URL = 2000

/** `protocols` without the colon. */
export const urlSchema = (protocols: readonly string[], max = MAX_URL) =>
  line(max)
    .refine(value => isUrl(value, protocols), { params: { rule: 'url', protocols: protocols.join(', ') } })
    .meta({ format: 'uri' })

/** An address whose path ends in a file extension; the refusal names the extension as its rule. */
export const pathEndsIn = (address: z.ZodType<string>, extension: string) =>
  address.refine(value => URL.parse(value)?.pathname.toLowerCase().endsWith(`.${extension}`) ?? false, {
    params: { rule: extension },
  })
