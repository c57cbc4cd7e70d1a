import type { Json } from '#schemas/event.ts'
import type { Steps } from './effect.ts'
import type { TurnInput } from './input.ts'
import type { CompiledBlock } from './release.ts'
import type { FrameKind, Wait } from './state.ts'
import type { Unanswered } from './step.ts'
import type { Turn } from './turn.ts'

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
  /** The answer: the block continues with it. */
  | { readonly kind: 'valid'; readonly value: Json }
  | { readonly kind: 'skipped' }
  /** Not what is wanted. */
  | { readonly kind: 'invalid' }

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
export const END: Move = { kind: 'end' }
