import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { ACCEPTED_ENCODINGS } from './accepted-encoding.ts'

const MAX_HEADERS = 100
const MAX_HEADER_LENGTH = 8_000

/** They say how a message is carried, which is not for those who write it. */
const CARRYING = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect'],
  ...['accept-encoding', 'proxy-authorization', 'proxy-connection', 'http2-settings'],
])
/** They hold nothing that the other side gave, so that they may go to a third. */
const HARMLESS = new Set(['accept', 'accept-language', 'accept-encoding', 'content-type', 'user-agent'])

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers as they are sent, by lower-case names, with what Parley adds. Refuses what could not be sent as it stands. */
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

/** What may be told to another site than the one it was meant for. */
export const withoutSecrets = (headers: Headers): Headers => only(headers, name => HARMLESS.has(name))

export const withoutBody = (headers: Headers): Headers => only(headers, name => !name.startsWith('content-'))
