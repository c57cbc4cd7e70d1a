import type { Effect, EffectAnswer, EffectKind, Steps } from '#domain/conversation/effect.ts'
import type { BotMessage, TurnInput } from '#domain/conversation/message.ts'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import { runTurn, type TurnResult } from '#domain/conversation/run-turn.ts'
import { type ConversationState, type ValueChange, withValue } from '#domain/conversation/state.ts'
import type { Step } from '#domain/conversation/step.ts'
import { MissingPart } from './lazy-release.ts'

/** An external call and its answer; `block` made the call. */
interface AnsweredCall {
  readonly effect: Effect
  readonly answer: EffectAnswer
  readonly block: string | null
}

/** A block that a turn reached, and the number of messages sent before it. */
interface ReachedBlock {
  readonly dialog: string
  readonly block: string
  readonly said: number
}

/** Time of an effect, after the given number of reached blocks. */
interface SpentTime {
  readonly reached: number
  readonly kind: EffectKind
  readonly ms: number
}

/** Start of a turn and the answers since then: enough to run it again up to the same point. */
interface BegunTurn {
  readonly before: ConversationState
  readonly input: TurnInput
  /** ms since 1970 */
  readonly now: number
  readonly seed: number
  readonly answers: EffectAnswer[]
  readonly calls: AnsweredCall[]
  readonly reached: ReachedBlock[]
  readonly spent: SpentTime[]
  /** ms that the person took before the turn. */
  readonly waited: number
}

const nothingYet = (): Pick<BegunTurn, 'answers' | 'calls' | 'reached' | 'spent'> => ({
  answers: [],
  calls: [],
  reached: [],
  spent: [],
})

/** A turn in the form from which tests are made, with its time spans. */
export type PlayedTurn = Omit<BegunTurn, 'seed' | 'answers'> & {
  readonly said: readonly BotMessage[]
}

const INSIDE: ReadonlySet<Effect['kind']> = new Set(['pause', 'evaluate', 'holiday'])

/** Result of a turn so far. */
interface TurnSoFar {
  readonly input: TurnInput
  readonly state: ConversationState
  readonly said: readonly BotMessage[]
  readonly steps: readonly Step[]
  readonly result: TurnResult | undefined
}

/** A turn that stopped at a part that is not loaded, with the answers to replay. */
interface StoppedTurn {
  readonly part: MissingPart
  readonly turn: BegunTurn
  readonly answers: readonly EffectAnswer[]
}

/** Limit of turns in a simulated conversation. */
const MAX_TURNS = 200

/**
 * A conversation that is simulated step by step. States are values: a step back runs a turn again with its
 * answers up to that point. Edits of the flow apply to every block that has not run yet.
 */
export class Simulation {
  settings: TurnSettings
  release: Release
  now: number
  #turns: BegunTurn[] = []
  #done: TurnSoFar[] = []
  #running: Steps<TurnResult> | undefined
  #pending: Effect | undefined
  #seen: TurnSoFar | undefined
  #stopped: StoppedTurn | undefined
  #initial: ConversationState

  constructor(initial: ConversationState, settings: TurnSettings, release: Release, now: number) {
    this.#initial = initial
    this.settings = settings
    this.release = release
    this.now = now
  }

  /** The next effect of the running turn; undefined when no turn runs. */
  get pending(): Effect | undefined {
    return this.#pending
  }

  /** The part that the running turn needs before `retry`. */
  get missing(): MissingPart | undefined {
    return this.#stopped?.part
  }

  /** Runs the turn that stopped at a missing part again, with its answers. */
  retry(): void {
    const stopped = this.#stopped
    if (stopped === undefined) return
    this.#stopped = undefined
    this.#start(stopped.turn, stopped.answers)
  }

  /** The turns so far, the running one last. */
  get turns(): readonly TurnSoFar[] {
    return this.#seen === undefined ? this.#done : [...this.#done, this.#seen]
  }

  get state(): ConversationState {
    return this.turns.at(-1)?.state ?? this.#initial
  }

  get played(): readonly PlayedTurn[] {
    const { turns } = this
    return this.#turns.map(({ seed: _seed, answers: _answers, ...turn }, place) => {
      return { ...turn, said: turns[place]?.said ?? [] }
    })
  }

  /** Begins a turn, unless one runs or the limit is reached. `waited`: ms that the person took before it. */
  begin(input: TurnInput, waited = 0): boolean {
    if (this.#running !== undefined || this.#turns.length >= MAX_TURNS) return false
    const seed = this.#turns.length + 1
    this.#start({ before: this.state, input, now: this.now, seed, waited, ...nothingYet() })
    return true
  }

  /** Answers the pending effect of the running turn. */
  answer(answer: EffectAnswer): void {
    this.#take(answer, [])
  }

  /** Goes back before the last block that ran; false at the very beginning. */
  back(): boolean {
    const turn = this.#turns.at(-1)
    if (turn === undefined) return false
    const last = turn.answers.findLastIndex(({ kind }) => kind === 'pause')
    this.#again(turn, last === -1 ? undefined : last)
    return true
  }

  /** Goes back before the last visit of a block; false if it was never visited. */
  backTo(place: Pick<ReachedBlock, 'dialog' | 'block'>): boolean {
    const isPlace = ({ dialog, block }: ReachedBlock) => dialog === place.dialog && block === place.block
    const turn = this.#turns.findLast(({ reached }) => reached.some(isPlace))
    if (turn === undefined) return false
    // The pause before each reached block has its answer, except perhaps the last one.
    const paused = turn.answers.flatMap(({ kind }, at) => (kind === 'pause' ? [at] : []))
    this.#again(turn, paused[turn.reached.findLastIndex(isPlace)] ?? turn.answers.length)
    return true
  }

  /** Removes a turn and all later ones; runs it again with its first `answers`, if given. */
  #again(turn: BegunTurn, answers: number | undefined): void {
    const place = this.#turns.indexOf(turn)
    this.#turns.splice(place)
    this.#done.splice(place)
    this.#running = undefined
    this.#pending = undefined
    this.#seen = undefined
    if (answers !== undefined) this.#start({ ...turn, ...nothingYet() }, turn.answers.slice(0, answers))
  }

  /** Replaces a value of the current state; false while a call waits for its answer. */
  change(change: ValueChange): boolean {
    if (this.#running !== undefined) {
      if (this.#pending?.kind !== 'pause') return false
      this.answer({ kind: 'pause', ms: 0, change })
      return true
    }
    const last = this.#done.at(-1)
    if (last === undefined) this.#initial = withValue(this.#initial, change)
    else this.#done[this.#done.length - 1] = { ...last, state: withValue(last.state, change) }
    return true
  }

  #take(answer: EffectAnswer, recorded: readonly EffectAnswer[]): void {
    const turn = this.#turns.at(-1)
    const running = this.#running
    if (running === undefined || turn === undefined) return
    turn.answers.push(answer)
    if (answer.ms > 0) turn.spent.push({ reached: turn.reached.length, kind: answer.kind, ms: answer.ms })
    if (this.#pending !== undefined && !INSIDE.has(this.#pending.kind)) {
      const block = (this.#seen?.state ?? turn.before).frames.at(-1)?.block ?? null
      turn.calls.push({ effect: this.#pending, answer, block })
    }
    this.#proceed(turn, () => running.next(answer), recorded)
  }

  #proceed(turn: BegunTurn, next: () => IteratorResult<Effect, TurnResult>, recorded: readonly EffectAnswer[]): void {
    try {
      this.#follow(turn, next())
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error
      const answers = recorded.length > turn.answers.length ? recorded : [...turn.answers]
      this.#stopped = { part: error, turn: { ...turn, ...nothingYet() }, answers }
      this.#turns.pop()
      this.#running = undefined
      this.#pending = undefined
    }
  }

  #start(turn: BegunTurn, recorded: readonly EffectAnswer[] = []): void {
    this.#turns.push(turn)
    const { before, input, now, seed } = turn
    const settings = this.settings
    const simulation = this
    const environment = {
      settings,
      now,
      seed,
      pausing: true,
      // Read for each block, so that an edit applies at once.
      get release() {
        return simulation.release
      },
    }
    this.#seen = { input, state: before, said: [], steps: [], result: undefined }
    const running = runTurn(environment, before, input)
    this.#running = running
    this.#proceed(turn, () => running.next(), recorded)
    for (const answer of recorded) {
      // After an edit the turn may need another effect: from there on, recorded answers are not used.
      if (this.#pending?.kind !== answer.kind) return
      this.#take(answer, recorded)
    }
  }

  #follow(turn: BegunTurn, step: IteratorResult<Effect, TurnResult>): void {
    if (step.done) {
      const { state, said, steps } = step.value
      this.#done.push({ input: turn.input, state, said, steps, result: step.value })
      this.#running = undefined
      this.#pending = undefined
      this.#seen = undefined
      return
    }
    this.#pending = step.value
    if (step.value.kind !== 'pause') return
    const { dialog, block, state, said, steps } = step.value
    turn.reached.push({ dialog, block, said: said.length })
    this.#seen = { input: turn.input, state, said, steps, result: undefined }
  }
}
