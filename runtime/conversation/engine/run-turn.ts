import { hash } from 'node:crypto'
import type { StoredFile } from '#commands/port.ts'
import type { Span, SpanAttributes, Tracer } from '#commands/tracer.ts'
import type { AnswerOf, Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import { actionsOf, dataOf, isStalePress, pressOf, type TurnInput } from '#domain/conversation/message.ts'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import { optOutTurn, runTurn, type TurnResult } from '#domain/conversation/run-turn.ts'
import { moveState, type OfferedAction } from '#domain/conversation/state.ts'
import type { EnteredStep } from '#domain/conversation/turn.ts'
import type { RowOf } from '#projections/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { asksForBot } from '../../agent/desk/fold-desk.ts'
import type { Releases, SentMessage } from '../../port.ts'
import type { Fact } from './conversation-facts.ts'
import type { FoldedConversation, Pending } from './folded-conversation.ts'

/** Whether the likeliest intent is less certain than the model asks for. */
export const isBelowThreshold = (answer: AnswerOf<'nlu'>): boolean =>
  answer.ok && (answer.intents[0]?.confidence ?? 0) < (answer.threshold ?? Number.MIN_VALUE)

/** Codes of services that a bot does not have. */
const ABSENT: ReadonlySet<string> = new Set(['unavailable', 'noproject', 'nomodel', 'nobrain'])
export const isAbsent = (outcome: string): boolean => ABSENT.has(outcome)

/** Stable code of an answer: `done`, or why it has no result. */
export const effectOutcome = (answer: EffectAnswer): string => {
  switch (answer.kind) {
    case 'evaluate':
      return answer.values.flatMap(value => (value.ok ? [] : [value.fault]))[0] ?? 'done'
    case 'script':
      return answer.ok ? 'done' : 'failed'
    case 'rest':
      return answer.ok ? 'done' : answer.error.code
    case 'holiday':
    case 'pause':
      return 'done'
    default:
      return answer.ok ? 'done' : answer.code
  }
}

/** Steps of one turn with a span; the effects of later ones belong to the turn. */
const MAX_STEPS = 300

/** An expression that fails is the flow's own business; a service that fails is an error. */
const isError = ({ kind }: EffectAnswer, outcome: string): boolean =>
  kind !== 'evaluate' && outcome !== 'done' && !isAbsent(outcome)

const spanOf = (kind: Effect['kind']) =>
  kind === 'evaluate' || kind === 'script' || kind === 'nlu' ? (`parley.${kind}` as const) : ('parley.effect' as const)

/** The spans below that of a turn: its steps and their effects. */
export class TurnTrace {
  readonly #tracer: Tracer
  readonly #turn: Span
  readonly #steps: { readonly span: Span; end?: number }[] = []

  constructor(tracer: Tracer, turn: Span) {
    this.#tracer = tracer
    this.#turn = turn
  }

  entered({ dialog, block, type }: EnteredStep): void {
    this.#endLast()
    if (this.#steps.length >= MAX_STEPS) return
    const attributes = { 'parley.dialog': dialog, 'parley.block': block, 'parley.block.type': type }
    this.#steps.push({ span: this.#tracer.start('parley.step', { parent: this.#turn, attributes }) })
  }

  /** The parent of understanding is the turn; that of other effects is the running step. */
  async effect({ kind }: Effect, fromLog: boolean, work: () => Promise<EffectAnswer>): Promise<EffectAnswer> {
    const last = this.#steps.at(-1)
    const parent = kind === 'nlu' || last === undefined || last.end !== undefined ? this.#turn : last.span
    const attributes = { 'parley.effect': kind, 'parley.from_log': fromLog }
    const span = this.#tracer.start(spanOf(kind), { parent, attributes })
    try {
      const answer = await span.run(work)
      span.set(answered(answer))
      const outcome = effectOutcome(answer)
      if (isError(answer, outcome)) span.fail(outcome)
      return answer
    } catch (error) {
      span.fail(error instanceof Error ? error.name : 'error')
      throw error
    } finally {
      span.end()
    }
  }

  /** Steps get their outputs, which are known now. */
  finish({ steps, failed }: Pick<TurnResult, 'steps' | 'failed'>): void {
    this.#endLast()
    for (const [place, { span, end }] of this.#steps.entries()) {
      const step = steps[place]
      const output = step?.out ?? step?.calls
      span.set({ 'parley.output': output, 'parley.problem': step === undefined ? failed?.limit : step.problem?.code })
      span.end(end)
    }
  }

  #endLast(): void {
    const last = this.#steps.at(-1)
    if (last !== undefined) last.end ??= Date.now()
  }
}

const answered = (answer: EffectAnswer): SpanAttributes => ({
  'parley.outcome': effectOutcome(answer),
  ...(answer.kind === 'nlu' ? { 'parley.threshold.below': isBelowThreshold(answer) } : {}),
})

export const pressedAction = (held: FoldedConversation, { of, value }: SentMessage): OfferedAction | undefined => {
  const message = held.said.get(Number(of))
  return message === undefined ? undefined : actionsOf(message).find(({ id }) => id === value)
}

const ofMessage = (held: FoldedConversation, sent: SentMessage): TurnInput => {
  const text = sent.text ?? ''
  const carried = sent.payload === undefined ? {} : { payload: sent.payload }
  switch (sent.type) {
    case 'opening':
      return { kind: 'open', ...carried }
    case 'choice': {
      const message = held.said.get(Number(sent.of))
      const action = pressedAction(held, sent)
      return message === undefined || action === undefined
        ? { kind: 'text', text: sent.value ?? text, ...carried }
        : pressOf(message, action)
    }
    case 'location':
      return { kind: 'location', location: isObject(sent.data) ? sent.data : {} }
    case 'attachment':
      return { kind: 'attachment', attachments: sent.attachments ?? [], ...(sent.text === undefined ? {} : { text }) }
    case 'order':
    case 'submit':
      return dataOf(sent.type, sent.data ?? null, held.said.get(Number(sent.of)))
    case 'menu':
      return sent.value === 'restart' || sent.value === 'agent' || sent.value === 'bot'
        ? { kind: 'menu', command: sent.value }
        : { kind: 'menu', command: 'task', task: sent.value ?? '' }
    default:
      return held.agent !== undefined && asksForBot(held, text)
        ? { kind: 'menu', command: 'bot' }
        : { kind: 'text', text, ...carried }
  }
}

/**
 * False for a button that no message has, and for a press that comes too late. While an input waits for
 * its turn, the question may still change: then the turn of the press decides.
 */
export const mayBePressed = (held: FoldedConversation, message: SentMessage, newestOnly: boolean): boolean => {
  if (message.type === 'choice' && pressedAction(held, message) === undefined) return false
  return held.inbox.length > 0 || !isStalePress(held.state, ofMessage(held, message), newestOnly)
}

/** Input of a turn in the form that the interpreter takes. */
export const turnInput = (held: FoldedConversation, { from }: Pending): TurnInput => {
  if (held.isLost && from.kind === 'message') return { kind: 'moved' }
  switch (from.kind) {
    case 'open':
      return { kind: 'open', ...(from.payload === undefined ? {} : { payload: from.payload }) }
    case 'message':
      return ofMessage(held, from.sent)
    case 'timer':
      return { kind: from.timer }
    case 'schedule':
      return { kind: 'schedule', id: from.schedule }
    case 'agentleft':
      return from
    case 'takeover':
      return { kind: 'takeover', channel: from.by.channel, queue: from.by.queue }
    default:
      return from satisfies never
  }
}

const MAX_NAME = 255
const OWNER = 'chat '

/** Owner of a conversation's uploads in the storage: never the id of a user. */
export const ownerOf = (conversation: string): string => OWNER + conversation

/** The conversation that owns an upload; undefined if a user owns it. */
export const conversationOf = (owner: string): string | undefined =>
  owner.startsWith(OWNER) ? owner.slice(OWNER.length) : undefined

/** A file as the bot and the history show it. */
export const attachmentOf = ({ id, name, type, size }: StoredFile, baseUrl: string): JsonObject => ({
  id,
  name,
  contentType: type,
  size,
  contentUrl: `${baseUrl}/chat/files/${id}`,
})

/** Removes control characters and the folders of the person's machine. */
export const shownName = (given: string): string => {
  const last = given.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const name = last.replace(/[\p{Cc}\u2028\u2029]/gu, '').trim()
  return name === '' ? 'file' : name.slice(-MAX_NAME).toWellFormed()
}

interface TurnOutside {
  /** Records, before a call that changes external data, the call and the answers since the last record. */
  readonly request: (
    call: { readonly key: string; readonly method: string; readonly block: string; readonly n: number },
    answers: readonly EffectAnswer[],
  ) => Promise<void>
  readonly perform: (effect: Effect) => Promise<EffectAnswer>
  readonly trace?: TurnTrace | undefined
}

/** Methods that may be sent again although their outcome is unknown. */
const AGAIN = new Set(['PUT', 'DELETE'])

const unknownOutcome: AnswerOf<'rest'> = {
  kind: 'rest',
  ms: 0,
  ok: false,
  error: { code: 'unknown', message: 'Whether the call was made is not known' },
}

const methodOf = (effect: Effect): string =>
  effect.kind === 'rest' && typeof effect.properties.methodType === 'string'
    ? effect.properties.methodType.toUpperCase()
    : ''

const changesWorld = (effect: Effect): effect is Extract<Effect, { kind: 'rest' }> =>
  effect.kind === 'rest' && effect.changes

/** Equal for the same turn of the same conversation on every node. */
const seedOf = (id: string, turn: number): number => hash('sha256', `${id} ${turn}`, 'buffer').readUInt32BE(0)

/** The campaign as flows read it, without its message. */
const campaignOf = ({ from }: Pending): { readonly campaign?: JsonObject } => {
  if (from.kind !== 'message' || from.sent.campaign === undefined) return {}
  const { message: _message, ...campaign } = from.sent.campaign
  return { campaign }
}

/** Moment and chance of a turn, and the campaign that it answers: equal whenever it is run. */
export const occasionOf = ({ id, state }: FoldedConversation, pending: Pending) => ({
  ...campaignOf(pending),
  now: Math.max(pending.time, state.started),
  seed: seedOf(id, state.turns + 1),
})

const environmentOf = (
  held: FoldedConversation,
  pending: Pending,
  given: { readonly release: Release; readonly settings: TurnSettings },
) => ({ ...given, ...occasionOf(held, pending) })

/** A turn whose message stopped or resumed campaigns, and does not reach the flow. */
export const endByOptOut = (
  held: FoldedConversation,
  pending: Pending,
  given: { readonly release: Release; readonly settings: TurnSettings },
  reply: string | undefined,
): TurnResult => optOutTurn(environmentOf(held, pending, given), held.state, reply)

/**
 * Runs a turn to its end. Answers that it received before a node died are reused; a POST or PATCH that was about to be
 * made then is not repeated, so that no person pays twice.
 */
export const runToEnd = async (
  held: FoldedConversation,
  pending: Pending,
  given: { readonly release: Release; readonly settings: TurnSettings },
  { request, perform, trace }: TurnOutside,
): Promise<TurnResult> => {
  const { recorded, state } = held
  const entered = trace && { entered: (step: EnteredStep) => trace.entered(step) }
  const steps = runTurn({ ...environmentOf(held, pending, given), ...entered }, state, turnInput(held, pending))
  let answers: EffectAnswer[] = []
  const answer = async (effect: Effect, place: number): Promise<EffectAnswer> => {
    const known = recorded?.answers[place]
    if (known !== undefined) return known
    const isAsked = recorded !== undefined && place === recorded.answers.length
    if (isAsked && changesWorld(effect) && !AGAIN.has(methodOf(effect))) return unknownOutcome
    if (!isAsked && changesWorld(effect)) {
      const block = held.state.frames.at(-1)?.block ?? ''
      await request({ key: effect.key, method: methodOf(effect), block, n: place }, answers)
      answers = []
    }
    return perform(effect)
  }
  try {
    let step = steps.next()
    for (let place = 0; !step.done; place += 1) {
      const effect = step.value
      const isKnown = recorded !== undefined && place < recorded.answers.length
      const given = await (trace === undefined
        ? answer(effect, place)
        : trace.effect(effect, isKnown, () => answer(effect, place)))
      if (!isKnown) answers.push(given)
      step = steps.next(given)
    }
    trace?.finish(step.value)
    return step.value
  } catch (error) {
    trace?.finish({ steps: [] })
    throw error
  }
}

/** ms within which the release of a restart exists. */
const SETTLE_MS = 5_000
/** Limit of restarts in memory. */
const MAX_KNOWN = 1_000

/**
 * Checks whether a bot was restarted with a newer release than a conversation runs, and computes what the move keeps.
 */
export const openMoves = (
  releases: Releases,
  botOf: (id: string) => Promise<RowOf<'bot'> | undefined>,
  now: () => number,
): ((held: FoldedConversation) => Promise<Fact['data'] | undefined>) => {
  /** Number of the release that a bot was restarted with, by bot and moment. */
  const restarted = new Map<string, number>()
  const restartedWith = async (bot: string, at: number): Promise<number> => {
    const key = `${bot} ${at}`
    const known = restarted.get(key)
    if (known !== undefined) return known
    const number = await releases.at(bot, at + SETTLE_MS)
    if (restarted.size >= MAX_KNOWN) restarted.clear()
    if (now() > at + SETTLE_MS) restarted.set(key, number)
    return number
  }
  return async held => {
    const at = Date.parse(String((await botOf(held.bot))?.restarted_at))
    if (!(held.since < at) || held.release >= (await restartedWith(held.bot, at))) return undefined
    const newest = await releases.newest(held.bot)
    if (newest === undefined) return undefined
    const [from, to] = await Promise.all([
      releases.compiled(held.bot, held.release),
      releases.compiled(held.bot, newest.number),
    ])
    const { state, isLost } = moveState(held.state, from, to)
    return { from: held.release, release: newest.number, frames: state.frames.map(({ id }) => id), lost: isLost }
  }
}
