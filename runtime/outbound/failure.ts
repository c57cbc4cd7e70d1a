import type { RefusalCode, Result } from '#schemas/refusal.ts'
import { refused } from '#schemas/refusal.ts'

const UNKNOWN_NAME = /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EINVAL$)/

/** Whether an error's code says that a name has no address. */
export const isUnknownName = (code: string): boolean => UNKNOWN_NAME.test(code)

/** By the start of an error's code; the first match counts. */
const KINDS: readonly (readonly [pattern: RegExp, code: RefusalCode])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'outbound.unknown'],
  [/^HPE_HEADER_OVERFLOW$/, 'outbound.headers'],
  [/^(HPE_|Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/, 'outbound.answer'],
  [/CERT|^(UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO)/, 'outbound.certificate'],
  [/^ERR_(INVALID_CHAR|INVALID_HTTP_TOKEN)$/, 'outbound.header'],
  [/^(ECONN|EHOST|ENET|EPIPE|EADDRNOTAVAIL|EINVAL|EACCES|EPERM|ETIMEDOUT|ERR_SOCKET)/, 'outbound.unreachable'],
]

/**
 * The refusal for an error of a call.
 * @throws the error itself if no call can cause it
 */
export const refusalOf = (error: unknown, timeout: number): Result<never> => {
  if (!(error instanceof Error)) throw error
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return refused('outbound.timeout', { params: { ms: timeout } })
  const reason = 'code' in error ? String(error.code) : ''
  const kind = KINDS.find(([pattern]) => pattern.test(reason))
  if (kind === undefined) throw error
  return refused(kind[1], { params: { reason } })
}
