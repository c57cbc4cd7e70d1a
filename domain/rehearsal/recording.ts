import type { EffectAnswer } from '#domain/conversation/effect.ts'
import type { TurnInput } from '#domain/conversation/message.ts'
import type { ConversationState } from '#domain/conversation/state.ts'
import type { Step } from '#domain/conversation/step.ts'
import type { JsonObject } from '#schemas/event.ts'

/** A step of a path: a block, and the output by which it was left. */
export type PathStep = Pick<Step, 'dialog' | 'block' | 'out'>

/** Point between two turns: the block that waits, with the kind and the variable of its question, or none. */
export interface Standing {
  readonly status: 'waiting' | 'idle' | 'agent' | 'ended'
  readonly dialog?: string
  readonly block?: string
  /** Equal for two questions of one kind that fill one variable; absent without a variable. */
  readonly question?: string
}

/** An answer from outside. `run`: the result of the script is not known, and the script runs. */
export interface RecordedCall {
  readonly kind: Exclude<EffectAnswer['kind'], 'evaluate' | 'holiday' | 'pause'>
  /** The block that asked; null: the bot itself did. */
  readonly block: string | null
  readonly answer: EffectAnswer | 'run'
}

/** A turn that was taken: its input, the moment and the chance of it, what was answered, and where it led. */
export interface RecordedTurn {
  readonly input: TurnInput
  /** ms since 1970 */
  readonly now: number
  readonly seed: number
  readonly campaign?: JsonObject
  /** Before the input. */
  readonly standing: Standing
  /** The words of the person cannot be read any more; `input` has an example. */
  readonly isHidden: boolean
  readonly calls: readonly RecordedCall[]
  readonly path: readonly PathStep[]
}

/** A conversation that took place, from its beginning. */
export interface Recording {
  readonly id: string
  /** Before the first turn. */
  readonly state: ConversationState
  readonly turns: readonly RecordedTurn[]
}

/** Models that a bot asks about a text. */
export interface AskedModels {
  readonly nlu: boolean
  readonly brain: boolean
}
