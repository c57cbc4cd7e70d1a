import type { Json, JsonObject } from '#schemas/event.ts'

/**
 * Why a test failed: another message than expected, none, one too many, a button that is not offered, a call that no stub
 * answers, a state that does not hold, or a place to begin at that is not there. `time`: it was not done in time; `file`:
 * it can no longer be read.
 */
type FailureKind = 'message' | 'silent' | 'extra' | 'action' | 'call' | 'state' | 'begin' | 'time' | 'file'

/** One block that ran. `step`: the step of the test that made it run, from 1. */
export interface PathStep {
  readonly step: number
  readonly dialog: string
  readonly block: string
  readonly title: string
  /** The connector it left by; null where it waits or ends. */
  readonly out: string | null
}

/** A block, with its title. */
export interface BlockPlace {
  readonly dialog: string
  readonly block: string
  readonly title: string
}

interface TakenOutput {
  readonly dialog: string
  readonly block: string
  readonly out: string
}

/** Result of a test. */
export interface TestResult {
  readonly passed: boolean
  /** The step that failed, from 1, and its line in the file. */
  readonly step?: number
  readonly line?: number
  readonly kind?: FailureKind
  /** The block that said the wrong message or made the wrong call; otherwise the block where the conversation was. */
  readonly at?: BlockPlace
  readonly expected?: Json
  readonly got?: Json
  /** Messages that came behind the wrong one and that no step names. */
  readonly more?: readonly Json[]
  /** Values at the end of the conversation, masked answers as dots. */
  readonly values: JsonObject
  readonly path: readonly PathStep[]
  /** Ids of the dialogs and handlers that ran, each once. */
  readonly flows: readonly string[]
  /** Outputs that were taken, each once. */
  readonly coverage: readonly TakenOutput[]
}

/** Thrown where a step does not hold and caught by `run-test.ts`; never leaves this folder. */
export class TestFailure extends Error {
  readonly kind: FailureKind
  readonly expected: Json
  readonly got: Json
  readonly more: readonly Json[]
  /** Set where the block is another one than the block where the conversation is. */
  at: BlockPlace | undefined

  constructor(kind: FailureKind, expected: Json, got: Json, more: readonly Json[] = []) {
    super(kind)
    this.kind = kind
    this.expected = expected
    this.got = got
    this.more = more
  }
}
