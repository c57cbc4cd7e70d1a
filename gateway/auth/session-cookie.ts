import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Parts, SESSION_COOKIE } from '../port.ts'
import { DEVICE_COOKIE, DEVICE_SECONDS } from './device.ts'

const PATH = '/botadmin'

const optionsOf = (parts: Parts, reply: FastifyReply) => ({
  path: PATH,
  httpOnly: true,
  sameSite: 'strict' as const,
  secure: parts.publicUrl().startsWith('https:') || reply.request.protocol === 'https',
})

export const setSessionCookie = (parts: Parts, reply: FastifyReply, token: string): void => {
  reply.setCookie(SESSION_COOKIE, token, { ...optionsOf(parts, reply), maxAge: parts.settings.SESSION_HOURS * 3600 })
}

export const clearSessionCookie = (parts: Parts, reply: FastifyReply): void => {
  reply.clearCookie(SESSION_COOKIE, optionsOf(parts, reply))
}

export const setDeviceCookie = (parts: Parts, reply: FastifyReply, device: string): void => {
  reply.setCookie(DEVICE_COOKIE, device, { ...optionsOf(parts, reply), maxAge: DEVICE_SECONDS })
}

/** Lifetime of a ticket, ms. */
export const TICKET_LIFE = 30_000

/** A ticket replaces the token of a session in a URL, since URLs are logged. Each works once. */
export interface Tickets {
  issue(session: string): string | Promise<string>
  /** The session that it was issued to. */
  redeem(ticket: string): string | undefined | Promise<string | undefined>
}

/** Those of one node, in its memory. */
interface LocalTickets extends Tickets {
  issue(session: string): string
  redeem(ticket: string): string | undefined
}

export const createTickets = (now: () => number = () => performance.now()): LocalTickets => {
  const issued = new Map<string, { readonly session: string; readonly until: number }>()
  const dropExpired = () => {
    for (const [ticket, { until }] of issued) {
      if (until > now()) return
      issued.delete(ticket)
    }
  }
  return {
    issue(session) {
      dropExpired()
      const ticket = randomBytes(32).toString('base64url')
      issued.set(ticket, { session, until: now() + TICKET_LIFE })
      return ticket
    },
    redeem(ticket) {
      const found = issued.get(ticket)
      issued.delete(ticket)
      return found !== undefined && found.until > now() ? found.session : undefined
    },
  }
}
