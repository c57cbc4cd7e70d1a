import type { Json, JsonObject } from '#schemas/event.ts'
import { objectOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderAnswer } from '../channel-port.ts'
import { baseUrl, field } from './provider-call.ts'

const SECOND_MS = 1000

/** Address of an installation's Graph API with its version, for channels without an address of their own. */
const USUAL_VERSION = 'v23.0'
const USUAL_URL = `https://graph.facebook.com/${USUAL_VERSION}`
const VERSION = /\/(v\d{1,3}\.\d{1,2})$/u

/** The setting GRAPH_URL, in parts; `graph_url` is set by `openChannels`. */
const usual = (fields: JsonObject): { readonly host: string; readonly version: string } => {
  const url = field(fields, 'graph_url') || USUAL_URL
  const version = VERSION.exec(url)?.[1]
  return version === undefined
    ? { host: url, version: USUAL_VERSION }
    : { host: url.slice(0, -version.length - 1), version }
}

/** Address at Meta's Graph API, in the channel's version. */
export const graphUrl = (fields: JsonObject): string => {
  const { host, version } = usual(fields)
  return `${baseUrl(fields, host)}/${field(fields, 'graph_version') || version}`
}

/** Address of what Meta knows of a token. */
export const debugTokenUrl = (fields: JsonObject, token: string): string =>
  `${graphUrl(fields)}/debug_token?input_token=${encodeURIComponent(token)}`

/** End of a token in ms since 1970, from Meta's answer; undefined: it does not end. */
export const tokenEndOf = (asked: Result<ProviderAnswer>): Result<number | undefined> => {
  if (!asked.ok) return asked
  const { status, body } = asked.value
  const data = objectOf(objectOf(body).data)
  if (status !== 200) return refused('channel.answer', { params: { status, error: '—' } })
  if (data.is_valid === false) return refused('channel.token', { params: { error: '190' } })
  const ends = [data.expires_at, data.data_access_expires_at].map(Number).filter(seconds => seconds > 0)
  return accepted(ends.length === 0 ? undefined : Math.min(...ends) * SECOND_MS)
}

/** Meta's file hosts; tokens are sent nowhere else. */
const MEDIA_HOST = /(?:^|\.)(?:fbsbx\.com|whatsapp\.net|fbcdn\.net|cdninstagram\.com)$/u

/** Whether an address is one of Meta's files, or of the Graph API that the channel calls. */
export const isMetaMedia = (ref: string, fields: JsonObject): boolean => {
  const url = URL.canParse(ref) ? new URL(ref) : undefined
  if (url === undefined) return false
  return (url.protocol === 'https:' && MEDIA_HOST.test(url.hostname)) || url.origin === new URL(graphUrl(fields)).origin
}

/** Graph's error code; undefined for an answer without one. */
export const graphCode = (body: Json | undefined): number | undefined => {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'number' ? code : undefined
}
