import { z } from 'zod'
import { hasCredentials } from './field/value-schema.ts'

export const wholeNumber = (min: number, max: number, initial: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(initial)
export const flag = (initial: boolean) =>
  z
    .enum(['true', 'false'])
    .transform(value => value === 'true')
    .default(initial)
export const onOrOff = (initial: boolean) =>
  z
    .enum(['on', 'off'])
    .transform(value => value === 'on')
    .default(initial)
/** Without name and password, which no call sends. */
export const webUrl = () => z.url({ protocol: /^https?$/ }).refine(value => !hasCredentials(value))
export const httpUrl = () =>
  webUrl()
    .transform(value => value.replace(/(?<!\/)\/+$/, ''))
    .optional()
/** The address of a site whose pages are framed: without query and fragment. */
export const frameUrl = () =>
  httpUrl().refine(value => {
    const url = value === undefined ? null : URL.parse(value)
    return url === null || (url.search === '' && url.hash === '')
  })
export const addresses = () =>
  z
    .string()
    .transform(value => value.split(',').map(each => each.trim()))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .default([])
export const ofForm = (pattern: RegExp) => z.string().regex(pattern)
/** Name and decoded value of a header that is written as `name=value`. */
export const headerOf = (pair: string): readonly [string, string] => {
  const at = pair.indexOf('=')
  const value = new URLSearchParams(
    `value=${pair
      .slice(at + 1)
      .replaceAll('+', '%2B')
      .replaceAll('&', '%26')}`,
  )
  return [pair.slice(0, at).toLowerCase(), value.get('value') ?? '']
}
export const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----/
