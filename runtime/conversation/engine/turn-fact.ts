import type { Draft } from '#commands/integrity/hash-chain.ts'
import { maskedHolder } from '#commands/keys/secret.ts'
import { draft } from '#commands/pipeline/author.ts'
import { waitingBlocks } from '#domain/conversation/count-visits.ts'
import type { TurnResult } from '#domain/conversation/run-turn.ts'
import { stateChange } from '#domain/conversation/state.ts'
import type { Step } from '#domain/conversation/step.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Claim, ConversationEventType } from '#schemas/events/conversation.ts'
import { record } from '#schemas/json.ts'
import type { TakeoverRequest } from '../../agent/desk/desk-state.ts'
import { dueOf, type FoldedConversation, type Pending, streamOf } from './folded-conversation.ts'
import type { Words } from './message-encryption.ts'

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

/** Request for an agent, stored with its turn: no agent system is asked before that (RUNTIME 48). */
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

/** The user who took the conversation over holds the chat from its first moment. */
const takeoverFacts = async (
  held: FoldedConversation,
  { n, now, user, queue, slot, name, avatar, joined }: TakeoverRequest & { readonly n: number; readonly now: number },
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
    fact('AgentAssigned', { user, queue, how: 'takeover', slot, sealed }),
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

/** A turn in its stored form: its path in clear, its texts and values sealed (RUNTIME 59, 61). */
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
  const idleEnd = state.status === 'idle' && endTimeout > 0 ? now + endTimeout : undefined
  const due = dueOf({ state, idleEnd })
  const data: Record<string, Json> = {
    turn: state.turns,
    input: pending.revision,
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
    // In clear, so that every node can index it without reading the conversation (RUNTIME 69).
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
