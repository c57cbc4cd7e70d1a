import { randomBytes } from 'node:crypto'

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
