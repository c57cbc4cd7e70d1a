import { hash, randomBytes, randomUUID } from 'node:crypto'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import { draft } from '#commands/pipeline/author.ts'
import { REQUEST_PREFIX } from '#commands/pipeline/once.ts'
import type { EventStore } from '#commands/store/port.ts'
import { appendIfFirst } from '#runtime/log/exclusive-append.ts'
import type { JsonObject } from '#schemas/event.ts'
import { TICKET_LIFE, type Tickets } from './ticket.ts'

/** They are swept with the answers that are kept for idempotency keys. */
const streamOf = (ticket: string) => `${REQUEST_PREFIX}ticket-${hash('sha256', ticket)}`

/** Tickets of several nodes, in the store that they share: issued by one, redeemed once by any. */
export const createSharedTickets = (store: EventStore, now: () => number = Date.now): Tickets => {
  const write = (stream: string, tail: Tail, type: string, data: JsonObject) => {
    const seed = randomUUID()
    const time = new Date(now()).toISOString()
    const author = { seed, actor: null, time, correlation: seed, causation: null }
    return appendIfFirst(store, stream, tail, [draft(author, type, type, null, data)])
  }

  return {
    async issue(session) {
      const ticket = randomBytes(32).toString('base64url')
      await write(streamOf(ticket), NO_STREAM, 'TicketIssued', { session, until: now() + TICKET_LIFE })
      return ticket
    },
    async redeem(ticket) {
      const stream = streamOf(ticket)
      for await (const issued of store.read(stream, { direction: 'backwards', limit: 1 })) {
        const { type, data } = issued
        if (type !== 'TicketIssued' || Number(data.until) <= now()) return undefined
        const isRedeemed = (await write(stream, issued, 'TicketRedeemed', {})) !== undefined
        return isRedeemed ? String(data.session) : undefined
      }
      return undefined
    },
  }
}
