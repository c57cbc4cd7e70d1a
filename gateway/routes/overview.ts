import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DEFAULT_ZONE, dayBefore, dayIn } from '#domain/metrics/conversation-fact.ts'
import { shownCount } from '#domain/metrics/shown-count.ts'
import type { ReadModels, Row, RowOf, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Rooms } from '#realtime/port.ts'
import type { MetricQuery } from '#runtime/metrics/metric-query.ts'
import type { Conversations } from '#runtime/port.ts'
import type { Sample } from '#runtime/sample/open-sample.ts'
import type { RunningNlu } from '#runtime/service/running-nlu.ts'
import type { LiveBot } from '#schemas/api/bot-metrics.ts'
import type { BotOverview } from '#schemas/api/bot-overview.ts'
import { RUNNING_SOURCES } from '#schemas/api/home.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'
import { mayReadWords } from './conversation.ts'

/** Shorter texts are in nearly every flow. */
const MIN_LENGTH = 3
/** Bots that one search looks into. */
const MAX_BOTS = 5
/** ms after which the search answers without what is still being looked through. */
const TIMEOUT_MS = 400

const KINDS = ['dialog', 'handler'] as const

/** Kinds of flows that the caller may read, by the bot that a site search index names. */
const indexedBots = async ({ read }: Parts, request: FastifyRequest) => {
  const { scope, caller } = sessionOf(request)
  const kinds = new Map<string, Set<string>>()
  for (const kind of KINDS) {
    if (!caller.permits(`read${kind}`)) continue
    const { items } = await read.list(scope, 'sitesearchindex', { page: 1, size: 100, filter: { entity_type: kind } })
    for (const { bot } of items) if (typeof bot === 'string') kinds.set(bot, new Set([...(kinds.get(bot) ?? []), kind]))
  }
  const bots = await read.rows(scope, 'bot', [...kinds.keys()].slice(0, MAX_BOTS))
  return bots.map(({ id, name }) => ({ id, name: String(name), kinds: kinds.get(id) ?? new Set<string>() }))
}

/**
 * Dialogs and handlers whose blocks hold a text, as `/search` answers them: of those bots alone that a site search index
 * names for dialogs or handlers.
 */
const searchFlows = async (
  parts: Parts,
  request: FastifyRequest,
  text: string,
): Promise<readonly (JsonObject & { readonly id: string })[]> => {
  if (text.length < MIN_LENGTH) return []
  const found: (JsonObject & { readonly id: string })[] = []
  const look = async () => {
    for (const bot of await indexedBots(parts, request)) {
      const asked = { bot: bot.id, may: (kind: 'dialog' | 'handler') => bot.kinds.has(kind) }
      const { items } = await parts.commands.findInFlows(asked, { text, isExact: false, isWholeWord: false })
      for (const { kind, id, name, dialogtask } of items) {
        const parents = [
          { entity: 'bot', id: bot.id, name: bot.name },
          { entity: 'dialogtask', id: dialogtask.id, name: dialogtask.name },
        ]
        found.push({ entity: kind, id, name, parents })
      }
    }
  }
  // Returns names even if the search in flows fails.
  const looked = look().catch(error => parts.log.error(error))
  await Promise.race([looked, setTimeout(TIMEOUT_MS, undefined, { ref: false })])
  return [...found]
}

/** Open flows and their editors that the caller may see. */
const openFlows = async (read: ReadModels, scope: Scope, rooms: Rooms) => {
  const seen = await Promise.all(
    rooms.present().map(async ({ kind, id, members }) => {
      if (scope.readable !== 'all' && !scope.readable.has(kind)) return []
      const row = await read.detail(scope, kind, id)
      if (row === undefined) return []
      const people = members.map(({ user, name, color }) => ({ user, name, color }))
      return [{ entity: kind, id, name: String(row.name), people, task: String(row.dialogtask) }]
    }),
  )
  return seen.flat().filter(({ people }) => people.length > 0)
}

/** Open flows by the bot that they are of. */
const openFlowsByBot = async (read: ReadModels, scope: Scope, rooms: Rooms) => {
  const flows = await Promise.all(
    (await openFlows(read, scope, rooms)).map(async ({ task, ...flow }) => ({
      bot: (await read.detail(scope, 'dialogtask', task))?.bot ?? '',
      flow,
    })),
  )
  return Map.groupBy(flows, ({ bot }) => bot)
}

/** Open flows and their editors that the caller may see; with `bot` its flows alone. */
export const activeEditors = async (read: ReadModels, scope: Scope, rooms: Rooms, bot?: string) =>
  bot === undefined
    ? (await openFlows(read, scope, rooms)).map(({ task: _task, ...flow }) => flow)
    : ((await openFlowsByBot(read, scope, rooms)).get(bot) ?? []).map(({ flow }) => flow)

/** GET /bot/live: open conversations and present editors of the bots of a page, in one call. */
const addLiveBots = (
  app: FastifyInstance,
  { read }: Parts,
  rooms: Rooms,
  conversations: Pick<Conversations, 'records'> | undefined,
): void => {
  handle(app, 'GET /bot/live', { permission: 'readbot' }, async request => {
    const { scope } = sessionOf(request)
    const ids = Object.keys((await read.names(scope, { bot: request.query.ids })).bot ?? {})
    const open = (await conversations?.records())?.open(ids) ?? []
    const counts = new Map(open.map(count => [count.bot, count]))
    const flows = await openFlowsByBot(read, scope, rooms)
    const shown = shownCount(mayReadWords(scope))
    const items = ids.map(id => {
      const { talking = 0, agents = 0 } = counts.get(id) ?? {}
      const people = (flows.get(id) ?? []).flatMap(({ flow }) => flow.people)
      const editing = new Map(people.map(({ user, name }) => [user, { user, name }]))
      return { id, talking: shown(talking), agents: shown(agents), editing: [...editing.values()] }
    })
    return { items }
  })
}

/** Data of the shell around the entities: home, global search, names of people, the newest release note. */
export const addOverview = (
  app: FastifyInstance,
  parts: Parts,
  rooms: Rooms,
  conversations: Pick<Conversations, 'records'> | undefined,
): void => {
  const { read } = parts
  handle(app, 'GET /home', {}, async (request, reply) => {
    const { scope, caller } = sessionOf(request)
    const live = await liveHome(read, conversations, scope)
    const editing = await activeEditors(read, scope, rooms)
    return reply.send({
      ...(await read.home(scope, caller.permits('unlockuser'))),
      editing,
      ...(live === undefined ? {} : { live }),
    })
  })

  addBotsMetrics(app, parts, conversations)
  addLiveBots(app, parts, rooms, conversations)

  handle(app, 'GET /search', {}, async (request, reply) => {
    const { search, size } = request.query
    if (search.trim() === '') return { items: [] }
    const items = await read.search(sessionOf(request).scope, search, size)
    if (items.length >= size) return reply.send({ items })
    const inFlows = await searchFlows(parts, request, search.trim())
    const others = inFlows.filter(({ id }) => !items.some(item => item.id === id))
    return reply.send({ items: [...items, ...others].slice(0, size) })
  })

  handle(app, 'GET /people', {}, async request => ({
    items: await read.people(sessionOf(request).scope, request.query.ids),
  }))

  handle(app, 'GET /releasenote/latest', {}, async (_request, reply) => {
    const newest = await newestRelease(read)
    if (newest === undefined) return {}
    const { name, major, minor, patch, improvement, bugfix } = newest
    return reply.send({ name, major, minor, patch, improvement, bugfix })
  })
}

/** The highest version, not the latest written: a note may be added for an older one. */
async function newestRelease(read: ReadModels): Promise<Row | undefined> {
  const highest = async (field: string, filter: Readonly<Record<string, Json>>) =>
    (await read.list(SYSTEM_SCOPE, 'releasenote', { sort: `-${field}`, page: 1, size: 1, filter })).items[0]
  const byMajor = await highest('major', {})
  if (byMajor === undefined) return undefined
  const byMinor = await highest('minor', { major: byMajor.major ?? 0 })
  return highest('patch', { major: byMajor.major ?? 0, minor: byMinor?.minor ?? 0 })
}

/** The sample workspace: whether it is being made, and its removal. */
export const addSample = (app: FastifyInstance, sample: Sample): void => {
  handle(app, 'GET /sample', {}, request => sample.state(sessionOf(request).caller))

  handle(app, 'DELETE /sample', { permission: 'deletehierarchy' }, async request => {
    const removed = await sample.remove(sessionOf(request).caller)
    return { ...removed, kept: [...removed.kept] }
  })
}

/** GET /{nlusettings,nluproject,brain,agentchannel}/{id}/running: whether running bots follow what is stored, within five seconds. */
export const addRunningBots = (app: FastifyInstance, { read }: Parts, running: RunningNlu): void => {
  for (const entity of RUNNING_SOURCES)
    handle(app, `GET /${entity}/{id}/running`, { permission: `read${entity}` }, async (request, reply) => {
      const { id } = request.params
      const row = await read.detail(sessionOf(request).scope, entity, id)
      return row === undefined ? refuse(reply, { code: 'entity.notfound' }) : running.ask({ entity, id })
    })
}

/** Titles of many things in one call; each kind by its own read permission. */
export const addNames = (app: FastifyInstance, { read }: Parts): void => {
  handle(app, 'POST /names', { effect: 'reads' }, async request =>
    read.names(sessionOf(request).scope, request.body.ids),
  )
}

/** Bots that the home page shows. */
const MAX_LIVE = 5
const COUNTERS = ['started', 'closed', 'contained', 'turns.text', 'turns.unrecognized']

/** State of bots now, and their day up to now; undefined before the first conversation. */
export const liveBots = async (
  conversations: Pick<Conversations, 'records'> | undefined,
  scope: Scope,
  bots: readonly Pick<RowOf<'bot'>, 'id' | 'name' | 'timezone'>[],
): Promise<readonly LiveBot[] | undefined> => {
  const records = await conversations?.records()
  if (records === undefined) return undefined
  const shown = shownCount(mayReadWords(scope))
  const now = Date.now()
  const open = new Map(records.open(bots.map(({ id }) => id)).map(count => [count.bot, count]))
  return bots.map(({ id, name, timezone }) => {
    const day = dayIn(now, timezone || DEFAULT_ZONE)
    const counts = records.metrics.counts({ bot: id, from: day, to: day }, undefined, COUNTERS)
    const of = (counter: string) => shown(counts.reduce((sum, { what, n }) => (what === counter ? sum + n : sum), 0))
    const { talking = 0, agents = 0, waiting = 0 } = open.get(id) ?? {}
    return {
      ...{ id, name: name ?? '', day, talking: shown(talking), agents: shown(agents), waiting: shown(waiting) },
      ...{ started: of('started'), closed: of('closed'), contained: of('contained') },
      ...{ texts: of('turns.text'), unrecognized: of('turns.unrecognized') },
    }
  })
}

/** Days of the web chat that its bot's overview shows. */
const WEBCHAT_DAYS = 14

/** Conversations of a bot by web chat, day by day. */
export const webChatDays = (
  metrics: MetricQuery,
  scope: Scope,
  { id, timezone }: Pick<RowOf<'bot'>, 'id' | 'timezone'>,
): BotOverview['webchat'] => {
  const shown = shownCount(mayReadWords(scope))
  const to = dayIn(Date.now(), timezone || DEFAULT_ZONE)
  const from = dayBefore(to, WEBCHAT_DAYS - 1)
  const days = Array.from({ length: WEBCHAT_DAYS }, (_, at) => dayBefore(to, WEBCHAT_DAYS - 1 - at))
  const filter = { bot: id, from, to, channel: 'webchat' }
  const started = new Map(metrics.counts(filter, 'day', ['started']).map(({ group, n }) => [group, n]))
  return {
    first: metrics.firstDay(filter) ?? null,
    days: days.map(day => ({ day, started: shown(started.get(day) ?? 0) })),
  }
}

/** Bots with conversations now or today, for the home page. */
const liveHome = async (
  read: ReadModels,
  conversations: Pick<Conversations, 'records'> | undefined,
  scope: Scope,
): Promise<{ readonly items: readonly LiveBot[]; readonly more: number } | undefined> => {
  if (scope.readable !== 'all' && !scope.readable.has('bot')) return undefined
  const live = await liveBots(conversations, scope, await allRows(read, scope, 'bot'))
  // A hidden count is not 0.
  const isLive = ({ talking, agents, started }: LiveBot) => [talking, agents, started].some(count => count !== 0)
  const found = live?.filter(isLive).toSorted((one, other) => (other.started ?? 0) - (one.started ?? 0))
  return found && { items: found.slice(0, MAX_LIVE), more: Math.max(0, found.length - MAX_LIVE) }
}

/** GET /bot/metrics: the figures of each bot that the caller may read. */
const addBotsMetrics = (
  app: FastifyInstance,
  { read }: Parts,
  conversations: Pick<Conversations, 'records'> | undefined,
): void => {
  handle(app, 'GET /bot/metrics', { permission: 'readbot' }, async request => {
    const { days, page, size } = request.query
    const { scope } = sessionOf(request)
    const shown = shownCount(mayReadWords(scope))
    const now = Date.now()
    const bots = (await allRows(read, scope, 'bot')).map(({ id, name, timezone }) => {
      const to = dayIn(now, timezone || DEFAULT_ZONE)
      return { id, name: name ?? '', from: dayBefore(to, days - 1), to }
    })
    const metrics = (await conversations?.records())?.metrics
    const counts = new Map<string, number>()
    // Somewhere the next day has begun.
    for (const [to, group] of Map.groupBy(bots, bot => bot.to)) {
      const filter = { bots: group.map(({ id }) => id), from: dayBefore(to, days - 1), to }
      for (const { bot, what, n } of metrics?.ofBots(filter, [...COUNTERS, 'handoff', 'completed']) ?? [])
        counts.set(`${bot} ${what}`, n)
    }
    const sumOf = (of: readonly { readonly id: string }[], what: string) =>
      of.reduce((sum, { id }) => sum + (counts.get(`${id} ${what}`) ?? 0), 0)
    const figuresOf = (of: readonly { readonly id: string }[]) => ({
      started: shown(sumOf(of, 'started')),
      closed: shown(sumOf(of, 'closed')),
      contained: shown(sumOf(of, 'contained')),
      handoff: shown(sumOf(of, 'handoff')),
      completed: shown(sumOf(of, 'completed')),
      texts: shown(sumOf(of, 'turns.text')),
      unrecognized: shown(sumOf(of, 'turns.unrecognized')),
    })
    const items = bots
      .toSorted(
        (one, other) => sumOf([other], 'started') - sumOf([one], 'started') || one.name.localeCompare(other.name),
      )
      .slice((page - 1) * size, page * size)
      .map(bot => ({ ...bot, ...figuresOf([bot]) }))
    return { days, all: figuresOf(bots), items, total: bots.length, page, size }
  })
}

/** Whole bots to begin from. */
export const addBotTemplates = (app: FastifyInstance, parts: Parts): void => {
  handle(app, 'GET /bottemplate', { permission: 'createbot' }, async request => {
    const { BOT_TEMPLATES } = await import('#runtime/bottemplate/bot-templates.ts')
    const items = BOT_TEMPLATES.map(({ key, write }) => {
      const { name, description, segment, sketch, tests } = write(request.language)
      const blocks = sketch.reduce((sum, { pieces }) => sum + pieces.length, 0)
      return { key, name, description, segment, blocks, tests: tests.length }
    })
    return { items }
  })

  handle(app, 'POST /bottemplate/{key}', { permission: 'createbot' }, async (request, reply) => {
    const { createFromTemplate } = await import('#runtime/bottemplate/create-from-template.ts')
    const { name, hierarchylevel } = request.body
    const level = hierarchylevel ?? sessionOf(request).access.level
    const made = await runWrite(parts, request, reply, async (seed, caller) => {
      const of = { key: request.params.key, language: request.language, name, level, caller, seed }
      const bot = await createFromTemplate({ ...parts, ...of })
      return bot.ok ? accepted({ result: { ...bot.value } }) : bot
    })
    return made === undefined ? reply : (made as AnswerOf<'POST /bottemplate/{key}'>)
  })
}
