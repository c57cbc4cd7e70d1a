import { createHmac } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'

const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON Web Token, HS256 (RFC 7519), as Metabase's static and guest embedding take it. */
const signToken = (payload: JsonObject, secret: string): string => {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

interface Embedded {
  readonly type: 'dashboard' | 'question'
  readonly metabaseid: number
  readonly params: JsonObject
  /** Seconds since 1970. */
  readonly exp: number
}

/** The address of a frame. The viewer cannot change `params`. */
export const embedUrl = (base: string, secret: string, { type, metabaseid, params, exp }: Embedded): string => {
  const token = signToken({ resource: { [type]: metabaseid }, params, exp }, secret)
  return `${base}/embed/${type}/${token}${type === 'dashboard' ? '#bordered=false&titled=false' : ''}`
}
