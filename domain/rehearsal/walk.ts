import type { Effect, EffectAnswer, EffectOf, Steps } from '#domain/conversation/effect.ts'
import {
  actionsOf,
  type BotMessage,
  isStalePress,
  pressedWords,
  pressOf,
  type TurnInput,
} from '#domain/conversation/message.ts'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import { runTurn, type TurnResult } from '#domain/conversation/run-turn.ts'
import type { ConversationState } from '#domain/conversation/state.ts'
import { topFrame } from '#domain/conversation/turn.ts'
import type { InnerSteps } from '#domain/conversation-test/answer-call.ts'
import type { UnknownReason } from '#schemas/api/rehearsal.ts'
import type { JsonObject } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import type { PathStep, RecordedCall, RecordedTurn, Recording, Standing } from './recording.ts'

/** Why a walk ends early: nothing recorded answers a call, or a question. `refused`: its answers were used up. */
type Gap = 'call' | 'question' | 'refused'

/**
 * End of a conversation. `over`: nothing waits for the person; `left`: a question waits, or its person left it; `agent`: a
 * person took over; `failed`: the bot apologised.
 */
export interface End {
  readonly kind: 'over' | 'left' | 'agent' | 'failed'
  /** The last block that ran, or the one that waits; null: none ran. */
  readonly dialog: string | null
  readonly block: string | null
  /** Of a block that waits: as in its standing. */
  readonly question?: string
}

export interface WalkedTurn {
  /** Place of the input among the recorded turns. */
  readonly turn: number
  readonly input: TurnInput
  readonly said: readonly BotMessage[]
}

interface Walk {
  readonly path: readonly PathStep[]
  readonly turns: readonly WalkedTurn[]
  readonly end: End
  readonly standing: Standing
  /** Absent: every answer that the walk needed is on record. */
  readonly gap?: Gap
}

/** No recorded answer fits. */
class Unanswered extends Error {}

type Question = Exclude<Effect, { kind: 'evaluate' | 'holiday' | 'pause' }>

/** Fields that make up the request of a call; the others are about its answer. */
const REQUEST = ['methodType', 'url', 'headers', 'input', 'formData', 'oauthConfigName'] as const

/** The texts of a request with the values of the conversation: equal for equal requests. */
function* requestOf({ kind, properties, parser, context }: EffectOf<'rest'> | EffectOf<'feed'>): InnerSteps<string> {
  const texts = REQUEST.map(name => {
    const value = properties[name]
    return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  })
  const jobs = texts.map(text => ({ kind: 'template', text, template: 'text', parser }) as const)
  const answer = yield { kind: 'evaluate', jobs, context }
  return JSON.stringify([kind, answer.kind === 'evaluate' ? answer.values : texts])
}

/** Equal for calls that get one answer. */
function* nameOf(effect: Question): InnerSteps<string> {
  switch (effect.kind) {
    case 'rest':
    case 'feed':
      return yield* requestOf(effect)
    case 'script':
      return JSON.stringify(['script', effect.source, effect.parameters])
    case 'nlu':
    case 'brain':
      return JSON.stringify([effect.kind, effect.text.trim()])
    case 'ml':
      return JSON.stringify(['ml', effect.system, effect.text.trim()])
    case 'bot':
      return JSON.stringify(['bot', effect.bot, effect.text.trim()])
    case 'agent':
      return JSON.stringify(['agent', effect.system, effect.queue])
    default:
      return effect satisfies never
  }
}

/** Answers of a conversation by what was asked, in order. */
type Answers = ReadonlyMap<string, readonly EffectAnswer[]>

/** Gives each call its answer. */
interface Answerer {
  answer(effect: Question, block: string | null, turn: number): InnerSteps<EffectAnswer>
}

/** Gives a conversation that runs as it ran its answers again, and keeps them by what was asked. */
export class RecordedAnswers implements Answerer {
  readonly answers = new Map<string, EffectAnswer[]>()
  readonly #left: readonly RecordedCall[][]

  constructor({ turns }: Recording) {
    this.#left = turns.map(({ calls }) => [...calls])
  }

  *answer(effect: Question, block: string | null, turn: number): InnerSteps<EffectAnswer> {
    const name = yield* nameOf(effect)
    const left = this.#left[turn] ?? []
    const own = left.findIndex(call => call.kind === effect.kind && call.block === block)
    const at = own === -1 ? left.findIndex(call => call.kind === effect.kind && call.block === null) : own
    const [call] = at === -1 ? [] : left.splice(at, 1)
    const known = call?.answer ?? (effect.kind === 'script' ? 'run' : undefined)
    if (known === undefined) throw new Unanswered()
    const given = known === 'run' ? yield effect as EffectOf<'script'> : known
    this.answers.set(name, [...(this.answers.get(name) ?? []), given])
    return given
  }
}

/**
 * Answers the calls of another drawing with what the same calls were answered. A script has no way out, so that an unknown
 * one runs; a person takes over on request.
 */
class KnownAnswers implements Answerer {
  readonly #answers: Answers
  readonly #used = new Map<string, number>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  *answer(effect: Question): InnerSteps<EffectAnswer> {
    const name = yield* nameOf(effect)
    const known = this.#answers.get(name) ?? []
    const time = this.#used.get(name) ?? 0
    this.#used.set(name, time + 1)
    const given = known[Math.min(time, known.length - 1)]
    if (given !== undefined) return given
    if (effect.kind === 'script') return yield effect
    if (effect.kind === 'agent') return { kind: 'agent', ms: 0, ok: true }
    throw new Unanswered()
  }
}

/** Runs a turn; names to the answerer the block that asks. */
function* answered(
  steps: Steps<TurnResult>,
  { answerer, block, turn }: { readonly answerer: Answerer; readonly block: string | null; readonly turn: number },
): InnerSteps<TurnResult> {
  let at = block
  let step = steps.next()
  while (!step.done) {
    const effect = step.value
    if (effect.kind === 'pause') {
      at = effect.block
      step = steps.next({ kind: 'pause', ms: 0 })
      continue
    }
    const isInner = effect.kind === 'evaluate' || effect.kind === 'holiday'
    const answer = isInner ? yield effect : yield* answerer.answer(effect, at, turn)
    // The time of a turn is limited by the caller: it says nothing of the recorded one.
    step = steps.next({ ...answer, ms: 0, waited: 0 })
  }
  return step.value
}

/** The point at which a block of a release waits for an answer of this kind. */
export const waitingAt = (
  { dialogs }: Release,
  { dialog, block, kind }: { readonly dialog: string; readonly block: string; readonly kind: string },
): Standing => {
  const variable = textAt(dialogs.get(dialog)?.blocks.get(block)?.properties ?? {}, 'varname')
  return { status: 'waiting', dialog, block, ...(variable === '' ? {} : { question: `${kind} ${variable}` }) }
}

/** Place of a conversation between two turns of a release. */
const standingOf = (state: ConversationState, release: Release): Standing => {
  const frame = topFrame(state)
  const { status } = state
  if (status === 'waiting' && frame?.wait !== undefined)
    return waitingAt(release, { dialog: frame.dialog, block: frame.wait.block, kind: frame.wait.kind })
  return { status: status === 'agent' || status === 'ended' ? status : 'idle' }
}

/** Whether what was said at one point is an answer at the other: the same question, or one for the same value. */
const isSameStanding = (one: Standing, other: Standing): boolean =>
  one.status === other.status &&
  (one.block === other.block || (one.question !== undefined && one.question === other.question))

/** An input on the messages of another drawing: a press finds the button of its value, else of its title. */
const placedInput = (
  input: TurnInput,
  state: ConversationState,
  said: readonly BotMessage[],
  newestOnly: boolean,
): TurnInput => {
  if (input.kind === 'order' || input.kind === 'submit') {
    const { message: _message, question: _question, ...data } = input
    return data
  }
  if (input.kind !== 'choice') return input
  const { action, message } = input
  const presses = said
    .toReversed()
    .toSorted((one, other) => Number(other.id === message) - Number(one.id === message))
    .flatMap(shown => actionsOf(shown).map(offered => pressOf(shown, offered)))
    .filter(press => !isStalePress(state, press, newestOnly))
  const found =
    presses.find(press => action.value !== '' && press.action.value === action.value) ??
    presses.find(press => press.action.title === action.title)
  return found ?? { kind: 'text', text: pressedWords(action) }
}

const leftAt = ({ dialog, block, question }: Standing): End => ({
  kind: 'left',
  dialog: dialog ?? null,
  block: block ?? null,
  ...(question === undefined ? {} : { question }),
})

const LOSING: ReadonlySet<TurnInput['kind']> = new Set(['timeout', 'leave'])

/** A conversation on its way through a release. */
class Walking {
  readonly path: PathStep[] = []
  readonly turns: WalkedTurn[] = []
  readonly #said: BotMessage[] = []
  #state: ConversationState
  #end: End | undefined
  readonly #environment: { readonly release: Release; readonly settings: TurnSettings }
  readonly #answerer: Answerer

  constructor(
    state: ConversationState,
    environment: { readonly release: Release; readonly settings: TurnSettings },
    answerer: Answerer,
  ) {
    this.#state = state
    this.#environment = environment
    this.#answerer = answerer
  }

  get standing(): Standing {
    return standingOf(this.#state, this.#environment.release)
  }

  get end(): End {
    if (this.#end !== undefined) return this.#end
    const { standing } = this
    if (standing.status === 'waiting') return leftAt(standing)
    return { kind: standing.status === 'agent' ? 'agent' : 'over', ...this.#last }
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  get #last(): Pick<End, 'dialog' | 'block'> {
    const last = this.path.at(-1)
    return { dialog: last?.dialog ?? null, block: last?.block ?? null }
  }

  /** `isOwn`: the release is the one in which the input was given. */
  *take(recorded: RecordedTurn, place: number, isOwn: boolean): InnerSteps<void> {
    const { settings } = this.#environment
    const { seed, campaign } = recorded
    const state = this.#state
    const input = isOwn ? recorded.input : placedInput(recorded.input, state, this.#said, settings.newestButtonsOnly)
    const before = this.standing
    const now = Math.max(recorded.now, state.started)
    const environment: { readonly campaign?: JsonObject } = campaign === undefined ? {} : { campaign }
    const turn = runTurn({ ...this.#environment, ...environment, now, seed, pausing: true }, state, input)
    const asking = { answerer: this.#answerer, block: topFrame(state)?.block ?? null, turn: place }
    const result = yield* answered(turn, asking)
    this.#state = result.state
    this.#said.push(...result.said)
    this.path.push(...result.steps.map(({ dialog, block, out }) => ({ dialog, block, out })))
    this.turns.push({ turn: place, input, said: result.said })
    if (result.failed !== undefined) this.#end = { kind: 'failed', ...this.#last }
    else if (LOSING.has(input.kind) && before.status === 'waiting' && result.state.status === 'ended')
      this.#end = leftAt(before)
  }
}

interface WalkOf {
  readonly recording: Recording
  readonly release: Release
  readonly settings: TurnSettings
}

/** Runs a conversation in the release in which it took place, each input in its order. */
export function* walkAgain({ recording, ...environment }: WalkOf, answers: RecordedAnswers): InnerSteps<Walk> {
  const walking = new Walking(recording.state, environment, answers)
  try {
    for (const [place, turn] of recording.turns.entries()) yield* walking.take(turn, place, true)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    return { ...resultOf(walking), gap: 'call' }
  }
  return resultOf(walking)
}

const resultOf = ({ path, turns, end, standing }: Walking): Walk => ({ path, turns, end, standing })

/**
 * Runs the inputs of a conversation through another release. Each question gets the answers that were given to it, in
 * their order; the walk ends where none is left.
 */
export function* walkAnew({ recording, ...environment }: WalkOf, answers: Answers): InnerSteps<Walk> {
  const walking = new Walking(recording.state, environment, new KnownAnswers(answers))
  const left = recording.turns.map((turn, place) => ({ turn, place }))
  try {
    while (!walking.hasEnded) {
      const { standing } = walking
      const at = left.findIndex(({ turn }) => isSameStanding(turn.standing, standing))
      const [next] = at === -1 ? [] : left.splice(at, 1)
      if (next === undefined) break
      yield* walking.take(next.turn, next.place, false)
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    return { ...resultOf(walking), gap: 'call' }
  }
  return resultOf(walking)
}

/** `way`: the same end by other blocks. */
export type Outcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'way' | 'elsewhere'; readonly parts: Place; readonly today: End; readonly after: End }
  | { readonly kind: 'unknown'; readonly why: UnknownReason; readonly parts: Place | null }

export interface Place {
  readonly dialog: string
  readonly block: string
}

const placeOf = ({ dialog, block }: PathStep): Place => ({ dialog, block })

const isSameStep = (one: PathStep | undefined, other: PathStep | undefined): boolean =>
  one?.dialog === other?.dialog && one?.block === other?.block && one?.out === other?.out

/** The block behind which two paths lead to different blocks; null for equal paths. */
const partingOf = (today: readonly PathStep[], after: readonly PathStep[]): Place | null => {
  const length = Math.max(today.length, after.length)
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [today[at], after[at]]
    if (isSameStep(one, other)) continue
    const isSameBlock = one?.block === other?.block && one?.dialog === other?.dialog
    const before = isSameBlock ? one : today[at - 1]
    const step = before ?? one ?? other
    return step === undefined ? null : placeOf(step)
  }
  return null
}

/** Whether a walk stopped at a question without an answer, while the conversation itself did not end there. */
const gapOf = (walk: Walk, { turns }: Recording, ended: Walk): UnknownReason | undefined => {
  if (walk.gap !== undefined) return walk.gap
  const { end, standing } = walk
  if (end.kind !== 'left' || standing.status !== 'waiting' || isSameStanding(standing, ended.standing)) return undefined
  // A person who left a question without an answer leaves the same question.
  if (ended.end.kind === 'left' && ended.end.block === standing.block) return undefined
  return turns.some(turn => isSameStanding(turn.standing, standing)) ? 'refused' : 'question'
}

const isSameEnd = (one: End, other: End): boolean =>
  one.kind === other.kind &&
  ((one.dialog === other.dialog && one.block === other.block) ||
    (one.question !== undefined && one.question === other.question))

interface Walks {
  /** In the release in which the conversation took place. */
  readonly recorded: Walk
  /** In what is published. */
  readonly today: Walk
  /** In the draft. */
  readonly after: Walk
}

/** Outcome of a conversation if the draft were published. */
export const outcomeOf = (recording: Recording, { recorded, today, after }: Walks): Outcome => {
  const known = recording.turns.flatMap(({ path }) => path)
  const unknown = (why: UnknownReason, parts: Place | null = null): Outcome => ({ kind: 'unknown', why, parts })
  if (recorded.gap !== undefined || partingOf(known, recorded.path) !== null) return unknown('record')
  if (gapOf(today, recording, recorded) !== undefined) return unknown('older')
  const parts = partingOf(today.path, after.path)
  const gap = gapOf(after, recording, today)
  if (gap !== undefined) return unknown(gap, parts)
  if (parts === null) return { kind: 'same' }
  if (recording.turns.some(({ isHidden }) => isHidden)) return unknown('hidden', parts)
  return { kind: isSameEnd(today.end, after.end) ? 'way' : 'elsewhere', parts, today: today.end, after: after.end }
}
