import { maskedHolder } from '#commands/keys/secret.ts'
import { type Draft, draft } from '#commands/pipeline/append.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import { OPEN_MS } from '#domain/conversation/rating.ts'
import type { TurnResult } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation, stateChange } from '#domain/conversation/state.ts'
import { type Problem, type Step, waitingBlocks } from '#domain/conversation/step.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import {
  type Claim,
  type ConversationEventType,
  conversationStream,
  type InputKind,
} from '#schemas/events/conversation.ts'
import { record } from '#schemas/json.ts'
import type { RatingFact } from '#schemas/rating.ts'
import type { TakeoverRequest } from '../../agent/desk/desk-state.ts'
import type { ChannelUser, ChatMessage, SentMessage } from '../../port.ts'
import type { BotLogEntry } from '../../service/bot-log.ts'
import {
  countedRevision,
  dueOf,
  type FoldedConversation,
  newFolded,
  type Pending,
  streamOf,
  type Words,
} from './folded-conversation.ts'

/** An event of a conversation to write, with its cause. */
export interface Fact {
  readonly type: ConversationEventType
  readonly data: Readonly<Record<string, Json>>
  readonly cause: string
  /** ms since 1970 */
  readonly time: number
}

/**
 * Half of an event's id is random: a store treats a second append of the same ids at the same revision as a repetition
 * of the first, and two nodes would both believe that they have the claim.
 */
export const factDraft = ({ type, data, cause, time }: Fact, conversation: string): Draft => {
  const at = new Date(time).toISOString()
  return draft(
    { seed: cause, actor: null, time: at, correlation: conversation, causation: null },
    type,
    type,
    null,
    data,
  )
}

const KEY_LENGTH = 32

interface TurnFacts {
  readonly held: FoldedConversation
  readonly pending: Pending
  readonly result: TurnResult
  /** Set when the next input is already waiting. */
  readonly claim: Claim | undefined
  /** ms; 0: an idle conversation never times out. */
  readonly endTimeout: number
  /** ms since 1970 */
  readonly now: number
}

/** Path of a step; a problem is stored by its code only. */
const stepData = ({ problem, wrote, ...step }: Step): Json => ({
  ...step,
  wrote: [...wrote],
  ...(problem === undefined ? {} : { problem: problem.code }),
})

/** Request for an agent, stored with its turn: no agent system is asked before that. */
export const agentFact = async (
  { held, pending, result: { agent, state }, now }: TurnFacts,
  words: Words,
  hmac: (text: string) => string,
): Promise<readonly Fact[]> => {
  if (agent === undefined) return []
  const { channel, ...asked } = agent
  const about = `${held.id} agent ${state.turns}`
  const sealed = await words.seal(held.person, asked as unknown as Json, streamOf(held))
  // A keyed hash: outsiders cannot name the chat of another person.
  const data = { n: state.turns, channel, key: hmac(about).slice(0, KEY_LENGTH), sealed }
  const request: Fact = { type: 'AgentRequested', data, cause: about, time: now }
  return pending.from.kind === 'takeover'
    ? [request, ...(await takeoverFacts(held, { n: state.turns, now, ...pending.from.by }, words))]
    : [request]
}

/** Ratings of a turn. The words of a comment are sealed under the key of the person. */
export const ratingFacts = async (
  { held, result: { ratings = [], state }, now }: Pick<TurnFacts, 'held' | 'result' | 'now'>,
  words: Words,
): Promise<readonly Fact[]> =>
  Promise.all(
    ratings.map(async ({ kind, ...rating }): Promise<Fact> => {
      const fact = (type: Fact['type'], data: JsonObject, what: string = kind): Fact => ({
        type,
        data,
        cause: `${held.id} rating ${state.turns} ${what}`,
        time: now,
      })
      if (kind === 'asked') return fact('RatingAsked', { ...rating })
      if (kind === 'skipped') return fact('RatingSkipped', { ...rating })
      const { comment, ...given } = rating as Omit<Extract<RatingFact, { kind: 'rated' }>, 'kind'>
      if (comment === undefined) return fact('ConversationRated', { ...given })
      const sealed = await words.seal(held.person, { comment }, streamOf(held))
      return fact('ConversationRated', { ...given, sealed }, 'commented')
    }),
  )

/** The user who took the conversation over holds the chat from its first moment. */
const takeoverFacts = async (
  held: FoldedConversation,
  {
    n,
    now,
    how,
    user,
    queue,
    slot,
    name,
    avatar,
    joined,
  }: TakeoverRequest & { readonly n: number; readonly now: number },
  words: Words,
): Promise<readonly Fact[]> => {
  const fact = (type: Fact['type'], data: JsonObject): Fact => ({
    type,
    cause: `${held.id} agent ${n} ${type} ${slot}`,
    time: now,
    data: { n, ...data },
  })
  const seal = (value: JsonObject) => words.seal(held.person, value, streamOf(held))
  const sealed = await seal({ name, avatar })
  return [
    fact('AgentAssigned', { user, queue, how, slot, sealed }),
    fact('AgentConnected', { event: slot, sealed }),
    ...(joined === ''
      ? []
      : [
          fact('AgentSaid', {
            event: `${slot} joined`,
            comment: true,
            moment: 'joined',
            sealed: await seal({ text: joined }),
          }),
        ]),
  ]
}

const MESSAGE_KINDS: Readonly<Record<SentMessage['type'], InputKind>> = {
  ...{ text: 'text', choice: 'choice', location: 'place', attachment: 'file', order: 'form', submit: 'form' },
  ...{ menu: 'menu', opening: 'open' },
}

/** Kind of a turn's input, stored in clear for figures. */
const inputKind = ({ from }: Pending): InputKind => {
  switch (from.kind) {
    case 'message':
      return MESSAGE_KINDS[from.sent.type]
    case 'open':
    case 'timer':
    case 'schedule':
      return from.kind
    default:
      return 'agent'
  }
}

/** A turn in its stored form: its path in clear, its texts and values sealed. */
export const turnFact = async (
  { held, pending, result, claim, endTimeout, now }: TurnFacts,
  words: Words,
): Promise<Fact> => {
  const { state, said, steps, problems, ended, endedLocals = [], failed, skipped, unrecognized } = result
  const stream = streamOf(held)
  const elsewhere = said.filter(({ destination }) => destination !== undefined).length
  const isMasked = state.masked.length > 0 || held.state.masked.length > 0
  const change = stateChange(held.state, state) as Json
  const holder = isMasked ? maskedHolder(held.id) : held.person
  const wrote = new Set(steps.flatMap(step => step.wrote))
  // The state after the turn does not have the variables of dialogs that ended in it; the replay shows them.
  const locals = endedLocals.flatMap(values => Object.entries(values)).filter(([name]) => wrote.has(name))
  const wait = state.status === 'waiting' ? state.frames.at(-1)?.wait : undefined
  const waiting = waitingBlocks(state.frames)
  const isRating = state.rating !== undefined && state.rating !== null
  const idleTime = isRating ? Math.max(endTimeout, OPEN_MS) : endTimeout
  const idleEnd = state.status === 'idle' && endTimeout > 0 ? now + idleTime : undefined
  const due = dueOf({ state, idleEnd })
  const data: Record<string, Json> = {
    turn: state.turns,
    input: pending.revision,
    inputkind: inputKind(pending),
    release: held.release,
    steps: steps.map(stepData),
    set: await words.seal(holder, change, stream),
    ...(locals.length === 0 ? {} : { locals: await words.seal(holder, record(locals) as Json, stream) }),
    said: await words.seal(held.person, said as unknown as Json, stream),
    blocks: said.map(({ block }) => block),
    ...(elsewhere === 0 ? {} : { elsewhere }),
    status: state.status,
    problems: problems.map(({ code }) => code),
    ...(isMasked ? { masked: true } : {}),
    ...(wait === undefined ? {} : { wait: { block: wait.block, kind: wait.kind } }),
    ...(waiting.length === 0 ? {} : { waiting: waiting.map(block => ({ ...block })) }),
    ...(idleEnd === undefined ? {} : { idleend: idleEnd }),
    // In clear, so that every node can index it without reading the conversation.
    due: due ?? null,
    ...(state.tags.length > 0 ? { tags: [...state.tags] } : {}),
    ...(state.retained ? { retained: true } : {}),
    ...(unrecognized === undefined ? {} : { unrecognized: { ...unrecognized } }),
    ...(ended === undefined ? {} : { ended }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(failed === undefined ? {} : { failed: { ...failed, loop: [...failed.loop] } }),
    ...(claim === undefined ? {} : { claim: { ...claim } }),
  }
  return {
    type: failed === undefined ? 'TurnTaken' : 'TurnFailed',
    data,
    cause: `${held.id} turn ${state.turns}`,
    time: now,
  }
}

const ofStep = ({ dialog, block }: Step) => ({ dialog, block })

/** The result of a turn as its counter names it. */
export const turnResult = ({ problems, failed }: Pick<TurnResult, 'problems' | 'failed'>): string =>
  problems.some(({ code }) => code === 'internal') ? 'internal' : (failed?.limit ?? 'done')

/** Entries of a turn for the bot's log: its problems, by the block where they occurred, and an exceeded limit. */
export const turnEntries = (
  { id, bot, release, channel, channelType }: FoldedConversation,
  { steps, problems, failed }: Pick<TurnResult, 'steps' | 'problems' | 'failed'>,
): readonly BotLogEntry[] => {
  const about = { bot, release, conversation: id, service: `${channelType}:${channel}` }
  const placed = new Map<Problem, Step>()
  for (const step of steps) if (step.problem !== undefined) placed.set(step.problem, step)
  const last = steps.findLast(({ block }) => block === failed?.block)
  return [
    ...problems.map((problem): BotLogEntry => {
      const step = placed.get(problem)
      const level = problem.code === 'internal' ? 'error' : 'warn'
      return { level, code: problem.code, ...about, ...(step === undefined ? {} : ofStep(step)) }
    }),
    ...(failed === undefined
      ? []
      : [
          {
            level: 'error' as const,
            code: `turn.${failed.limit}`,
            ...about,
            ...(last === undefined ? {} : ofStep(last)),
          },
        ]),
  ]
}

/** The engine of this node, as far as a message's claim needs it. */
interface ClaimSource {
  now(): number
  /** Whether no node has a claim on the conversation's turns. */
  isFree(held: FoldedConversation): boolean
  claim(): Claim
}

/** A message in its stored form, with a claim when no node has one. */
export const messageFact = async (
  held: FoldedConversation,
  message: SentMessage,
  words: Words,
  engine: ClaimSource,
): Promise<Fact> => {
  // Messages to an agent answer no question of the bot.
  const isAsked = held.state.status !== 'agent' && message.type !== 'menu' && message.type !== 'opening'
  const masked = isAsked && held.state.frames.at(-1)?.wait?.masked === true
  const holder = masked ? maskedHolder(held.id) : held.person
  const { id, written, campaign: answered, ...rest } = message
  const { price, ...campaign } = answered ?? {}
  const said = answered === undefined ? rest : { ...rest, campaign }
  const time = engine.now()
  return {
    type: 'MessageReceived',
    cause: `${held.id} message ${id}`,
    time,
    data: {
      message: id,
      // In clear, for figures.
      kind: message.type,
      ...(typeof campaign.id === 'string' ? { campaign: campaign.id } : {}),
      ...(price === undefined ? {} : { price }),
      said: await words.seal(holder, said as unknown as Json, streamOf(held)),
      ...(masked ? { masked } : {}),
      // A clock that is ahead must not keep the channel's window open.
      ...(written === undefined ? {} : { written: Math.min(written, time) }),
      ...(engine.isFree(held) ? { claim: { ...engine.claim() } } : {}),
    },
  }
}

/** Turns after which a conversation continues in another stream. */
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

/** First event of the next part: all data of earlier parts that its turns need. */
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
    ...(held.spokeBefore === 0 ? {} : { spoke: held.spokeBefore }),
    ...(held.isTrial ? { trial: true } : {}),
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
  held.spokeBefore = Number(data.spoke ?? 0)
  held.isTrial = data.trial === true
  held.idleEnd = typeof data.idleend === 'number' ? data.idleend : undefined
  held.messages.push(...(talk?.messages ?? []))
  held.elsewhere.push(...(talk?.elsewhere ?? []))
  for (const message of talk?.said ?? []) held.said.set(message.id, message)
  for (const [message, position] of talk?.received ?? []) held.received.set(message, position)
  return held
}
