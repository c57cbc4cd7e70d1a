import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RowOf, Scope } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { DeskQueue } from '#runtime/agent/desk/desk-directory.ts'
import type { DeskRow } from '#runtime/agent/desk/desk-index.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { DeskAct } from '#runtime/audit-recorder.ts'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import type { Conversations } from '#runtime/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { RequestRefused } from '../http/failure.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, sessionOf } from '../routes/command.ts'

export interface DeskParts {
  readonly parts: Parts
  readonly conversations: Conversations & { exchange?(): Promise<Exchange>; desk?(): Promise<OwnDesk | undefined> }
}

/** Words of a chat stay readable for who held it, for this time. */
const HELD_MS = 24 * 3_600_000

/** Time for which a user sees a conversation that they asked to see. */
export const REVEALED_MS = 3_600_000
/** Conversations that a user may ask to see within that time. */
export const MAX_REVEALS = 30
/** Newest lines of the audit that a list of chats reads: more than {@link MAX_REVEALS} within that time. */
const MAX_REVEALED = 200

/** A user at the desk, with the rights of their session. */
export interface DeskViewer {
  readonly user: string
  /** Of the bots below which chats are listed. */
  readonly level: string
  readonly scope: Scope
  /** Conversations that they asked to see, each with the end of that in ms since 1970, where {@link withRevealed} read them. */
  readonly revealed?: ReadonlyMap<string, number>
  can(permission: string): boolean
}

export const deskViewer = (request: FastifyRequest): DeskViewer => {
  const { access, scope, caller } = sessionOf(request)
  return { user: access.user, level: access.level, scope, can: permission => caller.permits(permission) }
}

/**
 * A user with the conversations that they asked to see, or this one if they did: the line in the audit is what opens
 * them. For reading alone; acts take the viewer without them. Users who may read all need none.
 */
export const withRevealed = async (
  { read }: Pick<Parts, 'read'>,
  viewer: DeskViewer,
  conversation?: string,
): Promise<DeskViewer> => {
  if (viewer.can('readconversation') || !viewer.can('revealconversation')) return viewer
  const from = new Date(Date.now() - REVEALED_MS).toISOString()
  const lines = { entity: 'conversation', action: 'revealed', user: viewer.user, from, page: 1 }
  const bounds = conversation === undefined ? { size: MAX_REVEALED } : { entityid: conversation, size: 1 }
  const { items } = await read.audit(SYSTEM_SCOPE, { ...lines, ...bounds })
  // The newest line of a conversation is the first one.
  const ends = items.map(({ entityid, time }) => [entityid, Date.parse(time) + REVEALED_MS] as const)
  return { ...viewer, revealed: new Map(ends.reverse()) }
}

/** May act on chats of others: give, take away, close. */
export const isBoss = ({ can }: DeskViewer): boolean => can('assignconversation')

/** Sees all chats of queues. */
const seesAll = ({ can }: DeskViewer): boolean =>
  can('superviseconversation') || can('assignconversation') || can('readconversation')

export const isMember = ({ user }: Pick<DeskViewer, 'user'>, queue: DeskQueue | undefined): boolean =>
  queue?.members.some(member => member.user === user) === true

/** Until when a user sees a conversation because they asked to, ms since 1970; undefined: they do not. */
export const revealedUntil = ({ revealed }: DeskViewer, conversation: string, now: number): number | undefined => {
  const until = revealed?.get(conversation)
  return until !== undefined && until > now ? until : undefined
}

/** Whether a user sees the whole number of the person of a chat. */
export const seesNumber = (viewer: DeskViewer, row: DeskRow, now: number): boolean =>
  viewer.can('readconversation') || revealedUntil(viewer, row.conversation, now) !== undefined

/** Whether a user may read what was said in a chat without asking to see it. */
const readsUnasked = (viewer: DeskViewer, row: DeskRow, queue: DeskQueue | undefined, now: number): boolean => {
  const { user, can } = viewer
  if (can('readconversation') || can('superviseconversation')) return true
  if (!can('answerconversation')) return false
  if (row.holder === user) return true
  if (row.status === 'waiting' && isMember(viewer, queue)) return true
  return row.lastholder === user && row.lastheld !== null && now - row.lastheld < HELD_MS
}

/** Whether a user may read what was said in a chat. */
export const mayReadChat = (viewer: DeskViewer, row: DeskRow, queue: DeskQueue | undefined, now: number): boolean =>
  readsUnasked(viewer, row, queue, now) ||
  (viewer.can('answerconversation') && revealedUntil(viewer, row.conversation, now) !== undefined)

/** Whether the acts of a chat are open to a user; asking to see it opens none. */
export const mayActOnChat = (viewer: DeskViewer, row: DeskRow, queue: DeskQueue | undefined, now: number): boolean =>
  seesAll(viewer) ||
  readsUnasked(viewer, row, queue, now) ||
  (viewer.can('answerconversation') && isMember(viewer, queue))

/** Whether a user sees that a chat exists. */
export const maySeeChat = (viewer: DeskViewer, row: DeskRow, queue: DeskQueue | undefined, now: number): boolean =>
  mayActOnChat(viewer, row, queue, now) || mayReadChat(viewer, row, queue, now)

/** The desk of this node. */
export const deskOf = async ({ conversations }: DeskParts): Promise<OwnDesk> => {
  const desk = await conversations.desk?.()
  if (desk === undefined) throw new RequestRefused({ code: 'entity.notfound' })
  return desk
}

export interface FoundChat {
  readonly desk: OwnDesk
  readonly viewer: DeskViewer
  readonly row: DeskRow
  readonly bot: RowOf<'bot'>
  readonly queue: DeskQueue | undefined
}

/**
 * A chat that the caller may see; undefined after it was refused.
 * @param viewer with what they asked to see, where the chat is only read
 */
export const findChat = async (
  given: DeskParts,
  request: FastifyRequest<{ Params: { readonly id: string } }>,
  reply: FastifyReply,
  viewer = deskViewer(request),
): Promise<FoundChat | undefined> => {
  const desk = await deskOf(given)
  const row = desk.index.get(request.params.id)
  const bot = row && (await given.parts.read.detail(viewer.scope, 'bot', row.bot))
  if (row !== undefined && bot !== undefined) {
    const queue = await desk.directory.queue(row.queue)
    if (maySeeChat(viewer, row, queue, Date.now())) return { desk, viewer, row, bot, queue }
  }
  await refuse(reply, { code: 'entity.notfound' })
  return undefined
}

/** Ids of the bots at the level of a session and below: all, or this one. */
export const botsOf = async (desk: OwnDesk, { level }: DeskViewer, bot?: string): Promise<readonly string[]> => {
  const levels = await desk.directory.botLevels()
  const of = bot === undefined ? [...levels] : [[bot, levels.get(bot) ?? ''] as const]
  const within = await levelsWithin(desk, level, new Set(of.map(([, each]) => each)))
  return of.flatMap(([id, each]) => (within.has(each) ? [id] : []))
}

/** Those of some levels that are a level or below it. */
const levelsWithin = async (
  desk: OwnDesk,
  level: string,
  levels: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const found = await Promise.all(
    [...levels].map(async each => ((await desk.directory.levelsAbove(each)).includes(level) ? [each] : [])),
  )
  return new Set(found.flat())
}

/** Queues at the level of a session and below. */
export const queuesBelow = async (desk: OwnDesk, { level }: DeskViewer): Promise<ReadonlySet<DeskQueue>> => {
  const queues = await desk.directory.queues()
  const within = await levelsWithin(desk, level, new Set(queues.map(({ hierarchylevel }) => hierarchylevel ?? '')))
  return new Set(queues.filter(({ hierarchylevel }) => within.has(hierarchylevel ?? '')))
}

/** Queues of a user: those they are a member of, and for a supervisor those at their level and below. */
export const queuesOf = async (desk: OwnDesk, viewer: DeskViewer): Promise<readonly DeskQueue[]> => {
  const below = seesAll(viewer) ? await queuesBelow(desk, viewer) : new Set<DeskQueue>()
  return (await desk.directory.queues()).filter(queue => below.has(queue) || isMember(viewer, queue))
}

/** Narrows a list to chats that a user may see: all, or those of their queues and those they held. */
export const listedFor = (
  viewer: DeskViewer,
  queues: readonly DeskQueue[],
): { readonly queues?: readonly string[]; readonly orHolder?: string } =>
  seesAll(viewer)
    ? {}
    : { queues: queues.flatMap(queue => (isMember(viewer, queue) ? [queue.id] : [])), orHolder: viewer.user }

/** An audit line of an act on others. */
export const auditAct = (
  { parts }: DeskParts,
  request: FastifyRequest,
  act: { readonly type: DeskAct; readonly level: string | null; readonly fields: JsonObject },
): Promise<string> => parts.record.deskActed({ caller: callerOf(request), correlation: request.id, ...act })
