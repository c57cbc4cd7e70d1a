import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '#commands/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { DeskQueue } from '#runtime/agent/desk/desk-directory.ts'
import type { DeskRow } from '#runtime/agent/desk/desk-index.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { FoldedConversation } from '#runtime/conversation/engine/folded-conversation.ts'
import type { DESK_VIEWS, DeskMe, DeskSummary } from '#schemas/api/desk.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { singleId } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { accepted } from '#schemas/refusal.ts'
import {
  auditAct,
  botsOf,
  type DeskParts,
  type DeskViewer,
  deskOf,
  deskViewer,
  type FoundChat,
  findChat,
  isBoss,
  isMember,
  listedFor,
  mayReadChat,
  queuesBelow,
  queuesOf,
  withRevealed,
} from '../desk/desk-access.ts'
import { deskCannedOf, deskDetailOf } from '../desk/desk-detail.ts'
import { deskMetricsCsv, deskMetricsOf } from '../desk/desk-metrics.ts'
import { deskChatOf, isPhone, timeOf } from '../desk/desk-row.ts'
import { handle } from '../http/handle.ts'
import { refuse } from '../problem.ts'
import { callerOf, runWrite, sessionOf } from './command.ts'
import { recordReading } from './conversation.ts'
import { addDeskChat } from './desk-chat.ts'

/** Conversations that are read at a time: names are sealed in them, and in no index. */
const READ_AT_ONCE = 50
/** Letters of an id, with or without its hyphens. */
const ID = /^[0-9a-f-]{4,36}$/u
const NUMBER = /^[\d\s()+.-]{4,30}$/u
/** Digits of a number that everybody at the desk sees. */
const SHOWN_DIGITS = 4

/** Whether a text is part of a person's name, or of their number. Callers who see its last digits only must give these, or all. */
const isPersonNamed = ({ user }: FoldedConversation, text: string, mayReadAll: boolean): boolean => {
  if (folded(user.name ?? '').includes(folded(text))) return true
  if (!NUMBER.test(text) || !isPhone(user.id)) return false
  const [asked, number] = [text, user.id].map(each => each.replaceAll(/\D/gu, '')) as [string, string]
  if (mayReadAll) return number.includes(asked)
  return number === asked || (asked.length === SHOWN_DIGITS && number.endsWith(asked))
}

/** Those of some chats whose id, or whose person, a text names. Of chats that the viewer may not read only the id counts. */
const searchChats = async (
  {
    desk,
    viewer,
    queueOf,
  }: {
    readonly desk: OwnDesk
    readonly viewer: DeskViewer
    readonly queueOf: (row: DeskRow) => Promise<DeskQueue | undefined>
  },
  rows: readonly DeskRow[],
  search: string,
): Promise<readonly DeskRow[]> => {
  const text = search.trim()
  const start = ID.test(text.toLowerCase()) ? text.toLowerCase().replaceAll('-', '') : undefined
  const mayReadAll = viewer.can('readconversation')
  const isFound = async (row: DeskRow): Promise<boolean> => {
    if (start !== undefined && row.conversation.replaceAll('-', '').startsWith(start)) return true
    if (!mayReadChat(viewer, row, await queueOf(row), Date.now())) return false
    const held = await desk.load(row.conversation)
    return held !== undefined && isPersonNamed(held, text, mayReadAll)
  }
  const found: DeskRow[] = []
  for (let first = 0; first < rows.length; first += READ_AT_ONCE) {
    const some = rows.slice(first, first + READ_AT_ONCE)
    const areFound = await Promise.all(some.map(isFound))
    found.push(...some.filter((_, place) => areFound[place]))
  }
  return found
}

const AGENT = { permission: 'answerconversation' } as const
/** The desk itself; the rows of each user are limited further. */
const VIEWER = { permission: 'showdesk' } as const

/** Key and name of the reason for which a user is on a break. */
const reasonOf = async (desk: OwnDesk, user: string): Promise<Pick<DeskMe, 'reason' | 'reasonname'>> => {
  const reason = desk.index.place(user)?.reason ?? null
  const known =
    reason === null ? undefined : (await desk.directory.pauseReasons(user)).find(({ key }) => key === reason)
  return { reason, reasonname: known?.name ?? null }
}

/** State, load and profile of a user as an agent. */
export const deskMe = async (desk: OwnDesk, user: string, isAgent: boolean): Promise<DeskMe> => {
  const place = desk.index.place(user)
  const { capacity, ...profile } = await desk.directory.profile(user)
  return {
    state: place?.state ?? 'offline',
    ...(await reasonOf(desk, user)),
    since: timeOf(place?.since ?? 0),
    until: place?.until ? timeOf(place.until) : null,
    load: desk.index.load(user),
    capacity,
    present: desk.presence.isPresent(user),
    isagent: isAgent,
    name: profile.name,
  }
}

/** Audit line of a chat that is read by another user than its holder, or for them. Returns whether it is. */
const recordLook = async (
  { parts }: DeskParts,
  request: FastifyRequest,
  { viewer, row, bot }: FoundChat,
): Promise<boolean> => {
  const isLookedAt = sessionOf(request).access.seenBy !== undefined
  if (row.holder === viewer.user && !isLookedAt) return false
  const reading = { verb: 'opened', conversation: row.conversation, bot: row.bot, level: bot.hierarchylevel } as const
  await recordReading(parts, request, reading)
  return true
}

const isAgentIn = async (desk: OwnDesk, viewer: DeskViewer): Promise<boolean> =>
  viewer.can('answerconversation') && (await desk.directory.queues()).some(queue => isMember(viewer, queue))

const STATUSES = {
  mine: ['held'],
  waiting: ['waiting'],
  snoozed: ['snoozed'],
  all: ['waiting', 'held', 'snoozed'],
  closed: ['closed'],
} as const satisfies Readonly<Record<(typeof DESK_VIEWS)[number], readonly DeskRow['status'][]>>
const ORDERS = { mine: 'mine', waiting: 'waiting', snoozed: 'mine', all: 'waiting', closed: 'newest' } as const

/** Numbers of chats in each view of a user. */
export const deskCounts = async (desk: OwnDesk, viewer: DeskViewer, queue?: string) => {
  const [bots, queues] = await Promise.all([botsOf(desk, viewer), queuesOf(desk, viewer)])
  const { queues: listed, orHolder } = listedFor(viewer, queues)
  const [visible, within] = [new Set(bots), listed && new Set(listed)]
  const counts = { waiting: 0, mine: 0, snoozed: 0, all: 0 }
  for (const chat of desk.index.open()) {
    if (!visible.has(chat.bot) || (queue !== undefined && chat.queue !== queue)) continue
    const isListed = within?.has(chat.queue) !== false || [chat.holder, chat.lastholder].includes(orHolder ?? '')
    if (!isListed) continue
    counts.all += 1
    if (chat.status === 'waiting') counts.waiting += 1
    else if (chat.holder === viewer.user) counts[chat.status === 'held' ? 'mine' : 'snoozed'] += 1
  }
  return counts
}

/** Chats that a search reads, the first of the list. */
const MAX_SEARCHED = { open: 2_000, closed: 500 } as const

const addLists = (app: FastifyInstance, given: DeskParts): void => {
  handle(app, 'GET /desk/chat', VIEWER, async request => {
    const desk = await deskOf(given)
    const viewer = await withRevealed(given.parts, deskViewer(request))
    const { view, queue, bot, channeltype, search, page, size } = request.query
    const [bots, own] = await Promise.all([botsOf(desk, viewer, bot), queuesOf(desk, viewer)])
    const filter = {
      bots,
      statuses: STATUSES[view],
      ...listedFor(viewer, own),
      ...(view === 'mine' || view === 'snoozed' ? { holder: viewer.user } : {}),
      ...(queue === undefined ? {} : { queue }),
      ...(channeltype === undefined ? {} : { channeltype }),
    }
    const queueOf = (row: DeskRow) => desk.directory.queue(row.queue)
    const isSearch = search !== undefined && search.trim() !== ''
    const listed = isSearch
      ? desk.index.list(filter, ORDERS[view], 1, MAX_SEARCHED[view === 'closed' ? 'closed' : 'open'])
      : desk.index.list(filter, ORDERS[view], page, size)
    const found = isSearch ? await searchChats({ desk, viewer, queueOf }, listed.items, search) : listed.items
    const items = isSearch ? found.slice((page - 1) * size, page * size) : found
    const total = isSearch ? found.length : listed.total
    const now = Date.now()
    const shown = items.map(async row => {
      const of = await given.parts.read.detail(viewer.scope, 'bot', row.bot)
      return of === undefined ? [] : [await deskChatOf({ desk, viewer, row, bot: of, queue: await queueOf(row), now })]
    })
    return { items: (await Promise.all(shown)).flat(), total, page, size }
  })

  handle(app, 'GET /desk/chat/{id}', VIEWER, async (request, reply) => {
    const viewer = await withRevealed(given.parts, deskViewer(request), request.params.id)
    const found = await findChat(given, request, reply, viewer)
    if (found === undefined) return reply
    const { desk, row, bot, queue } = found
    const now = Date.now()
    const held = await desk.load(row.conversation)
    const mayRead = held !== undefined && mayReadChat(viewer, row, queue, now)
    if (!mayRead && row.holder !== null && viewer.can('revealconversation')) {
      const { name: agent } = await desk.directory.profile(row.holder)
      return refuse(reply, { code: 'desk.ask', params: { agent, queue: queue?.name ?? '' } })
    }
    if (!mayRead) return refuse(reply, { code: 'entity.notfound' })
    if (!(await recordLook(given, request, found))) await desk.work.opened(row.conversation, viewer.user)
    return deskDetailOf({ given, desk, viewer, row, bot, queue, held, now })
  })

  handle(app, 'GET /desk/chat/{id}/canned', AGENT, async (request, reply) => {
    const found = await findChat(given, request, reply)
    if (found === undefined) return reply
    const held = await found.desk.load(found.row.conversation)
    // Answers hold values of the person.
    if (held === undefined || found.row.holder !== found.viewer.user) return refuse(reply, { code: 'entity.notfound' })
    await recordLook(given, request, found)
    return deskCannedOf({ ...found, given, held, now: Date.now() }, request.query)
  })
}

const agentsOf = async (
  desk: OwnDesk,
  viewer: DeskViewer,
  queues: Awaited<ReturnType<typeof queuesOf>>,
): Promise<DeskSummary['agents']> => {
  const users = new Set(queues.flatMap(({ members }) => members.map(({ user }) => user)))
  const all = viewer.can('superviseconversation')
  return Promise.all(
    [...users].map(async user => {
      const { name, avatar, capacity } = await desk.directory.profile(user)
      const place = desk.index.place(user)
      return {
        user,
        name,
        ...(avatar === '' ? {} : { avatar }),
        state: place?.state ?? ('offline' as const),
        ...(all || user === viewer.user ? await reasonOf(desk, user) : { reason: null, reasonname: null }),
        load: desk.index.load(user),
        capacity,
        present: desk.presence.isPresent(user),
      }
    }),
  )
}

const addSummary = (app: FastifyInstance, given: DeskParts): void => {
  handle(app, 'GET /desk/summary', VIEWER, async request => {
    const desk = await deskOf(given)
    const viewer = deskViewer(request)
    const { queue } = request.query
    const now = Date.now()
    const [visible, all, levels, below] = await Promise.all([
      queuesOf(desk, viewer),
      desk.directory.queues(),
      desk.directory.levelsAbove(viewer.level),
      queuesBelow(desk, viewer),
    ])
    const queues = visible.filter(({ id }) => queue === undefined || id === queue)
    const bots = new Set(await botsOf(desk, viewer))
    const above = new Set(levels)
    const isNear = (each: DeskQueue) =>
      above.has(each.hierarchylevel ?? '') || below.has(each) || isMember(viewer, each)
    const answer: DeskSummary = {
      me: await deskMe(desk, viewer.user, await isAgentIn(desk, viewer)),
      counts: await deskCounts(desk, viewer, queue),
      queues: await Promise.all(
        queues.map(async each => {
          // A queue of a level above has chats of other bots.
          const chats = desk.index.rowsIn(each.id).filter(({ bot }) => bots.has(bot))
          const waiting = chats.filter(({ status }) => status === 'waiting')
          const { isOpen, closes } = await desk.directory.opening(each, now)
          const isThere = ({ user }: { readonly user: string }) =>
            desk.index.place(user)?.state === 'available' && desk.presence.isPresent(user)
          return {
            id: each.id,
            name: each.name,
            open: isOpen,
            closesat: closes === undefined ? null : timeOf(closes),
            waiting: waiting.length,
            held: chats.length - waiting.length,
            oldest: waiting.length === 0 ? null : timeOf(Math.min(...waiting.map(({ since }) => since))),
            available: each.members.filter(isThere).length,
          }
        }),
      ),
      agents: await agentsOf(desk, viewer, queues),
      enabled: all.some(each => each.enable && isNear(each)),
      pausereasons: [...(await desk.directory.pauseReasons(viewer.user))],
      self: await selfOf(given, viewer.user),
    }
    return answer
  })
}

const selfOf = async ({ parts }: DeskParts, user: string): Promise<DeskSummary['self']> => {
  const row = await parts.read.detail(SYSTEM_SCOPE, 'deskagent', singleId('deskagent', user))
  return {
    display_name: row?.display_name ?? null,
    capacity: row?.capacity ?? 4,
    sound_chat: row?.sound_chat ?? 'always',
    sound_message: row?.sound_message ?? 'unfocused',
    sound_repeat: row?.sound_repeat ?? true,
    show_words: row?.show_words ?? false,
    onphone: row?.onphone ?? false,
  }
}

const addStates = (app: FastifyInstance, given: DeskParts): void => {
  const { parts } = given
  handle(app, 'PUT /desk/state', VIEWER, async (request, reply) => {
    const desk = await deskOf(given)
    const viewer = deskViewer(request)
    const { state, reason, until, user = viewer.user } = request.body
    const isOther = user !== viewer.user
    if (!viewer.can(isOther ? 'superviseconversation' : 'answerconversation'))
      return refuse(reply, { code: 'access.forbidden' })
    const person = isOther ? await parts.read.detail(viewer.scope, 'user', user) : undefined
    if (isOther && person === undefined) return refuse(reply, { code: 'entity.notfound' })
    const reasons = reason === undefined ? [] : await desk.directory.pauseReasons(user)
    if (reason !== undefined && !reasons.some(({ key }) => key === reason))
      return refuse(reply, { code: 'validation.failed', errors: [{ path: 'reason', code: 'option' }] })
    const ends = state === 'paused' && until !== undefined ? Date.parse(until) : undefined
    const done = await runWrite(parts, request, reply, async () => {
      const by = isOther ? 'supervisor' : 'self'
      const place = await desk.places.setState(
        user,
        { state, reason: state === 'paused' ? reason : undefined, until: ends },
        by,
      )
      const fields = { user, state, ...(reason === undefined ? {} : { reason }) }
      const act = { type: 'AgentStateSet', level: person?.hierarchylevel ?? null, fields } as const
      const position = isOther ? await auditAct(given, request, act) : undefined
      return accepted({ ...(position === undefined ? {} : { position }), result: { since: place.since } })
    })
    if (done === undefined) return reply
    await desk.placed(user, Number(done.since))
    return deskMe(desk, user, isOther || (await isAgentIn(desk, viewer)))
  })

  handle(app, 'PATCH /desk/self', AGENT, async (request, reply) => {
    const desk = await deskOf(given)
    const viewer = deskViewer(request)
    const caller = callerOf(request)
    // Their own profile needs no right to change those of others.
    const own: Caller = {
      ...caller,
      permits: permission => permission === 'updatedeskagent' || caller.permits(permission),
    }
    const done = await runWrite(parts, request, reply, async seed => {
      const outcome = await parts.commands.execute({
        entity: 'deskagent',
        action: 'change',
        id: singleId('deskagent', viewer.user),
        input: request.body as JsonObject,
        caller: own,
        correlation: request.id,
        seed,
      })
      return outcome.ok ? accepted({ position: outcome.position }) : outcome
    })
    return done === undefined ? reply : deskMe(desk, viewer.user, await isAgentIn(desk, viewer))
  })
}

/** POST /desk/enable: a bot hands people over to the desk from now on. */
const addEnable = (app: FastifyInstance, given: DeskParts): void => {
  const { parts } = given
  const NAMES = { en: 'Service', pt: 'Atendimento', es: 'Atención' } as const
  handle(app, 'POST /desk/enable', { permission: 'createagentchannel' }, async (request, reply) => {
    const { scope, access } = sessionOf(request)
    const bot = await parts.read.detail(scope, 'bot', request.body.bot)
    if (bot === undefined) return refuse(reply, { code: 'entity.notfound' })
    const desk = await deskOf(given)
    const done = await runWrite(parts, request, reply, async (seed, caller) => {
      const make = async (entity: string, input: JsonObject) => {
        const asked = { entity, action: 'create', id: '', input, caller, correlation: request.id }
        return parts.commands.execute({ ...asked, seed: `${seed} ${entity}` })
      }
      const levels = new Set(await desk.directory.levelsAbove(bot.hierarchylevel ?? ''))
      const queues = (await desk.directory.queues()).filter(({ hierarchylevel: at }) => levels.has(at ?? ''))
      let queue = queues.find(({ enable }) => enable)?.id
      let position: string | undefined
      if (queue === undefined) {
        const members = [{ user: access.user, priority: 1 }]
        const fields = { name: NAMES[request.language], members, hierarchylevel: bot.hierarchylevel ?? '' }
        const made = await make('deskqueue', fields)
        if (!made.ok) return made
        queue = made.id
        position = made.position
      }
      const channels = await allRows(parts.read, SYSTEM_SCOPE, 'agentchannel', {
        bot: bot.id,
        type: 'parley',
        enable: true,
      })
      let agentchannel = channels[0]?.id
      if (agentchannel === undefined) {
        const made = await make('agentchannel', { bot: bot.id, type: 'parley', name: NAMES[request.language] })
        if (!made.ok) return made
        agentchannel = made.id
        position = made.position
      }
      return accepted({ ...(position === undefined ? {} : { position }), result: { queue, agentchannel } })
    })
    return done === undefined ? reply : (done as unknown as AnswerOf<'POST /desk/enable'>)
  })
}

/** POST /deskqueue/{id}/move: empties a queue, so that it can be removed. */
const addMove = (app: FastifyInstance, given: DeskParts): void => {
  const { parts } = given
  handle(app, 'POST /deskqueue/{id}/move', { permission: 'assignconversation' }, async (request, reply) => {
    const desk = await deskOf(given)
    const viewer = deskViewer(request)
    const { id } = request.params
    const { to } = request.body
    const [from, target] = await Promise.all(
      [id, to].map(async queue => (await parts.read.detail(viewer.scope, 'deskqueue', queue)) && queue),
    )
    if (from === undefined) return refuse(reply, { code: 'entity.notfound' })
    const queue = target === undefined || target === from ? undefined : await desk.directory.queue(target)
    if (queue === undefined)
      return refuse(reply, { code: 'validation.failed', errors: [{ path: 'to', code: 'reference' }] })
    const done = await runWrite(parts, request, reply, async () => {
      const moved = await desk.work.move(from, queue, { user: viewer.user, isBoss: isBoss(viewer) })
      if (!moved.ok) return moved
      let position: string | undefined
      for (const { conversation, bot, revision } of moved.value) {
        const level = (await parts.read.detail(SYSTEM_SCOPE, 'bot', bot))?.hierarchylevel ?? null
        const act = { type: 'ConversationTransferred', level, fields: { conversation, bot, queue: to } } as const
        position = await auditAct(given, request, act)
        await desk.shown(conversation, revision)
      }
      return accepted({ ...(position === undefined ? {} : { position }), result: { moved: moved.value.length } })
    })
    return done === undefined ? reply : { moved: Number(done.moved) }
  })
}

/** POST /conversation/{id}/takeover: from the next turn on, a user answers instead of the bot. */
const addTakeover = (app: FastifyInstance, given: DeskParts): void => {
  const { parts, conversations } = given
  handle(app, 'POST /conversation/{id}/takeover', { permission: 'takeoverconversation' }, async (request, reply) => {
    const viewer = deskViewer(request)
    const desk = await deskOf(given)
    const record = (await conversations.records())?.get(request.params.id)
    const bot = record && (await parts.read.detail(viewer.scope, 'bot', record.bot))
    if (record === undefined || bot === undefined) return refuse(reply, { code: 'entity.notfound' })
    if (!viewer.can('answerconversation')) return refuse(reply, { code: 'access.forbidden' })
    const by = { user: viewer.user, isBoss: isBoss(viewer) }
    const done = await runWrite(parts, request, reply, async () => {
      const written = await desk.work.takeOver(record.id, by, request.body.queue)
      if (!written.ok) return written
      const fields = { conversation: record.id, bot: record.bot }
      const act = { type: 'ConversationTakenOver', level: bot.hierarchylevel, fields } as const
      return accepted({ position: await auditAct(given, request, act), result: { revision: written.value.revision } })
    })
    if (done === undefined) return reply
    await desk.held(record.id, viewer.user)
    return { revision: desk.index.get(record.id)?.revision ?? Number(done.revision) }
  })
}

/** GET /desk/metrics: figures of the desk; of the caller alone without `superviseconversation`. */
const addMetrics = (app: FastifyInstance, given: DeskParts): void => {
  handle(app, 'GET /desk/metrics', VIEWER, async request =>
    deskMetricsOf(given, await deskOf(given), deskViewer(request), request.query),
  )
  handle(app, 'GET /desk/metrics/export', { permission: 'exportdesk' }, async (request, reply) => {
    const viewer = deskViewer(request)
    const metrics = await deskMetricsOf(given, await deskOf(given), viewer, request.query)
    const { from, to, by } = metrics
    await auditAct(given, request, { type: 'DeskExported', level: viewer.level, fields: { from, to, by } })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="desk-${from}-${to}.csv"`)
      .send(deskMetricsCsv(metrics))
  })
}

/** Parley's own desk. */
export const addDesk = (app: FastifyInstance, given: DeskParts): void => {
  addLists(app, given)
  addSummary(app, given)
  addMetrics(app, given)
  addStates(app, given)
  addEnable(app, given)
  addDeskChat(app, given)
  addMove(app, given)
  addTakeover(app, given)
}
