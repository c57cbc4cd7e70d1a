import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReadModels, Row, Scope } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Rooms } from '#realtime/port.ts'
import type { Conversations } from '#runtime/port.ts'
import type { Sample } from '#runtime/sample/open-sample.ts'
import type { RunningNlu } from '#runtime/service/running-nlu.ts'
import { RUNNING_SOURCES } from '#schemas/api/home.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
import { liveHome } from './live-bots.ts'

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

/** Open flows and their editors that the caller may see; with `bot` its flows alone. */
export const activeEditors = async (read: ReadModels, scope: Scope, rooms: Rooms, bot?: string) => {
  const seen = await Promise.all(
    rooms.present().map(async ({ kind, id, members }) => {
      if (scope.readable !== 'all' && !scope.readable.has(kind)) return []
      const row = await read.detail(scope, kind, id)
      if (row === undefined) return []
      if (bot !== undefined && (await read.detail(scope, 'dialogtask', String(row.dialogtask)))?.bot !== bot) return []
      const people = members.map(({ user, name, color }) => ({ user, name, color }))
      return [{ entity: kind, id, name: String(row.name), people }]
    }),
  )
  return seen.flat().filter(({ people }) => people.length > 0)
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
