import type { FastifyInstance } from 'fastify'
import { allRows } from '#projections/scope.ts'
import { openHealth } from '#runtime/channel/exchange/channel-health.ts'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import { checkToken, connectChannel } from '#runtime/channel/exchange/token-watch.ts'
import type { ChannelCheck } from '#runtime/channel/open-channels.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 30

const told = ({ part, result, missing = [] }: ChannelCheck, language: Language) => {
  if (result.ok) return { part, ok: true, detail: result.value, missing: [...missing] }
  const { code, detail } = problemOf(result.refusal, language)
  return { part, ok: false, detail, code, missing: [...missing] }
}

interface HealthRoutes {
  readonly parts: Parts
  readonly conversations: { openedExchange?(): Exchange | undefined }
}

/** When people last wrote to the number of an account: whether its messages come here is proven by traffic alone (R4). */
const addNumberSeen = (app: FastifyInstance, { parts, conversations }: HealthRoutes): void => {
  handle(app, 'GET /metaaccount/{id}/seen', { permission: 'readmetaaccount' }, async (request, reply) => {
    const row = await parts.read.detail(sessionOf(request).scope, 'metaaccount', request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    const number = typeof row.phone_number_id === 'string' ? row.phone_number_id : ''
    const last = conversations.openedExchange?.()?.index.lastSeen('whatsapp_meta', number) ?? 0
    return { last: number === '' || last === 0 ? null : new Date(last).toISOString() }
  })
}

/** Health of the channels of providers, from what happened in the last 24 hours. */
export const addChannelHealth = (app: FastifyInstance, { parts, conversations }: HealthRoutes): void => {
  const { read, channelWatch } = parts
  addNumberSeen(app, { parts, conversations })
  const healthOf = openHealth({ read, watch: channelWatch, exchange: () => conversations.openedExchange?.() })

  handle(app, 'GET /channel/{id}/health', { permission: 'readchannel' }, async (request, reply) => {
    const row = await read.detail(sessionOf(request).scope, 'channel', request.params.id)
    const [health] = row === undefined ? [] : await healthOf([row])
    return health ?? refuse(reply, { code: 'entity.notfound' })
  })
  handle(app, 'GET /bot/{id}/channelhealth', { permission: 'readchannel' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    if ((await read.detail(scope, 'bot', request.params.id)) === undefined)
      return refuse(reply, { code: 'entity.notfound' })
    const rows = await allRows(read, scope, 'channel', { bot: request.params.id })
    return { items: await healthOf(rows) }
  })
}

/**
 * Looks whether a stored channel has what it needs and whether its provider takes the stored credentials. *Connect*
 * registers its webhook at the provider first.
 */
export const addChannelTest = (app: FastifyInstance, parts: Parts): void => {
  const { channels, channelWatch: watch, log } = parts
  const limit = parts.rates.add('channel test', MAX_TESTS_PER_MINUTE)

  /** The checks of a channel in the caller's levels, or the refusal. */
  const tested = async (
    { access, scope }: Session,
    id: string,
    connect: boolean,
  ): Promise<Result<readonly ChannelCheck[]>> => {
    if ((await parts.read.detail(scope, 'channel', id)) === undefined) return refused('entity.notfound')
    const wait = limit.wait(access.user)
    if (wait !== undefined) return refused('request.toomany', { params: { retryAfter: wait } })
    limit.count(access.user)
    const connected = connect
      ? ((await connectChannel({ channels, watch }, id)) ?? refused('channel.unsupported'))
      : undefined
    const checks = await channels.check(id)
    if (checks === undefined) return refused('entity.notfound')
    await checkToken({ ...parts, watch, failed: error => log.error(error) }, id)
    // The refusal of the registration says more than that the provider calls another address.
    const shown = checks.map(check =>
      connected?.ok === false && check.part === 'provider' ? { ...check, result: connected } : check,
    )
    return accepted(shown)
  }
  const answerOf = (checks: readonly ChannelCheck[], started: number, language: Language) => ({
    ok: checks.every(({ result }) => result.ok),
    time: Math.round(performance.now() - started),
    checks: checks.map(check => told(check, language)),
  })

  handle(app, 'POST /channel/{id}/test', { permission: 'testchannel', effect: 'calls out' }, async (request, reply) => {
    const started = performance.now()
    const checks = await tested(sessionOf(request), request.params.id, false)
    return checks.ok ? answerOf(checks.value, started, request.language) : refuse(reply, checks.refusal)
  })
  const connecting = { permission: 'updatechannel', effect: 'calls out' } as const
  handle(app, 'POST /channel/{id}/connect', connecting, async (request, reply) => {
    const started = performance.now()
    const checks = await tested(sessionOf(request), request.params.id, true)
    return checks.ok ? answerOf(checks.value, started, request.language) : refuse(reply, checks.refusal)
  })
}
