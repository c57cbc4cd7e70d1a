import type { Json, JsonObject } from '#schemas/event.ts'
import { baseUrl, field } from './member.ts'

const GRAPH_HOST = 'https://graph.facebook.com'
const GRAPH_VERSION = 'v23.0'

/** Address at Meta's Graph API, in the channel's version. */
export const graphUrl = (fields: JsonObject, host = GRAPH_HOST): string =>
  `${baseUrl(fields, host)}/${field(fields, 'graph_version') || GRAPH_VERSION}`

/** Meta's file hosts; tokens are sent nowhere else. */
const MEDIA_HOST = /(?:^|\.)(?:fbsbx\.com|whatsapp\.net|fbcdn\.net|cdninstagram\.com)$/u

export const isMetaMedia = (ref: string): boolean => {
  const url = URL.canParse(ref) ? new URL(ref) : undefined
  return url?.protocol === 'https:' && MEDIA_HOST.test(url.hostname)
}

/** Graph's error code; undefined for an answer without one. */
export const graphCode = (body: Json | undefined): number | undefined => {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'number' ? code : undefined
}
