import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import { SESSION_COOKIE } from '../port.ts'

/** Access token of an upgrade or socket request: an `Authorization` header counts alone, else the cookie. */
export const tokenOf = ({ headers }: IncomingMessage): string | undefined => {
  if (headers.authorization !== undefined) return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1]
  return headers.cookie === undefined ? undefined : cookie.parse(headers.cookie)[SESSION_COOKIE]
}
