import type { FastifyInstance } from 'fastify'
import { shownFigures } from '#domain/metrics/shown-count.ts'
import { readTokenAnswer, tokenRequest } from '#domain/oauth.ts'
import type { Row, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { queuesServing } from '#runtime/agent/desk/desk-directory.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import { botMessages } from '#runtime/conversation/effect/turn-settings.ts'
import { dayOf } from '#runtime/conversation/index/visit-index.ts'
import type { MlCheck } from '#runtime/ml/ml-port.ts'
import { bodyText } from '#runtime/outbound/rest-request.ts'
import type { Conversations } from '#runtime/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { botLanguage, type Language } from '#schemas/language.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 30

/** Outcome of a connection test: each part, and its fault in the caller's language. */
const outcomeOf = async <P>(
  language: Language,
  checking: Promise<readonly { readonly part: P; readonly result: MlCheck['result'] }[] | undefined>,
) => {
  const started = performance.now()
  const checks = await checking
  return (
    checks && {
      ok: checks.every(({ result }) => result.ok),
      time: Math.round(performance.now() - started),
      checks: checks.map(({ part, result }) => {
        if (result.ok) return { part, ok: true, detail: result.value }
        const { code, detail } = problemOf(result.refusal, language)
        return { part, ok: false, detail, code }
      }),
    }
  )
}

/** Calls the agent system of a stored channel with its stored key and returns the outcome. */
export const addAgentTest = (app: FastifyInstance, parts: Parts): void => {
  const limit = parts.rates.add('agent test', MAX_TESTS_PER_MINUTE)

  handle(
    app,
    'POST /agentchannel/{id}/test',
    { permission: 'testagentchannel', effect: 'calls out' },
    async (request, reply) => {
      const { access, scope } = sessionOf(request)
      const { id } = request.params
      if ((await parts.read.detail(scope, 'agentchannel', id)) === undefined)
        return refuse(reply, { code: 'entity.notfound' })
      const wait = limit.take(access.user)
      if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
      return (await outcomeOf(request.language, parts.agents.check(id))) ?? refuse(reply, { code: 'agent.unsupported' })
    },
  )
}

/** Conversations of one answer; `waiting` and `talking` count all. */
const MAX_LISTED = 500

const alertOf = ({ queue_tracker_config: config }: Row): number | null =>
  isObject(config) && typeof config.alert_at === 'number' ? config.alert_at : null
const isTracked = ({ queue_tracker_enabled: enabled }: Row): boolean => enabled === true
const mayClear = (row: Row): boolean => isTracked(row) && row.queue_tracker_clear_enabled === true

/** A text of a moment: the own one, which may be empty, else the bot's message. */
const textFor = (
  moment: string,
  own: readonly { readonly moment?: string | null; readonly text?: string | null }[],
  standard: string | undefined,
): string => {
  const mine = own.find(each => each.moment === moment)
  return (mine === undefined ? standard : mine.text)?.trim() ?? ''
}

/** Queues of the desk for a bot: the agents who are there, and the texts for who waits. */
const deskQueueOf = async (desk: OwnDesk, bot: RowOf<'bot'>, messages: ReadonlyMap<string, string>) => {
  const { directory, index, presence } = desk
  const queues = await queuesServing(directory, bot.hierarchylevel ?? '')
  const agents = directory.agentsAt(bot.hierarchylevel ?? '')
  const there = [...new Set(queues.flatMap(({ members }) => members.map(({ user }) => user)))].filter(
    user => agents.has(user) && index.place(user)?.state === 'available' && presence.isPresent(user),
  )
  const profiles = await Promise.all(there.map(user => directory.profile(user)))
  return {
    places: { agents: there.length, all: profiles.reduce((sum, { capacity }) => sum + capacity, 0) },
    reads: queues.map(({ id, name, texts }) => ({
      ...{ id, queue: name },
      text: textFor('waiting', texts ?? [], messages.get('desk.waiting')),
    })),
  }
}

/**
 * GET /agentchannel/{id}/queue and POST /agentchannel/{id}/clearqueue: people waiting for an agent, and their removal.
 */
export const addAgentQueue = (
  app: FastifyInstance,
  { read }: Parts,
  conversations: Pick<Conversations, 'agents' | 'records'> & { desk?(): Promise<OwnDesk | undefined> },
): void => {
  handle(app, 'GET /agentchannel/{id}/queue', { permission: 'readagentchannel' }, async (request, reply) => {
    const { scope, caller } = sessionOf(request)
    const row = await read.detail(scope, 'agentchannel', request.params.id)
    const bot = row && (await read.detail(SYSTEM_SCOPE, 'bot', row.bot ?? ''))
    if (row === undefined || bot === undefined) return refuse(reply, { code: 'entity.notfound' })
    const [chats, records, desk] = await Promise.all([
      conversations.agents(),
      conversations.records(),
      conversations.desk?.(),
    ])
    const shown = shownFigures(caller.permits('readconversation'))
    const day = desk?.figures.channelDay(bot.id, row.id, dayOf(Date.now())) ?? { waited: 0, ms: 0, givenup: 0 }
    const mean = shown.mean(day.ms, day.waited)
    const messages = await botMessages(read, bot, botLanguage(bot))
    const texts = { id: row.id, queue: null, text: textFor('queued', row.texts ?? [], messages.get('agent.queued')) }
    const { places, reads: all } =
      row.type === 'parley' && desk !== undefined
        ? await deskQueueOf(desk, bot, messages)
        : { places: null, reads: [texts] }
    const { deskqueue: seen = {} } = await read.names(scope, { deskqueue: all.map(({ id }) => id) })
    // Queues above may be hidden from the caller.
    const reads = all.filter(({ id, queue }) => queue === null || id in seen)
    const listed = isTracked(row) ? (chats?.list(row.id) ?? []) : []
    const waiting = listed.filter(talk => talk.waiting !== null).length
    return {
      enabled: isTracked(row),
      clearing: mayClear(row),
      alert: alertOf(row),
      waiting,
      talking: listed.length - waiting,
      today: {
        waited: shown.count(day.waited),
        mean: mean === null ? null : Math.round(mean),
        givenup: shown.count(day.givenup),
      },
      places,
      reads: reads.filter(({ text }) => text !== ''),
      items: listed.slice(0, MAX_LISTED).map(talk => ({
        conversation: talk.conversation,
        channeltype: records?.get(talk.conversation)?.channeltype ?? '',
        requested: new Date(talk.requested).toISOString(),
        waiting: talk.waiting === null ? null : new Date(talk.waiting).toISOString(),
        place: talk.place,
      })),
    }
  })

  handle(
    app,
    'POST /agentchannel/{id}/clearqueue',
    { permission: 'clearqueueagentchannel' },
    async (request, reply) => {
      const row = await read.detail(sessionOf(request).scope, 'agentchannel', request.params.id)
      if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
      if (!mayClear(row)) return refuse(reply, { code: 'agent.clearing' })
      const { conversation } = request.body
      const chats = await conversations.agents()
      const listed = (chats?.list(row.id) ?? []).filter(
        talk => talk.waiting !== null && (conversation === undefined || talk.conversation === conversation),
      )
      let cleared = 0
      for (const talk of listed) if (await chats?.clear(talk, row)) cleared += 1
      return { cleared }
    },
  )
}

/** Tested entities: a channel of a bot, or the remote service of the NLU settings. */
const TESTED = ['mlchannel', 'nlusettings'] as const

/** Calls a stored outside system with its stored key and returns the outcome. */
export const addMlTest = (app: FastifyInstance, parts: Parts): void => {
  const limit = parts.rates.add('ml test', MAX_TESTS_PER_MINUTE)

  for (const entity of TESTED)
    handle(
      app,
      `POST /${entity}/{id}/test`,
      { permission: `test${entity}`, effect: 'calls out' },
      async (request, reply) => {
        const { access, scope } = sessionOf(request)
        const { id } = request.params
        if ((await parts.read.detail(scope, entity, id)) === undefined)
          return refuse(reply, { code: 'entity.notfound' })
        const wait = limit.take(access.user)
        if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
        return (
          (await outcomeOf(request.language, parts.ml.check(entity, id))) ?? refuse(reply, { code: 'entity.notfound' })
        )
      },
    )
}

const TIMEOUT_MS = 20_000
const MAX_BODY_BYTES = 100_000

/**
 * Requests a token with a stored configuration and returns the outcome. Token and secrets are in no answer and no log.
 */
export const addOAuthTest = (app: FastifyInstance, parts: Parts): void => {
  const { call } = parts
  const limit = parts.rates.add('oauth test', MAX_TESTS_PER_MINUTE)

  const receiptOf = async (fields: JsonObject) => {
    const request = tokenRequest(fields)
    if (!request.ok) return request
    const answer = await call({ method: 'POST', ...request.value, timeout: TIMEOUT_MS, most: MAX_BODY_BYTES })
    return answer.ok ? readTokenAnswer(answer.value.status, bodyText(answer.value) ?? '') : answer
  }

  handle(app, 'POST /oauth/{id}/test', { permission: 'testoauth', effect: 'calls out' }, async (request, reply) => {
    const { access, scope } = sessionOf(request)
    const { id } = request.params
    const isVisible = (await parts.read.detail(scope, 'oauth', id)) !== undefined
    const fields = isVisible ? await parts.commands.openFields('oauth', id) : undefined
    if (fields === undefined) return refuse(reply, { code: 'entity.notfound' })
    const wait = limit.take(access.user)
    if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
    const started = performance.now()
    const receipt = await receiptOf(fields)
    const time = Math.round(performance.now() - started)
    if (receipt.ok) return { ok: true, time, ...receipt.value }
    const { code, detail } = problemOf(receipt.refusal, request.language)
    return { ok: false, time, failure: { code, detail } }
  })
}
