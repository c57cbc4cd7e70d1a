import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isDelivered } from '#domain/alert.ts'
import type { Notification } from '#projections/port.ts'
import type { MessageQuery } from '#projections/query-results.ts'
import type { StoredAlert } from '#runtime/alert/alert-index.ts'
import type { Alerts } from '#runtime/alert/alerts.ts'
import { noticeParams, noticeText, refusalText } from '#runtime/localized-text.ts'
import { MESSAGE_LOCALES } from '#schemas/api/message.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type Refusal } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'

type Scope = Parameters<Parts['read']['names']>[0]

/** Adds the sentence of each notification in a language; the console draws the same sentence with its names in bold. */
export const withTexts = async <T extends Notification>(
  read: Pick<Parts['read'], 'names'>,
  scope: Scope,
  items: readonly T[],
  language: Language,
): Promise<(T & { readonly text: string })[]> => {
  const ids: Record<string, string[]> = {}
  for (const { entity, entityid, params } of items)
    if (entity !== undefined && entityid !== undefined && params.name === undefined) {
      ids[entity] ??= []
      ids[entity].push(entityid)
    }
  const names = Object.keys(ids).length === 0 ? {} : await read.names(scope, ids)
  return items.map(item => {
    const { entity = '', entityid = '', actor } = item
    const params = noticeParams(language, item.message, item.params)
    const name = typeof params.name === 'string' ? params.name : (names[entity]?.[entityid] ?? '')
    const text = noticeText(language, item.message, { ...params, name, actor: actor?.username ?? undefined })
    return { ...item, params, text }
  })
}

/** The bell: the caller's notifications, and which of them are read. */
export const addNotification = (app: FastifyInstance, parts: Parts): void => {
  handle(app, 'GET /notification', {}, async request => {
    const { unread, scope: about, page, size } = request.query
    const query = {
      page,
      size,
      ...(unread === undefined ? {} : { unread }),
      ...(about === undefined ? {} : { scope: about }),
    }
    const { scope } = sessionOf(request)
    const found = await parts.read.notifications(scope, query)
    return { ...found, items: await withTexts(parts.read, scope, found.items, request.language) }
  })

  handle(app, 'POST /notification/read', {}, async (request, reply) => {
    const { caller, scope } = sessionOf(request)
    const { body } = request
    const ids = 'ids' in body ? { ids: await parts.read.joinedNotifications(scope, body.ids) } : {}
    const done = await runWrite(parts, request, reply, async () => {
      return accepted({ position: await parts.record.seen({ caller, correlation: request.id, ...ids }) })
    })
    return done === undefined ? reply : reply.send()
  })
}

/** Messages by code and language: of a level, and as a bot says them. */
export const addMessages = (app: FastifyInstance, { read }: Parts): void => {
  const answer = async (
    request: FastifyRequest,
    place: MessageQuery['place'],
    { search, missing, page, size }: RouteRequest<'GET /bot/{id}/messages'>['query'],
  ) => {
    const matrix = await read.messages(sessionOf(request).scope, {
      place,
      locales: MESSAGE_LOCALES,
      page,
      size,
      ...(search === undefined ? {} : { search }),
      ...(missing === undefined ? {} : { missing }),
    })
    if (matrix === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    return matrix
  }

  handle(app, 'GET /localemessage/matrix', { permission: 'readlocalemessage' }, async request => {
    const { hierarchylevel = sessionOf(request).access.level, ...query } = request.query
    return answer(request, { entity: 'hierarchy', id: hierarchylevel }, query)
  })

  handle(app, 'GET /bot/{id}/messages', { permission: 'readbot' }, async request => {
    return answer(request, { entity: 'bot', id: request.params.id }, request.query)
  })
}

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 10
const SHOWN = 20

const reasonOf = (refusal: Refusal | undefined, language: Language) =>
  refusal === undefined ? null : refusalText(refusal, language)

const stateOf = ({ due, ...alert }: StoredAlert) =>
  due !== null ? ('waiting' as const) : isDelivered(alert) ? ('delivered' as const) : ('failed' as const)

const shown = (alert: StoredAlert, language: Language) => {
  const { id, message, entity, entityid, times, tries, status, due } = alert
  return {
    ...{ id, message, entity, entityid, times, tries, status, test: alert.isTest, state: stateOf(alert) },
    time: new Date(alert.time).toISOString(),
    kind: alert.kind as 'alert' | 'warn' | 'info',
    text: noticeText(language, message, { ...alert.params, name: alert.name }),
    reason: reasonOf(alert.refusal, language),
    next: due === null || tries === 0 ? null : new Date(due).toISOString(),
  }
}

interface AlertRoutes {
  readonly parts: Parts
  readonly alerts: Pick<Alerts, 'levelFor' | 'ofLevel' | 'test'>
}

/** Alerts to the address of a level: the newest ones, and a test. */
export const addAlerts = (app: FastifyInstance, { parts, alerts }: AlertRoutes): void => {
  const limit = parts.rates.add('alert test', MAX_TESTS_PER_MINUTE)

  handle(app, 'GET /hierarchy/{id}/alerts', { permission: 'readhierarchy' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    const { id } = request.params
    if ((await parts.read.detail(scope, 'hierarchy', id)) === undefined)
      return refuse(reply, { code: 'entity.notfound' })
    const level = await alerts.levelFor(id)
    const isSeen = level !== undefined && (await parts.read.detail(scope, 'hierarchy', level.id)) !== undefined
    const items = alerts.ofLevel(id, SHOWN).map(alert => shown(alert, request.language))
    return { from: isSeen ? { id: level.id, name: level.name } : null, sent: level !== undefined, items }
  })

  const testing = { permission: 'updatehierarchy', effect: 'calls out' } as const
  handle(app, 'POST /hierarchy/{id}/testalert', testing, async (request, reply) => {
    const { access, scope } = sessionOf(request)
    const row = await parts.read.detail(scope, 'hierarchy', request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    if (!row.alert_url) return refuse(reply, { code: 'level.noalert' })
    const wait = limit.take(access.user)
    if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
    const outcome = await alerts.test(row.id)
    const reason = reasonOf(outcome.refusal, request.language)
    return { ok: isDelivered(outcome), time: outcome.ms, status: outcome.status, reason }
  })
}
