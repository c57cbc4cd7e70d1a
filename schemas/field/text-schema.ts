import { z } from 'zod'

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

/** One line of a form; `format` is its name in OpenAPI and the rule that its refusal names. */
export const lineOf = (max: number, format: string, check: (value: string) => boolean, params: object = {}) =>
  line(max)
    .refine(check, { params: { rule: format, ...params } })
    .meta({ format })

const E164 = /^\+[1-9]\d{6,14}$/
export const isPhone = (value: string): boolean => E164.test(value)

const COLOR = /^#[\da-f]{6}$/i
const COLOR_WITH_ALPHA = /^#(?:[\da-f]{6}|[\da-f]{8})$/i
export const isColor = (value: string, alpha: boolean): boolean => (alpha ? COLOR_WITH_ALPHA : COLOR).test(value)

/** An absolute address with a host and one of `protocols`. */
export const isUrl = (value: string, protocols: readonly string[]): boolean => {
  if (/\s/u.test(value) || !URL.canParse(value)) return false
  const { protocol, hostname, pathname } = new URL(value)
  return protocols.includes(protocol.slice(0, -1)) && (hostname !== '' || pathname !== '')
}
