import type { TestResult } from '#domain/conversation-test/test-result.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Drawing } from '../flow/read-flow-file.ts'

/** A test of a bot as it is stored. */
export interface StoredTest {
  readonly id: string
  readonly name: string
  readonly file: string
}

/** A flow that is not stored yet. */
export interface ComingFlow extends Drawing {
  readonly kind: 'dialog' | 'handler'
  readonly name: string
  readonly slow: boolean
}

/** A thing of the bot as it is going to be; null: it is going to be removed. */
export interface PendingEntity {
  readonly entity: string
  readonly id: string
  readonly fields: JsonObject | null
}

/** Flows under test: exactly these revisions, by id. */
export interface TestedFlows {
  readonly bot: string
  readonly dialogs: Readonly<Record<string, number>>
  readonly handlers: Readonly<Record<string, number>>
  /** Of dialogs that are removed until now, by id: tests may begin at one by its name. */
  readonly names?: Readonly<Record<string, string>>
  /** Flows by id that are about to be stored and published. */
  readonly coming?: Readonly<Record<string, ComingFlow>>
  /** Settings that are about to change. */
  readonly rows?: readonly PendingEntity[]
}

export interface TestOutcome {
  readonly id: string
  readonly name: string
  readonly result: TestResult
  readonly ms: number
}

/** An output that leads on, and the block it leads to. */
interface LinkedOutput {
  readonly dialog: string
  readonly block: string
  readonly title: string
  readonly out: string
  readonly to: string
}

/** Runs tests apart from the gateway's own thread. */
export interface TestRunner {
  /**
   * Returns one outcome per test, in order; tests not done within `timeoutMs` fail. Never rejects because of a test.
   * Results for the same file, flows and settings are cached.
   */
  run(flows: TestedFlows, tests: readonly StoredTest[], timeoutMs: number): Promise<readonly TestOutcome[]>
  /** Those of the tests that begin in a dialog. */
  within(flows: TestedFlows, tests: readonly StoredTest[], dialog: string): Promise<readonly StoredTest[]>
  /** Every linked output of the dialogs. */
  outputs(flows: TestedFlows): Promise<readonly LinkedOutput[]>
}
