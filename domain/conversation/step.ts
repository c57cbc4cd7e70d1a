/** Why a question is left without an answer: after too many wrong ones, or because it is optional. */
export type Unanswered = 'gaveup' | 'skipped'

/** One block executed (RUNTIME 59). It names blocks and connectors, never what was said. */
export interface Step {
  readonly frame: number
  readonly dialog: string
  readonly block: string
  readonly type: string
  /** The connector it left by; null where it waits, ends its frame or goes elsewhere. */
  readonly out: string | null
  /** ms of its effects. */
  readonly ms: number
  /** Names of the variables that it set. */
  readonly wrote: readonly string[]
  readonly tries?: number
  /** It left a question without an answer. */
  readonly unanswered?: Unanswered
  /** Another dialog runs first; the output by which it is left then. */
  readonly calls?: string
  /** It handed the conversation to a person. */
  readonly agent?: true
  readonly problem?: Problem
}

/** A fault at a block that did not stop the turn (RUNTIME 14). */
export interface Problem {
  readonly code: string
  /** Place or subject; never a person's words. */
  readonly at?: string
}
