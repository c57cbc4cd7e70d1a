import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Keys } from '#commands/keys/secret.ts'
import { type Parts, SESSION_COOKIE } from '../port.ts'

/** Name of the cookie that marks a browser with an earlier sign-in. It grants no access. */
export const DEVICE_COOKIE = 'parley_device'
/** It lasts this long after the last sign-in. */
const DEVICE_SECONDS = 180 * 86_400
const MAX_COOKIE = 400

/** A browser in which this user signed in before. */
export interface Device {
  readonly id: string
  readonly user: string
}

/** Devices are not stored: a cookie is believed for its HMAC, on every node. */
export interface Devices {
  issue(user: string, before: Device | undefined): Promise<string>
  read(cookie: string | undefined): Promise<Device | undefined>
}

export const createDevices = (keys: Pick<Keys, 'index'>, now: () => number = Date.now): Devices => {
  const hmac = async (content: string) => keys.index.hmac(JSON.stringify(['device', content]))
  return {
    async issue(user, before) {
      const id = before?.user === user ? before.id : randomUUID()
      const until = Math.floor(now() / 1000) + DEVICE_SECONDS
      const content = Buffer.from(JSON.stringify([id, user, until])).toString('base64url')
      return `${content}.${await hmac(content)}`
    },
    async read(cookie) {
      if (cookie === undefined || cookie.length > MAX_COOKIE) return undefined
      const [content = '', given = ''] = cookie.split('.')
      if (!isSame(given, await hmac(content))) return undefined
      const [id, user, until] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [string, string, number]
      return until > now() / 1000 ? { id, user } : undefined
    },
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const PATH = '/botadmin'

const isSecure = (parts: Parts, reply: FastifyReply): boolean =>
  parts.publicUrl().startsWith('https:') || reply.request.protocol === 'https'

/** Options of a cookie that scripts cannot read. `lax`: a browser sends it when another site leads back here. */
export const ownCookie = (parts: Parts, reply: FastifyReply, path = PATH, sameSite: 'strict' | 'lax' = 'strict') => ({
  path,
  httpOnly: true,
  sameSite,
  secure: isSecure(parts, reply),
})

export const setSessionCookie = (parts: Parts, reply: FastifyReply, token: string): void => {
  reply.setCookie(SESSION_COOKIE, token, { ...ownCookie(parts, reply), maxAge: parts.settings.SESSION_HOURS * 3600 })
}

export const clearSessionCookie = (parts: Parts, reply: FastifyReply): void => {
  reply.clearCookie(SESSION_COOKIE, ownCookie(parts, reply))
}

export const setDeviceCookie = (parts: Parts, reply: FastifyReply, device: string): void => {
  reply.setCookie(DEVICE_COOKIE, device, { ...ownCookie(parts, reply), maxAge: DEVICE_SECONDS })
}

/** Lifetime of a ticket, ms. */
export const TICKET_LIFE = 30_000

/** Most tickets of one node: older ones are dropped. */
const MAX_TICKETS = 100_000

/**
 * Tickets of 32 random bytes, each redeemed once for its value. A ticket replaces the token of a session in a URL, since
 * URLs are logged; challenges for passkeys are tickets too.
 */
export interface Tickets {
  issue(value: string): string | Promise<string>
  /** The value that it was issued for. */
  redeem(ticket: string): string | undefined | Promise<string | undefined>
}

/** Those of one node, in its memory. */
interface LocalTickets extends Tickets {
  issue(value: string): string
  redeem(ticket: string): string | undefined
}

export const createTickets = (life = TICKET_LIFE, now: () => number = () => performance.now()): LocalTickets => {
  const issued = new Map<string, { readonly value: string; readonly until: number }>()
  const dropExpired = () => {
    for (const [ticket, { until }] of issued) {
      if (until > now() && issued.size < MAX_TICKETS) return
      issued.delete(ticket)
    }
  }
  return {
    issue(value) {
      dropExpired()
      const ticket = randomBytes(32).toString('base64url')
      issued.set(ticket, { value, until: now() + life })
      return ticket
    },
    redeem(ticket) {
      const found = issued.get(ticket)
      issued.delete(ticket)
      return found !== undefined && found.until > now() ? found.value : undefined
    },
  }
}
