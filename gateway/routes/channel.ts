import type { FastifyInstance } from 'fastify'
import { openPhones } from '#domain/audience/phone.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import { channelActivity, openHealth } from '#runtime/channel/exchange/channel-health.ts'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import type { SentTest, TestMessage } from '#runtime/channel/exchange/test-message.ts'
import { checkToken, connectChannel } from '#runtime/channel/exchange/token-watch.ts'
import type { ChannelCheck } from '#runtime/channel/open-channels.ts'
import { codeWithTitle } from '#runtime/channel/shared/code-title.ts'
import { isPushed } from '#schemas/channel-type.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 30

const told = ({ part, result, ms, missing = [] }: ChannelCheck, language: Language) => {
  const common = { part, missing: [...missing], time: ms ?? null }
  if (result.ok) return { ...common, ok: true, detail: result.value }
  const { code, detail } = problemOf(result.refusal, language)
  return { ...common, ok: false, detail, code }
}

interface HealthRoutes {
  readonly parts: Parts
  readonly conversations: { openedExchange?(): Exchange | undefined; exchange?(): Promise<Exchange> }
  readonly audiences?: Pick<Audiences, 'testNumbers'> | undefined
}

const MAX_MESSAGES_PER_MINUTE = 10
/** A day of 25 hours, where the clock goes back. */
const MAX_ACTIVITY_MS = 25 * 3_600_000

const STATES = { final: 'refused', unauthorized: 'unauthorized', retry: 'waiting', unknown: 'unknown' } as const

const messageOf = ({ id, state, after, code }: TestMessage, time: number) => ({
  ...{ id, state, time, after: after ?? null, detail: code === '' ? '' : codeWithTitle(code) },
})

const sentOf = ({ outcome, ms, message }: SentTest) =>
  message !== undefined
    ? messageOf(message, ms)
    : {
        ...{ id: null, time: ms, after: null },
        state: outcome.kind === 'sent' ? ('sent' as const) : STATES[outcome.kind],
        detail: 'code' in outcome && outcome.code !== undefined ? codeWithTitle(outcome.code) : '',
      }

/** Test messages to recent writers and to verified test numbers. */
const addTestMessage = (app: FastifyInstance, { parts, conversations, audiences }: HealthRoutes): void => {
  const { read, channels, commands } = parts
  const limit = parts.rates.add('channel test message', MAX_MESSAGES_PER_MINUTE)
  const opened = () => conversations.exchange?.()

  const isOwnNumber = async (bot: string, to: string): Promise<boolean> => {
    const reading = (await openPhones())(to)
    const level = (await read.detail(SYSTEM_SCOPE, 'bot', bot))?.hierarchylevel
    if (!reading.ok || !level || audiences === undefined) return false
    return (await audiences.testNumbers()).isVerified(level, reading.phone.e164)
  }

  const sending = { permission: 'testchannel', effect: 'calls out' } as const
  handle(app, 'POST /channel/{id}/testmessage', sending, async (request, reply) => {
    const { access, scope, caller } = sessionOf(request)
    const { id } = request.params
    const { to, text } = request.body
    const [row, channel, exchange] = [await read.detail(scope, 'channel', id), await channels.get(id), await opened()]
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    if (channel === undefined || exchange === undefined || !isPushed(row.type))
      return refuse(reply, { code: 'channel.unsupported' })
    if (!row.enable) return refuse(reply, { code: 'channel.disabled' })
    const wait = limit.take(access.user)
    if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
    const isHeard = (await exchange.tests.isHearing(channel, to)) || (await isOwnNumber(row.bot, to))
    const errors = [{ path: 'to', code: 'format', params: { rule: 'testrecipient' } } as const]
    if (!isHeard) return refuse(reply, { code: 'validation.failed', errors })
    const command = { entity: 'channel', action: 'telltest', id, input: {}, caller, correlation: request.id }
    const recorded = await commands.execute(command)
    if (!recorded.ok) return refuse(reply, recorded.refusal)
    const sent = await exchange.tests.send(channel, to, text)
    return sent.ok ? sentOf(sent.value) : refuse(reply, sent.refusal)
  })

  const reading = { permission: 'testchannel' } as const
  handle(app, 'GET /channel/{id}/testmessage/{message}', reading, async (request, reply) => {
    const row = await read.detail(sessionOf(request).scope, 'channel', request.params.id)
    const found = row && (await opened())?.tests.get(row.id, request.params.message)
    return found === undefined ? refuse(reply, { code: 'entity.notfound' }) : messageOf(found, 0)
  })
}

/** When people last wrote to the number of an account: whether its messages come here is proven by traffic alone. */
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
export const addChannelHealth = (app: FastifyInstance, given: HealthRoutes): void => {
  const { parts, conversations } = given
  const { read, channelWatch } = parts
  addNumberSeen(app, given)
  addTestMessage(app, given)
  const healthOf = openHealth({ read, watch: channelWatch, exchange: () => conversations.openedExchange?.() })

  handle(app, 'GET /channel/{id}/health', { permission: 'readchannel' }, async (request, reply) => {
    const row = await read.detail(sessionOf(request).scope, 'channel', request.params.id)
    const [health] = row === undefined ? [] : await healthOf([row])
    return health ?? refuse(reply, { code: 'entity.notfound' })
  })
  handle(app, 'GET /channel/{id}/activity', { permission: 'readchannel' }, async (request, reply) => {
    const row = await read.detail(sessionOf(request).scope, 'channel', request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    const now = Date.now()
    const from = Math.max(Math.min(Date.parse(request.query.from), now), now - MAX_ACTIVITY_MS)
    const slots = conversations.openedExchange?.()?.index.pulses(from, [row.id]).get(row.id) ?? []
    return channelActivity(slots, from, now)
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
    const wait = limit.take(access.user)
    if (wait !== undefined) return refused('request.toomany', { params: { retryAfter: wait } })
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
