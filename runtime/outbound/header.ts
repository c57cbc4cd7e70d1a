import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { ACCEPTED_ENCODINGS } from './accepted-encoding.ts'

const MAX_HEADERS = 100
const MAX_HEADER_LENGTH = 8_000

/** Headers that control the transport; they cannot be configured. */
const CARRYING = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect'],
  ...['accept-encoding', 'proxy-authorization', 'proxy-connection', 'http2-settings'],
])
/** Headers without data of the first site; they may be sent to another one. */
const HARMLESS = new Set(['accept', 'accept-language', 'accept-encoding', 'content-type', 'user-agent'])

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers to send, by lower-case names, including Parley's own. Refuses headers that cannot be sent unchanged. */
export const readHeaders = (
  given: readonly (readonly [name: string, value: string])[],
): Result<Readonly<Record<string, string>>> => {
  const read = new Map([
    ['accept', '*/*'],
    ['user-agent', 'Parley'],
  ])
  if (given.length > MAX_HEADERS) return refused('outbound.header', { params: { name: given[MAX_HEADERS]?.[0] ?? '' } })
  for (const [name, value] of given) {
    const key = name.trim().toLowerCase()
    const fine = NAME.test(key) && !CARRYING.has(key) && VALUE.test(value) && value.length <= MAX_HEADER_LENGTH
    if (!fine) return refused('outbound.header', { params: { name: name.slice(0, 100) } })
    read.set(key, value.trim())
  }
  return accepted(Object.fromEntries([...read, ['accept-encoding', ACCEPTED_ENCODINGS]]))
}

type Headers = Readonly<Record<string, string>>
const only = (headers: Headers, keeps: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keeps(name)))

/** Headers that may be sent to a site other than the configured one. */
export const withoutSecrets = (headers: Headers): Headers => only(headers, name => HARMLESS.has(name))

export const withoutBody = (headers: Headers): Headers => only(headers, name => !name.startsWith('content-'))
