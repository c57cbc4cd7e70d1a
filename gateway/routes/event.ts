import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { START } from '#commands/store/port.ts'
import { SEND_PERSONAL } from '#domain/people/permission.ts'
import type { Access, RowOf } from '#projections/port.ts'
import {
  type EventCursor,
  type EventFilter,
  type Hearer,
  type PublicEvents,
  withPersonalIn,
} from '#runtime/event/public-events.ts'
import { refusalText } from '#runtime/localized-text.ts'
import { replayFrom, type Webhooks } from '#runtime/webhook/webhooks.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { Language } from '#schemas/language.ts'
import type { RefusalCode } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { closedSignal, handle, type IdRequest, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { accessEnded, sessionOf } from './command.ts'

const PERMISSION = 'readevent'
/** Calls of one user. */
const MAX_PER_MINUTE = 600
/** Calls that wait, of one user and in all. */
const MAX_WAITING = 10
const MAX_WAITING_IN_ALL = 200
/** Interval of looks at the logs while a call waits: the log of conversations announces nothing. */
const LOOK_MS = 1_000
const SECOND_MS = 1_000

/** Counts the calls that wait, of each user. */
class WaitingCalls {
  readonly #of = new Map<string, number>()
  #all = 0

  /** Undefined: too many wait. */
  enter(user: string): (() => void) | undefined {
    const mine = this.#of.get(user) ?? 0
    if (mine >= MAX_WAITING || this.#all >= MAX_WAITING_IN_ALL) return undefined
    this.#of.set(user, mine + 1)
    this.#all += 1
    return () => {
      this.#all -= 1
      const left = (this.#of.get(user) ?? 1) - 1
      if (left === 0) this.#of.delete(user)
      else this.#of.set(user, left)
    }
  }
}

const hearerOf = ({ permissions, level }: Access): Hearer => ({ permits: name => permissions.has(name), level })

/** The session as it is now. @throws RequestRefused once it has ended or lost a right */
const presentAccess = ({ read }: Parts, session: string, withPersonal: boolean): Access => {
  const access = read.access(session)
  if (access === undefined) throw accessEnded(session)
  if (!access.permissions.has(PERMISSION)) throw new RequestRefused({ code: 'access.forbidden' })
  if (withPersonal && !access.permissions.has(SEND_PERSONAL))
    throw new RequestRefused({ code: 'access.lacking', params: { permissions: [SEND_PERSONAL] } })
  return access
}

/** @throws RequestRefused for personal values without values or without a reason */
const filterOf = ({ type, entity, values, personal, reason }: RouteRequest<'GET /event'>['query']): EventFilter => {
  const missing = [...(values === true ? [] : ['values']), ...(reason === undefined ? ['reason'] : [])]
  if (personal === true && missing.length > 0) {
    const errors = missing.map(path => ({ path, code: 'required' as const }))
    throw new RequestRefused({ code: 'validation.failed', errors })
  }
  return {
    withValues: values === true,
    withPersonal: personal === true,
    ...(type === undefined ? {} : { types: type }),
    ...(entity === undefined ? {} : { entity }),
  }
}

interface EventParts {
  readonly parts: Parts
  readonly events: PublicEvents
}

/** @throws RequestRefused for a cursor of another store, or of a part of the log that a restore took away */
const beginOf = async (
  events: PublicEvents,
  { after, from }: RouteRequest<'GET /event'>['query'],
): Promise<EventCursor> => {
  if (after === undefined) {
    return from === undefined ? events.now() : { console: START, conversations: START, from: Date.parse(from) }
  }
  const cursor = events.cursors.decode(after)
  if (cursor === undefined || !(await events.isWithin(cursor))) throw new RequestRefused({ code: 'event.cursor' })
  return cursor
}

/** GET /event: what happened, for programs that ask again and again. */
export const addEvents = (app: FastifyInstance, { parts, events }: EventParts): void => {
  const limit = parts.rates.add('events', MAX_PER_MINUTE)
  const waiting = new WaitingCalls()

  handle(app, 'GET /event', { permission: PERMISSION }, async (request, reply) => {
    const { user, session } = sessionOf(request).access
    const retryAfter = limit.take(user)
    if (retryAfter !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter } })
    const { limit: most, wait, reason = '' } = request.query
    const filter = filterOf(request.query)
    let cursor = await beginOf(events, request.query)
    const until = performance.now() + wait * SECOND_MS
    const closed = closedSignal(reply)
    const leave = wait === 0 ? () => undefined : waiting.enter(user)
    if (leave === undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: 5 } })
    try {
      for (;;) {
        const hearer = hearerOf(presentAccess(parts, session, filter.withPersonal === true))
        const page = await events.page(() => hearer, cursor, filter, most)
        const isDue = performance.now() >= until || closed.aborted || parts.readiness.isLeaving
        if (page.items.length > 0 || !page.isCaughtUp || isDue) {
          const count = withPersonalIn(page.items)
          const sender = sessionOf(request).caller
          const told = { sender, correlation: request.id, level: hearer.level, webhook: null, reason }
          if (count > 0) await parts.record.personalSent({ ...told, count })
          const answer = { items: page.items, next: events.cursors.encode(page.next), caughtup: page.isCaughtUp }
          return answer as AnswerOf<'GET /event'>
        }
        cursor = page.next
        await pause(Math.min(LOOK_MS, Math.max(0, until - performance.now())), undefined, { signal: closed }).catch(
          () => undefined,
        )
      }
    } finally {
      leave()
    }
  })
}

/** Tests of webhooks by one person. */
const MAX_TESTS_PER_MINUTE = 10
const MAX_DELIVERIES = 100

const reasonText = (code: string | null, language: Language): string | null =>
  code === null ? null : refusalText({ code: code as RefusalCode }, language)

interface WebhookRoutes {
  readonly parts: Parts
  readonly webhooks: Webhooks
  readonly events: PublicEvents
}

/** Deliveries of a webhook, and its retry, replay and test. */
export const addWebhooks = (app: FastifyInstance, { parts, webhooks, events }: WebhookRoutes): void => {
  const limit = parts.rates.add('webhook test', MAX_TESTS_PER_MINUTE)

  /** @throws RequestRefused for what is not there, or outside the caller's levels */
  const rowOf = async (request: IdRequest): Promise<RowOf<'webhook'>> => {
    const row = await parts.read.detail(sessionOf(request).scope, 'webhook', request.params.id)
    if (row === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    return row
  }

  handle(app, 'GET /webhook/{id}/delivery', { permission: 'readwebhook' }, async request => {
    const { id } = await rowOf(request)
    const { status: state, from } = request.query
    const query = {
      limit: MAX_DELIVERIES,
      ...(state === undefined ? {} : { state }),
      ...(from === undefined ? {} : { from: Date.parse(from) }),
    }
    const maySee = sessionOf(request).caller.permits('updatewebhook')
    const items = webhooks.deliveries(id, query).map(({ event, type, entity, time, next, reason, ...line }) => ({
      ...{ event, type, entity, time: new Date(time).toISOString(), reason: reasonText(reason, request.language) },
      ...{ state: line.state, tries: line.tries, status: line.status, ms: line.ms, replay: line.isReplay },
      next: next === null ? null : new Date(next).toISOString(),
      ...(maySee ? { answer: line.answer } : {}),
    }))
    const [last] = webhooks.deliveries(id, { state: 'arrived', limit: 1 })
    // It counts events of the whole console.
    const behind = maySee ? await webhooks.behindOf(id) : null
    return { behind, last: last ? new Date(last.time).toISOString() : null, items }
  })

  handle(app, 'POST /webhook/{id}/retry', { permission: 'updatewebhook' }, async request => {
    const { id } = await rowOf(request)
    return { ids: [...(await webhooks.retry(id, request.body.ids))] }
  })

  handle(app, 'POST /webhook/{id}/replay', { permission: 'updatewebhook' }, async (request, reply) => {
    const row = await rowOf(request)
    const { after, from, to, only } = request.body
    const since = from === undefined ? undefined : Date.parse(from)
    if (only === 'failed') return { count: await webhooks.retryFailed(row.id, since ?? 0) }
    const cursor = after === undefined ? undefined : events.cursors.decode(after)
    if (after !== undefined && (cursor === undefined || !(await events.isWithin(cursor))))
      return refuse(reply, { code: 'event.cursor' })
    const begin = cursor ?? (since === undefined ? undefined : replayFrom(since))
    if (begin === undefined)
      return refuse(reply, { code: 'validation.failed', errors: [{ path: 'from', code: 'required' }] })
    const begun = webhooks.replay(row, { begin, to: to === undefined ? Date.now() : Date.parse(to) })
    return begun.ok ? { count: null } : refuse(reply, begun.refusal)
  })

  const testing = { permission: 'testwebhook', effect: 'calls out' } as const
  handle(app, 'POST /webhook/{id}/test', testing, async (request, reply) => {
    const row = await rowOf(request)
    const retryAfter = limit.take(sessionOf(request).access.user)
    if (retryAfter !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter } })
    const { isArrived, status, reason, ms } = await webhooks.test(row)
    return { ok: isArrived, status, reason: reasonText(reason, request.language), time: ms }
  })
}
