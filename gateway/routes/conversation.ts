import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listReleases, releaseNumber } from '#commands/release/make-release.ts'
import { dayBefore } from '#domain/metrics/conversation-fact.ts'
import { shownCount } from '#domain/metrics/shown-count.ts'
import { type Losses, type RevisionLosses, worsenedBlocks } from '#domain/metrics/worsened-blocks.ts'
import type { FlowMoment, ReadModels, RowOf, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { deliveriesOf } from '#runtime/channel/exchange/delivery-state.ts'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import { dayOf, dropoffOf, type VisitIndex } from '#runtime/conversation/index/visit-index.ts'
import type {
  ChatMessage,
  ConversationFilter,
  ConversationRecord,
  ConversationRecords,
  Conversations,
} from '#runtime/port.ts'
import type { ConversationItem, ReplayAgentMessage, ReplayDeskEvent, ReplayTurn } from '#schemas/api/conversation.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { accepted } from '#schemas/refusal.ts'
import { asJson, asText, nextLink, type Pace, pageText, transcriptPage, transcriptText } from '../chat/transcript.ts'
import { deskViewer, revealedUntil, withRevealed } from '../desk/desk-access.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle, type IdRequest, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { requireStillPermitted, runWrite, sessionOf } from './command.ts'

export interface ConversationParts {
  readonly parts: Parts
  readonly conversations: Conversations & { exchange?(): Promise<Exchange> }
}

/** Letters of what was said last that a list shows. */
const MAX_SAID = 200
const CONFIG = { permission: 'readbot' } as const

/** Permission to read messages and authors. */
export const mayReadWords = ({ readable }: Scope): boolean => readable === 'all' || readable.has('conversation')

const itemOf = ({ started, last, ended, retained, status, ...record }: ConversationRecord): ConversationItem => ({
  ...record,
  status: status as ConversationItem['status'],
  retained,
  started: new Date(started).toISOString(),
  last: new Date(last).toISOString(),
  ended: ended === null ? null : new Date(ended).toISOString(),
})

/** The person of a conversation and what was said last in it, for who may read words. */
const wordsOf = async (conversations: Conversations, id: string) => {
  const [owner, page] = await Promise.all([conversations.owner(id), conversations.newest(id, 1)])
  const [last] = page?.messages ?? []
  const text = [last?.text, last?.title, last?.address].find(one => typeof one === 'string' && one !== '')
  return {
    name: owner?.user.name ?? null,
    said: last === undefined || typeof text !== 'string' ? null : { from: last.from, text: text.slice(0, MAX_SAID) },
  }
}

const NO_WORDS = { name: null, said: null } as const

const MAX_DAYS = 366
/** Default number of counted days. */
const USUAL_DAYS = 14

/** Days that are counted (YYYY-MM-DD), at most a leap year: an earlier beginning is moved, and the answer names it. */
export const countedDays = (
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
  usualDays: number,
) => {
  const last = to ?? today
  const first = from ?? dayBefore(last, usualDays - 1)
  const earliest = dayBefore(last, MAX_DAYS - 1)
  return { from: first < earliest ? earliest : first, to: last }
}

interface Found {
  readonly records: ConversationRecords
  readonly record: ConversationRecord
  readonly scope: Scope
  /** Level of the bot. */
  readonly level: string | null
}

/** Writes to the audit whose words are about to be answered: under the name of the person who looks, also while they see as another. */
export const recordReading = async (
  { record }: Pick<Parts, 'record'>,
  request: FastifyRequest,
  reading: Omit<Parameters<Parts['record']['read']>[0], 'caller' | 'correlation'>,
): Promise<void> => {
  const { access, caller } = sessionOf(request)
  const looker = { ...caller, user: access.seenBy?.user ?? caller.user }
  await record.read({ ...reading, caller: looker, correlation: request.id })
}

/** Of a forgotten person there is nothing left to read. */
const recordOpening = async (
  { parts, conversations }: ConversationParts,
  request: FastifyRequest,
  { record, level }: Found,
  part?: string,
): Promise<void> => {
  if ((await conversations.owner(record.id)) === undefined) return
  const { id: conversation, bot } = record
  const verb = part === undefined ? 'opened' : 'exported'
  await recordReading(parts, request, { verb, conversation, bot, level, ...(part === undefined ? {} : { part }) })
}

/** A conversation of a bot that may be seen; undefined after it was refused. */
export const findConversation = async (
  { parts, conversations }: ConversationParts,
  request: IdRequest,
  reply: FastifyReply,
): Promise<Found | undefined> => {
  const { scope } = sessionOf(request)
  const records = await conversations.records()
  const record = records?.get(request.params.id)
  const bot = record && (await parts.read.detail(scope, 'bot', record.bot))
  if (records !== undefined && record !== undefined && bot !== undefined)
    return { records, record, scope, level: bot.hierarchylevel }
  await refuse(reply, { code: 'entity.notfound' })
  return undefined
}

/** Whether a caller may read a conversation: by their right, or until a moment (ISO) because they asked to see it. */
const readingOf = async ({ parts }: ConversationParts, request: FastifyRequest, { record, scope }: Found) => {
  if (mayReadWords(scope)) return { mayRead: true, mayAsk: false, revealed: null }
  const viewer = await withRevealed(parts, deskViewer(request), record.id)
  const until = revealedUntil(viewer, record.id, Date.now())
  const mayAsk = until === undefined && viewer.can('revealconversation')
  return { mayRead: until !== undefined, mayAsk, revealed: until === undefined ? null : new Date(until).toISOString() }
}

/** Ids of the bots whose conversations may be listed: of this one, or of all that one may see. */
export const visibleBotIds = async (
  read: ReadModels,
  scope: Scope,
  bot: string | undefined,
): Promise<readonly string[]> => {
  if (bot === undefined) return (await allRows(read, scope, 'bot')).map(({ id }) => id)
  return (await read.detail(scope, 'bot', bot)) === undefined ? [] : [bot]
}

const NO_CONVERSATIONS = { items: [], total: 0, counts: { bot: 0, agent: 0, ended: 0, gaveup: 0 } }

/**
 * Conversations that a figure of `GET /bot/{id}/metrics` counts, or all of an origin. Lists of a figure or of a block name
 * the conversations of a count, which may be a hidden one: they are for callers who may read conversations.
 */
export const figureOf = (
  scope: Scope,
  query: Omit<RouteRequest<'GET /conversation'>['query'], 'page' | 'size'>,
): Pick<ConversationFilter, 'figure' | 'origin'> => {
  const { at, measure, firstday: from, lastday: to, release, origin } = query
  if ((at ?? measure) !== undefined && !mayReadWords(scope)) throw new RequestRefused({ code: 'access.forbidden' })
  if (measure === undefined || from === undefined || to === undefined) return { origin }
  return { figure: { measure, from, to, release, origin } }
}

const addList = (app: FastifyInstance, { parts, conversations }: ConversationParts): void => {
  const { read } = parts
  handle(app, 'GET /conversation', CONFIG, async request => {
    const { bot, page, size, from, to, ...filter } = request.query
    const bounds = {
      ...figureOf(sessionOf(request).scope, request.query),
      ...(from === undefined ? {} : { from: Date.parse(from) }),
      ...(to === undefined ? {} : { to: Date.parse(to) }),
    }
    const records = await conversations.records()
    const seen = await visibleBotIds(read, sessionOf(request).scope, bot)
    const listed = records?.list(seen, { ...filter, ...bounds }, page, size) ?? NO_CONVERSATIONS
    const { items, total, counts } = listed
    const { access, scope } = sessionOf(request)
    const words = mayReadWords(scope)
    if (words && items.length > 0) {
      const level =
        (bot === undefined ? undefined : (await read.detail(scope, 'bot', bot))?.hierarchylevel) ?? access.level
      await recordReading(parts, request, { verb: 'listed', bot: bot ?? null, level })
    }
    const told = items.map(async record => ({
      ...itemOf(record),
      ...(words ? await wordsOf(conversations, record.id) : NO_WORDS),
    }))
    const shown = shownCount(words)
    const { bot: talking, agent, ended, gaveup } = counts
    const standing = { bot: shown(talking), agent: shown(agent), ended: shown(ended), gaveup: shown(gaveup) }
    const more = page * size < total
    return { items: await Promise.all(told), total: shown(total), more, counts: standing, page, size }
  })
}

const addDetail = (app: FastifyInstance, given: ConversationParts): void => {
  const { conversations } = given
  handle(app, 'GET /conversation/{id}', CONFIG, async (request, reply) => {
    const found = await findConversation(given, request, reply)
    if (found === undefined) return reply
    const { mayRead, mayAsk, revealed } = await readingOf(given, request, found)
    const known = mayRead || mayAsk ? await conversations.owner(found.record.id) : undefined
    const owner = mayRead ? known : undefined
    if (owner !== undefined) await recordOpening(given, request, found)
    const name = owner?.user.name === undefined ? {} : { name: owner.user.name }
    const user = owner === undefined ? null : { id: owner.user.id, ...name }
    return { ...itemOf(found.record), user, mayreveal: mayAsk && known !== undefined, revealed }
  })

  handle(app, 'GET /conversation/{id}/transcript', { permission: 'readconversation' }, async (request, reply) => {
    const found = await findConversation(given, request, reply)
    if (found === undefined) return reply
    await recordOpening(given, request, found, request.query.format === 'text' ? 'transcript' : undefined)
    const { format, ...part } = request.query
    const { id: conversation } = found.record
    const first = (await transcriptPage(conversations, conversation, part)) ?? { messages: [], next: null }
    const deliveryOf = await deliveriesOf(conversations.exchange, found.record)
    const shown = (message: ChatMessage) =>
      message.from === 'user' ? message : { ...message, ...deliveryOf(message.id) }
    reply.type(format === 'text' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
    if (part.after === undefined && part.size === undefined) {
      const source = { conversations, conversation, first, pace: untilTaken(request) }
      const written = format === 'text' ? asText : asJson(conversation, shown)
      return reply.send(Readable.from(transcriptText(source, written)))
    }
    reply.headers(nextLink(request, first))
    // The schema of the answer is of the other form.
    if (format === 'text') return reply.serializer(String).send(pageText(first.messages))
    return { conversation, messages: first.messages.map(shown), next: first.next }
  })
}

/** Steps of a path, at most: a window that follows a conversation asks for it after each message. */
const MAX_STEPS = 2000

const addPath = (app: FastifyInstance, given: ConversationParts): void => {
  handle(app, 'GET /conversation/{id}/path', CONFIG, async (request, reply) => {
    const found = await findConversation(given, request, reply)
    if (found === undefined) return reply
    const { id: conversation } = found.record
    const steps: AnswerOf<'GET /conversation/{id}/path'>['steps'][number][] = []
    let status = found.record.status
    for await (const turn of found.records.turns(conversation, false)) {
      status = turn.ended === null ? turn.status : 'ended'
      steps.push(...turn.steps.map(({ frame, dialog, block, out }) => ({ turn: turn.turn, frame, dialog, block, out })))
      steps.splice(0, steps.length - MAX_STEPS)
    }
    const last = steps.at(-1)
    const isWaiting = last !== undefined && last.out === null && status === 'waiting'
    return { conversation, status, at: isWaiting ? { dialog: last.dialog, block: last.block } : null, steps }
  })
}

/** A replay as it is read: one turn of it in memory. `rest` is called at its end. */
async function* replayJson(
  head: object,
  turns: AsyncIterable<ReplayTurn>,
  shown: (turn: ReplayTurn) => unknown,
  rest: () => Promise<object>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"turns":[`
  let separator = ''
  for await (const turn of turns) {
    yield separator + JSON.stringify(shown(turn))
    separator = ','
  }
  yield `],${JSON.stringify(await rest()).slice(1)}`
}

/** Events of the desk with the names of their users and queues. */
const namedDeskEvents = async (
  { read }: Pick<Parts, 'read'>,
  events: readonly ReplayDeskEvent[],
): Promise<readonly ReplayDeskEvent[]> => {
  const users = new Set(events.flatMap(({ user, by }) => [user ?? '', by ?? '']).filter(id => id !== ''))
  const people = await read.people(SYSTEM_SCOPE, [...users])
  const nameOf = (id: string | undefined) => {
    const person = people.find(each => each.id === id)
    return [person?.firstname, person?.lastname].filter(Boolean).join(' ') || person?.username || '—'
  }
  const queues = new Map<string, RowOf<'deskqueue'> | undefined>()
  for (const id of new Set(events.flatMap(({ queue }) => (queue === undefined ? [] : [queue]))))
    queues.set(id, await read.detail(SYSTEM_SCOPE, 'deskqueue', id, { removed: true }))
  const reasons = new Map([...queues.values()].flatMap(row => row?.close_reasons ?? []).map(one => [one.key, one.name]))
  return events.map(event => ({
    ...event,
    ...(event.user === undefined ? {} : { name: nameOf(event.user) }),
    ...(event.by === undefined ? {} : { byname: nameOf(event.by) }),
    ...(event.queue === undefined ? {} : { queuename: queues.get(event.queue)?.name ?? '' }),
    ...(reasons.has(event.reason ?? '') ? { reasonname: reasons.get(event.reason ?? '') } : {}),
  }))
}

/** Ends a download when the session ends or the right to words is taken. */
const untilTaken =
  (request: FastifyRequest): Pace =>
  () =>
    requireStillPermitted(sessionOf(request).caller, 'readconversation')

const addReplay = (app: FastifyInstance, given: ConversationParts): void => {
  const { read, store } = given.parts
  handle(app, 'GET /conversation/{id}/replay', CONFIG, async (request, reply) => {
    const found = await findConversation(given, request, reply)
    if (found === undefined) return reply
    const { records, record, scope } = found
    const { mayRead: words } = await readingOf(given, request, found)
    if (words) await recordOpening(given, request, found)
    const deliveryOf = await deliveriesOf(given.conversations.exchange, record)
    const release = await releaseNumber(store, record.bot, record.release)
    const flows = Object.entries(release?.dialogs ?? {}).map(async ([dialog, revision]) => {
      const row = await read.detail(scope, 'dialog', dialog)
      return { dialog, name: row === undefined ? null : String(row.name), revision }
    })
    const { id: conversation, bot } = record
    const head = { conversation, bot, release: record.release, words, flows: await Promise.all(flows) }
    const shown = (turn: ReplayTurn) => ({
      ...turn,
      said: turn.said.map(message => ({ ...message, ...deliveryOf(message.id) })),
    })
    const events: ReplayDeskEvent[] = []
    const agentsaid: ReplayAgentMessage[] = []
    const turns = records.turns(record.id, words, {
      onDesk: event => events.push(event),
      onAgentSaid: message => agentsaid.push({ ...message, ...deliveryOf(message.id) }),
    })
    const rest = async () => ({ agentsaid, desk: await namedDeskEvents(given.parts, events) })
    return reply.type('application/json; charset=utf-8').send(Readable.from(replayJson(head, turns, shown, rest)))
  })
}

/** When each revision of a dialog went live for the first time, the newest first. */
const revisionsOf = (dialog: string, releases: Awaited<ReturnType<typeof listReleases>>) => {
  const since = new Map<number, string>()
  for (const { dialogs, time } of releases) {
    const revision = dialogs[dialog]
    if (revision !== undefined && !since.has(revision)) since.set(revision, time)
  }
  return [...since].map(([revision, time]) => ({ revision, since: time })).reverse()
}

const DROPOFF = { permission: 'readdialog' } as const
/** The newest revisions that are compared. */
const MAX_REVISIONS = 30
/** Newest edits that are searched for the last one that changed a block. */
const MAX_EDITS = 2_000

type Listed = Awaited<ReturnType<typeof listReleases>>
type Worsened = AnswerOf<'GET /dialog/{id}/dropoff'>['worsened']

/** Visits and losses of a dialog's blocks by its live revision, oldest first. */
const lossesByRevision = (
  visits: VisitIndex,
  filter: Omit<Parameters<VisitIndex['losses']>[0], 'releases'>,
  releases: Listed,
): readonly RevisionLosses[] => {
  const live = releases.filter(({ dialogs }) => dialogs[filter.dialog] !== undefined)
  const revisionOf = new Map(live.map(({ number, dialogs }) => [number, dialogs[filter.dialog] ?? 0]))
  const revisions = [...new Set(revisionOf.values())].slice(-MAX_REVISIONS)
  const counted = visits.losses({ ...filter, releases: [...revisionOf.keys()] })
  return revisions.map(revision => {
    const blocks = new Map<string, Losses>()
    for (const { release, block, entered, lost } of counted) {
      if (revisionOf.get(release) !== revision) continue
      const sum = blocks.get(block) ?? { entered: 0, lost: 0 }
      blocks.set(block, { entered: sum.entered + (entered ?? 0), lost: sum.lost + (lost ?? 0) })
    }
    return { revision, blocks }
  })
}

const touches = ({ added, changed, links }: FlowMoment['summary'], block: string): boolean =>
  [...added, ...changed].some(({ id }) => id === block) ||
  [...links.added, ...links.changed, ...links.removed].some(({ from }) => from === block)

/** Blocks that lose more people since an edit, with that edit. */
const worsenedOf = async (
  { read }: Pick<Parts, 'read'>,
  scope: Scope,
  dialog: string,
  {
    revisions,
    losses,
  }: { readonly revisions: readonly { revision: number; since: string }[]; readonly losses: readonly RevisionLosses[] },
): Promise<Worsened> => {
  const countOf = shownCount(mayReadWords(scope))
  const shown = ({ entered, lost }: Losses) => ({ entered: countOf(entered), lost: countOf(lost) })
  return Promise.all(
    worsenedBlocks(losses).map(async ({ block, revision, from, was, is }) => {
      const query = { after: Math.max(from, revision - MAX_EDITS), size: MAX_EDITS, fold: false }
      const moments = (await read.flowHistory(scope, dialog, query))?.items ?? []
      const edit = moments.findLast(moment => moment.revision <= revision && touches(moment.summary, block))
      return {
        block,
        revision,
        since: revisions.find(one => one.revision === revision)?.since ?? '',
        from,
        was: shown(was),
        is: shown(is),
        edit:
          edit === undefined
            ? null
            : { revision: edit.revision, time: edit.time, authors: edit.authors.map(author => ({ ...author })) },
      }
    }),
  )
}

/** Actions at a dialog's blocks, by the dialog alone or by its bot as well: one answer for both. */
const addDropoff = (app: FastifyInstance, { parts: { read, store }, conversations }: ConversationParts): void => {
  const answer = async (
    scope: Scope,
    id: string,
    query: RouteRequest<'GET /dialog/{id}/dropoff'>['query'],
  ): Promise<AnswerOf<'GET /dialog/{id}/dropoff'> | undefined> => {
    const { revision, channel } = query
    const { from, to } = countedDays(query, dayOf(Date.now()), USUAL_DAYS)
    const dialog = await read.detail(scope, 'dialog', id)
    const task = dialog && (await read.detail(scope, 'dialogtask', String(dialog.dialogtask)))
    if (task === undefined) return undefined
    const bot = String(task.bot)
    const releases = await listReleases(store, bot)
    const wanted = releases.filter(({ dialogs }) => revision === undefined || dialogs[id] === revision)
    const filter = { bot, dialog: id, releases: wanted.map(({ number }) => number), from, to, channel }
    const records = await conversations.records()
    const counted = dropoffOf(records?.visits, filter, mayReadWords(scope))
    const revisions = revisionsOf(id, releases)
    const of = { bot, dialog: id, from, to, channel }
    const losses = records === undefined ? [] : lossesByRevision(records.visits, of, releases)
    const worsened = await worsenedOf({ read }, scope, id, { revisions, losses })
    return { bot, dialog: id, from, to, revisions, ...counted, worsened }
  }

  handle(
    app,
    'GET /dialog/{id}/dropoff',
    DROPOFF,
    async (request, reply) =>
      (await answer(sessionOf(request).scope, request.params.id, request.query)) ??
      refuse(reply, { code: 'entity.notfound' }),
  )

  handle(app, 'GET /bot/{id}/dropoff', DROPOFF, async (request, reply) => {
    const { dialog, ...query } = request.query
    const told = await answer(sessionOf(request).scope, dialog, query)
    return told?.bot === request.params.id ? told : refuse(reply, { code: 'entity.notfound' })
  })
}

/** POST /conversation/{id}/forget: the words of its person cannot be read any more, in all conversations of the channel. */
const addForget = (app: FastifyInstance, given: ConversationParts): void => {
  const { parts, conversations } = given
  handle(app, 'POST /conversation/{id}/forget', { permission: 'forgetconversation' }, async (request, reply) => {
    const found = await findConversation(given, request, reply)
    if (found === undefined) return reply
    const { id: conversation, bot } = found.record
    const level = (await parts.read.detail(found.scope, 'bot', bot))?.hierarchylevel ?? null
    const done = await runWrite(parts, request, reply, async (_seed, caller) => {
      const forgotten = await conversations.forget(conversation)
      if (!forgotten.ok) return forgotten
      const correlation = request.id
      return accepted({
        position: await parts.record.forgotten({ caller, correlation, conversation, bot, level }),
      })
    })
    return done === undefined ? reply : { forgotten: true }
  })
}

/** Lines about the words of one person, the newest. */
const MAX_READERS = 100
const READINGS = ['opened', 'exported', 'revealed'] as const

/** GET /conversation/{id}/readers: the audit lines of everyone who read or exported the words of its person. */
const addReaders = (app: FastifyInstance, given: ConversationParts): void => {
  handle(app, 'GET /conversation/{id}/readers', { permission: 'readaudit' }, async (request, reply) => {
    const found = await findConversation(given, request, reply)
    if (found === undefined) return reply
    const { records, record, scope } = found
    const theirs = records.list([record.bot], { person: record.person }, 1, MAX_READERS).items.map(({ id }) => id)
    const entityids = [...new Set([record.id, ...theirs])]
    const query = { entity: 'conversation', entityids, page: 1, size: MAX_READERS }
    const { items } = await given.parts.read.audit(scope, query)
    const readings = items.flatMap(({ user, action, entityid, time, origin }) => {
      const reading = READINGS.find(each => each === action)
      return reading === undefined ? [] : [{ user, action: reading, conversation: entityid, time, origin }]
    })
    return { items: readings }
  })
}

/** Content of conversations, in the bots that the caller may see. */
export const addConversations = (app: FastifyInstance, parts: ConversationParts): void => {
  addList(app, parts)
  addDetail(app, parts)
  addPath(app, parts)
  addReplay(app, parts)
  addReaders(app, parts)
  addForget(app, parts)
  addDropoff(app, parts)
}
