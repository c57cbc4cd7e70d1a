import type { FastifyInstance } from 'fastify'
import type { RowOf } from '#projections/port.ts'
import type { PublicEvents } from '#runtime/event/public-events.ts'
import { refusalText } from '#runtime/localized-text.ts'
import { replayFrom, type Webhooks } from '#runtime/webhook/webhooks.ts'
import type { Language } from '#schemas/language.ts'
import type { RefusalCode } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle, type IdRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 10
const SHOWN = 100

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
      limit: SHOWN,
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
    return { items }
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
