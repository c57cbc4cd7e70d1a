import { ERROR_CONNECTOR } from '#schemas/block.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { RatingFact } from '#schemas/rating.ts'
import type { AnswerOf, Effect, EffectAnswer, EffectKind, EffectOf, Steps } from './effect.ts'
import { BeyondLimit, TURN_LIMITS } from './limits.ts'
import {
  type AnswerPrompt,
  type BotMessage,
  isPressable,
  type MessageContent,
  type MessageTemplate,
  type TurnInput,
} from './message.ts'
import type { CompiledBlock, Release, TurnSettings } from './release.ts'
import type { ConversationState, Frame, FrameKind, OfferedAction, Wait } from './state.ts'
import type { Problem, Step, Unanswered } from './step.ts'

interface OpenStep {
  readonly block: CompiledBlock
  readonly frame: Frame
  ms: number
  effects: number
  readonly wrote: Set<string>
  problem?: Problem
}

/** Words that led nowhere. `intent`: the likeliest one, though not likely enough; null without any. */
export interface Unrecognized {
  readonly intent: string | null
  /** From 0 to 1. */
  readonly confidence: number
}

/** Request for an agent: the chat opens when the turn is stored. */
export interface AgentRequest {
  readonly channel: string
  readonly queue: string
  readonly fields: JsonObject
  readonly transcript: boolean
  readonly priority?: number
}

/** A step that begins. */
export type EnteredStep = Pick<Step, 'dialog' | 'block' | 'type'>

/** A running turn: blocks read, send and change its data. */
export interface Turn {
  readonly release: Release
  readonly settings: TurnSettings
  /** The moment of the turn, in ms since 1970. */
  readonly now: number
  /** It is run step by step: it asks before each block. */
  readonly pausing: boolean
  readonly entered: ((step: EnteredStep) => void) | undefined
  /** The next number of the turn's own chance, at least 0 and below 1. */
  readonly chance: () => number
  state: ConversationState
  /** Unrecognized input: the likeliest intent of a model, if it was asked. */
  unrecognized: Unrecognized | undefined
  /** An agent is to take over. */
  agent: AgentRequest | undefined
  readonly said: BotMessage[]
  readonly steps: Step[]
  readonly problems: Problem[]
  readonly ratings: RatingFact[]
  /** Variables of the frames that ran, by frame: those of frames that end in the turn are in no state. */
  readonly locals: Map<number, JsonObject>
  /** The block that runs now. */
  step: OpenStep | undefined
  readonly spent: { effects: number; effectTime: number; evaluationTime: number; waiting: number; destinations: number }
}

export const openTurn = (
  given: Pick<Turn, 'release' | 'settings' | 'now'> & {
    readonly seed: number
    readonly pausing?: boolean
    readonly entered?: Turn['entered']
  },
  state: ConversationState,
): Turn => {
  let seed = given.seed >>> 0
  return {
    // The caller of a step-by-step turn may replace it meanwhile.
    get release() {
      return given.release
    },
    settings: given.settings,
    now: given.now,
    pausing: given.pausing ?? false,
    entered: given.entered,
    // Mulberry32: small, and the same everywhere.
    chance: () => {
      seed = (seed + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
    },
    state,
    said: [],
    unrecognized: undefined,
    agent: undefined,
    steps: [],
    problems: [],
    ratings: [],
    locals: new Map(),
    step: undefined,
    spent: { effects: 0, effectTime: 0, evaluationTime: 0, waiting: 0, destinations: 0 },
  }
}

export const topFrame = (state: ConversationState): Frame | undefined => state.frames.at(-1)

/** Puts a frame in place of the one with its id. */
export const replaceFrame = (turn: Turn, frame: Frame): void => {
  const frames = turn.state.frames.map(held => (held.id === frame.id ? frame : held))
  turn.state = { ...turn.state, frames }
}

/** Records a problem; the turn continues. */
export const recordProblem = (turn: Turn, code: string, at?: string): void => {
  const problem = at === undefined ? { code } : { code, at }
  turn.problems.push(problem)
  if (turn.step !== undefined) turn.step.problem ??= problem
}

const INSIDE: ReadonlySet<EffectKind> = new Set(['evaluate', 'holiday', 'pause'])
const isOutside = (effect: Effect): boolean => !INSIDE.has(effect.kind)

const countEffect = (turn: Turn, effect: Effect): void => {
  if (!isOutside(effect)) return
  turn.spent.effects += 1
  if (turn.spent.effects > TURN_LIMITS.effects) throw new BeyondLimit('effects')
  if (turn.step === undefined) return
  turn.step.effects += 1
  const there = turn.steps.filter(({ block }) => block === turn.step?.block.id).length
  if (turn.step.effects + there > TURN_LIMITS.blockEffects) throw new BeyondLimit('blockEffects')
}

const countTime = (turn: Turn, effect: Effect, { ms, waited = 0 }: EffectAnswer): void => {
  turn.spent.waiting += waited
  if (turn.spent.waiting >= TURN_LIMITS.waiting) throw new BeyondLimit('busy')
  if (turn.step !== undefined) turn.step.ms += ms
  if (isOutside(effect)) turn.spent.effectTime += ms
  else turn.spent.evaluationTime += ms
  if (turn.spent.effectTime > TURN_LIMITS.effectTime) throw new BeyondLimit('effectTime')
  if (turn.spent.evaluationTime > TURN_LIMITS.evaluationTime) throw new BeyondLimit('evaluationTime')
}

/** Asks the outside for something, within the limits of the turn. An answer of another kind is a fault of the caller. */
export function* perform<K extends EffectKind>(turn: Turn, effect: EffectOf<K>): Steps<AnswerOf<K>> {
  // A member of the union by construction: K is one kind.
  const asked = effect as unknown as Effect
  countEffect(turn, asked)
  const answer = yield asked
  if (answer.kind !== effect.kind) throw new Error(`${effect.kind} was answered as ${answer.kind}`)
  countTime(turn, asked, answer)
  return answer as unknown as AnswerOf<K>
}

/** Names the next effect of a turn: the same when the turn is run again. */
export const effectKey = ({ state, spent }: Turn): string => `${state.id}.${state.turns}.${spent.effects}`

/** Text of one of the bot's messages. */
export const messageText = (turn: Turn, code: string): string => turn.settings.messages.get(code) ?? code

/** Requests an agent, stored with the turn. Returns whether a channel for it exists. */
export function* askForAgent(turn: Turn, effect: Omit<EffectOf<'agent'>, 'kind'>): Steps<boolean> {
  const answer = yield* perform(turn, { kind: 'agent', ...effect })
  const status = answer.ok ? 'requested' : 'unavailable'
  turn.state = { ...turn.state, agent: { status } }
  const { system: _, ...asked } = effect
  if (answer.ok && answer.channel !== undefined) turn.agent = { channel: answer.channel, ...asked }
  return answer.ok
}

/** A dialog to run, and how. */
export interface CalledFrame {
  readonly kind: FrameKind
  readonly task: string | null
  readonly dialog: string
  readonly localsOf?: number
}

/** Transition from a block. */
export type Move =
  /** By an output; one without a link ends the dialog. */
  | { readonly kind: 'leave'; readonly out: string; readonly unanswered?: Unanswered }
  /** Ends the turn until the next input. */
  | { readonly kind: 'wait'; readonly wait: Wait }
  /** The dialog ends. */
  | { readonly kind: 'end' }
  /** Another block of the same dialog. */
  | { readonly kind: 'jump'; readonly block: string }
  /** Another dialog first; when it ends, this block leaves by `returns`. */
  | { readonly kind: 'call'; readonly frame: CalledFrame; readonly returns: string }
  /** Another dialog instead of everything that runs. */
  | { readonly kind: 'replace'; readonly frame: CalledFrame }
  /** The last answered question again. */
  | { readonly kind: 'back' }
  /** A person takes over. */
  | { readonly kind: 'agent'; readonly returns: string }
  /** Ends the conversation. */
  | { readonly kind: 'close' }

/** Meaning of an input to a waiting block. */
export type Reading =
  /** The answer: the block continues with it, by the output of the button that was meant. */
  | { readonly kind: 'valid'; readonly value: Json; readonly out?: string }
  | { readonly kind: 'skipped' }
  /** Not what is wanted. */
  | { readonly kind: 'invalid' }
  /** Not for the block, which is left; the input goes where it would go without it. */
  | { readonly kind: 'passed' }

/** A value, or a computation of it that may ask for effects. */
export type MaySteps<T> = Steps<T> | T

/** Behaviour of a block type. One file for each type in `blocks/`. */
export interface BlockRuntime {
  /** When the conversation comes to the block. */
  readonly run: (turn: Turn, block: CompiledBlock) => MaySteps<Move>
  /** Of a waiting block: reads an input for it before any other routing. */
  readonly read?: (turn: Turn, block: CompiledBlock, wait: Wait, input: TurnInput) => Reading
  /** Takes a reading; an invalid one is asked again, or given up. */
  readonly take?: (turn: Turn, block: CompiledBlock, wait: Wait, reading: Reading) => MaySteps<Move>
  /** Asks again: after an interruption (no try is counted), or as a reminder. */
  readonly again?: (turn: Turn, block: CompiledBlock, wait: Wait, why: 'resumed' | 'reminder') => MaySteps<Move>
}

export const leave = (out = 'output_1'): Move => ({ kind: 'leave', out })
/** A failed block leaves by its error output where that is linked, else as if it had not failed. */
export const leaveFailed = ({ next }: CompiledBlock): Move =>
  leave(next.has(ERROR_CONNECTOR) ? ERROR_CONNECTOR : 'output_1')
export const END: Move = { kind: 'end' }

interface SayOptions {
  readonly actions?: readonly OfferedAction[]
  readonly asks?: AnswerPrompt
  readonly destination?: string
  readonly template?: MessageTemplate | undefined
  readonly linked?: number
}

/** Adds a message to the turn. A block with `enableDelay` holds its messages back by the bot's `stepdelay`. */
export const say = (turn: Turn, content: MessageContent, options: SayOptions = {}): void => {
  if (turn.said.length >= TURN_LIMITS.messages) throw new BeyondLimit('messages')
  const block = turn.step?.block
  const id = turn.state.messages + 1
  turn.state = { ...turn.state, messages: id }
  const message: BotMessage = {
    id,
    block: block?.id ?? null,
    delay: block?.properties.enableDelay === true ? turn.settings.stepDelay : 0,
    content,
    actions: options.actions ?? [],
    ...(options.asks === undefined ? {} : { asks: options.asks }),
    ...(options.destination === undefined ? {} : { destination: options.destination }),
    ...(options.linked === undefined ? {} : { linked: options.linked }),
    ...(options.template === undefined ? {} : { template: options.template }),
  }
  turn.said.push(message)
  if (message.destination === undefined && isPressable(message)) turn.state = { ...turn.state, buttons: id }
}

const plainAddress = (address: string): string =>
  /^\+?[\d\s()-]{7,25}$/u.test(address) ? address.replace(/\D/gu, '') : address.trim()

/** The address that a block names, if it is another than the person's own on this channel. */
export const addressElsewhere = ({ state }: Turn, written: string): string | undefined => {
  const address = written.trim()
  const { channel, user } = state
  const own = typeof user.id === 'string' ? plainAddress(user.id) : ''
  const [, named = '', rest = ''] = /^([^:]{1,100}):(.+)$/u.exec(address) ?? []
  const isHere =
    [channel.id, channel.type].includes(named.toLowerCase()) || channel.type.startsWith(`${named.toLowerCase()}_`)
  const bare = named !== '' && isHere ? rest : address
  return address === '' || plainAddress(bare) === own || address === user.id ? undefined : address
}

export const sayText = (turn: Turn, text: string, options?: SayOptions): void =>
  say(turn, { type: 'text', text }, options)

/** Says one of the bot's own messages, by its code. */
export const sayMessage = (turn: Turn, code: string): void => sayText(turn, messageText(turn, code))

/** Sends one of the brain's answers to a question that it knows; false if there is none. */
export function* answerFromBrain(turn: Turn, text: string): Steps<boolean> {
  if (!turn.settings.nlu.brain || text.trim() === '') return false
  const answer = yield* perform(turn, { kind: 'brain', text, locale: turn.state.locale })
  if (!answer.ok) {
    recordProblem(turn, 'brain.failed', answer.code)
    return false
  }
  const { intent, confidence, answers } = answer
  const said = answers[Math.floor(turn.chance() * answers.length)]
  if (intent === null || said === undefined) return false
  turn.state = { ...turn.state, intent: { name: intent, confidence }, status: 'idle' }
  sayText(turn, said)
  return true
}

/** The topmost waiting frame under the running one: the target of an interruption. */
export const frameThatWaits = (state: ConversationState): Frame | undefined =>
  state.frames.slice(0, -1).findLast(({ wait }) => wait !== undefined)

/** The frame of a task: the dialog that is named, else its principal one; undefined where neither is released. */
export const taskFrame = (turn: Turn, task: string, dialog: string, kind: FrameKind): CalledFrame | undefined => {
  const wanted = dialog === '' ? (turn.settings.tasks.get(task)?.principal ?? '') : dialog
  return turn.release.dialogs.has(wanted) ? { kind, task: task === '' ? null : task, dialog: wanted } : undefined
}

/** Puts a dialog onto the stack, at its start. */
export const pushFrame = (turn: Turn, called: CalledFrame, returns: string | null): void => {
  const { state, release } = turn
  if (state.frames.length >= TURN_LIMITS.frames) throw new BeyondLimit('frames')
  const id = state.pushed + 1
  const frame: Frame = {
    ...called,
    id,
    block: release.dialogs.get(called.dialog)?.start ?? null,
    locals: {},
    returns,
    shared: { sub: [], task: [] },
  }
  turn.state = { ...state, pushed: id, frames: [...state.frames, frame] }
}
