import type { FastifyInstance } from 'fastify'
import { isDelivered } from '#domain/alert.ts'
import type { StoredAlert } from '#runtime/alert/alert-index.ts'
import type { Alerts } from '#runtime/alert/alerts.ts'
import { noticeText } from '#runtime/notice-text.ts'
import { refusalText } from '#runtime/refusal-text.ts'
import type { Language } from '#schemas/language.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

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
    const wait = limit.wait(access.user)
    if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
    limit.count(access.user)
    const outcome = await alerts.test(row.id)
    const reason = reasonOf(outcome.refusal, request.language)
    return { ok: isDelivered(outcome), time: outcome.ms, status: outcome.status, reason }
  })
}
