import { maskedHolder } from '#commands/keys/secret.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import type { TurnResult } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { type Claim, conversationStream } from '#schemas/events/conversation.ts'
import type { ChannelUser, ChatMessage } from '../../port.ts'
import {
  countedRevision,
  type FoldedConversation,
  newFolded,
  type Pending,
  streamOf,
  type Words,
} from './folded-conversation.ts'
import type { Fact } from './turn-fact.ts'

/** Turns after which a conversation continues in another stream (RUNTIME 60). */
export const PART_TURNS = 2000
/** Newest messages, and newest received ids, that a part begins with; older messages are read from earlier parts. */
const MAX_MESSAGES = 100
const MAX_RECEIVED = 1000
/** Bytes of JSON of each of these lists. */
const MAX_TALK_BYTES = 64 * 1024
/** Bytes of JSON of all that a part begins with: sealing adds a third, and an append takes 1 MiB. */
const MAX_BYTES = 700 * 1024

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** The last items that fit. */
const newest = <T>(all: readonly T[], most: number): readonly T[] => {
  const last = all.slice(-most)
  let bytes = 0
  const first = last.findLastIndex(one => {
    bytes += bytesOf(one)
    return bytes > MAX_TALK_BYTES
  })
  return last.slice(first + 1)
}

/** The part of the talk that the next turns need and that followers are likely to read. */
const talkOf = ({ messages, elsewhere, said, received }: FoldedConversation) => ({
  messages: newest(messages, MAX_MESSAGES),
  elsewhere: newest(elsewhere, MAX_MESSAGES),
  said: newest([...said.values()], MAX_MESSAGES),
  received: newest([...received], MAX_RECEIVED),
})

interface PartEnd {
  readonly result: Pick<TurnResult, 'state' | 'said'>
  /** Input that the turn answered. */
  readonly answered: Pending
  readonly partTurns: number
  /** ms since 1970 */
  readonly now: number
}

/** Ends the newest part once it has `partTurns` turns, if the data for the next part fits into one event. */
export const partEndFact = (
  held: FoldedConversation,
  { result, answered, partTurns, now }: PartEnd,
): Fact | undefined => {
  const { state, said } = result
  if (state.status === 'ended' || state.turns - held.turnsBefore < partTurns) return undefined
  const inbox = held.inbox.filter(({ revision }) => revision !== answered.revision)
  const isTooLarge = bytesOf([state, inbox, held.user]) + 3 * MAX_TALK_BYTES > MAX_BYTES
  // The next part must hold the last messages, because they can still be answered there.
  if (isTooLarge || bytesOf(said) > MAX_TALK_BYTES / 2) return undefined
  const next = conversationStream(held.id, held.bases.length + 1)
  return {
    type: 'ConversationPartEnded',
    data: { next },
    cause: `${held.id} part ${held.bases.length} ended`,
    time: now,
  }
}

/** First event of the next part: all data of earlier parts that its turns need (RUNTIME 60). */
export const partStartFact = async (held: FoldedConversation, words: Words): Promise<Fact> => {
  const { state, inbox, claim, idleEnd, tail } = held
  const bases = [...held.bases, countedRevision(held, tail.revision)]
  const stream = conversationStream(held.id, bases.length)
  const isMasked =
    state.masked.length > 0 ||
    state.frames.some(({ wait }) => wait?.masked === true) ||
    inbox.some(({ from }) => from.kind === 'message' && from.masked)
  const holder = isMasked ? maskedHolder(held.id) : held.person
  const seal = (of: string, value: unknown) => words.seal(of, value as Json, stream)
  const data: Record<string, Json> = {
    previous: { stream: streamOf(held), hash: tail.hash },
    bases,
    turn: state.turns,
    status: state.status,
    bot: held.bot,
    channel: held.channel,
    channeltype: held.channelType,
    locale: held.locale,
    person: held.person,
    release: held.release,
    since: held.since,
    started: state.started,
    user: await seal(held.person, held.user),
    kept: await seal(holder, { state, inbox }),
    talk: await seal(held.person, talkOf(held)),
    ...(isMasked ? { masked: true } : {}),
    ...(held.isLost ? { lost: true } : {}),
    ...(held.retained ? { retained: true } : {}),
    ...(idleEnd === undefined ? {} : { idleend: idleEnd }),
    ...(claim === undefined ? {} : { claim: { ...claim } }),
  }
  return { type: 'ConversationContinued', data, cause: `${held.id} part ${bases.length}`, time: held.last }
}

interface ContinuedData {
  readonly bases: readonly number[]
  readonly turn: number
  readonly status: ConversationState['status']
  readonly bot: string
  readonly channel: string
  readonly channeltype: string
  readonly locale: string
  readonly person: string
  readonly release: number
  readonly since: number
  readonly started: number
}

interface CarriedState {
  readonly state: ConversationState
  readonly inbox: readonly Pending[]
}

interface Talk {
  readonly messages: readonly ChatMessage[]
  readonly elsewhere: FoldedConversation['elsewhere']
  readonly said: readonly BotMessage[]
  readonly received: readonly (readonly [string, string])[]
}

/** A conversation at the beginning of a later part. For a forgotten person only the unencrypted data remains. */
export const foldPartStart = async (
  { data, stream }: StoredEvent,
  id: string,
  words: Words,
): Promise<FoldedConversation> => {
  const { bases, turn, status, bot, channel, channeltype, ...known } = data as unknown as ContinuedData
  const open = async <T>(holder: string, sealed: Json | undefined) =>
    (await words.open(holder, sealed, stream)) as unknown as T | undefined
  const [opened, kept, talk] = await Promise.all([
    open<ChannelUser>(known.person, data.user),
    open<CarriedState>(data.masked === true ? maskedHolder(id) : known.person, data.kept),
    open<Talk>(known.person, data.talk),
  ])
  const user = opened ?? { id: '' }
  const { started, locale, person, release, since } = known
  const blank = newConversation({
    id,
    started,
    channel: { id: channel, type: channeltype },
    user: { id: user.id } satisfies JsonObject,
    locale,
  })
  const held = newFolded({
    ...{ id, bot, channel, channelType: channeltype, locale, person, user, release, since, bases },
    turnsBefore: turn,
    state: kept?.state ?? { ...blank, turns: turn, status },
  })
  held.inbox = kept?.inbox ?? []
  held.claim = data.claim as Claim | undefined
  held.isLost = data.lost === true
  held.retained = data.retained === true
  held.idleEnd = typeof data.idleend === 'number' ? data.idleend : undefined
  held.messages.push(...(talk?.messages ?? []))
  held.elsewhere.push(...(talk?.elsewhere ?? []))
  for (const message of talk?.said ?? []) held.said.set(message.id, message)
  for (const [message, position] of talk?.received ?? []) held.received.set(message, position)
  return held
}
