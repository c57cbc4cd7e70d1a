import type { TestResult } from '#domain/conversation-test/test-result.ts'

/** A test of a bot as it is stored. */
export interface StoredTest {
  readonly id: string
  readonly name: string
  readonly file: string
}

/** What tests are run against: exactly these revisions of flows, by id. */
export interface TestedFlows {
  readonly bot: string
  readonly dialogs: Readonly<Record<string, number>>
  readonly handlers: Readonly<Record<string, number>>
}

export interface TestOutcome {
  readonly id: string
  readonly name: string
  readonly result: TestResult
  readonly ms: number
}

/** Runs tests apart from the gateway's own thread. */
export interface TestRunner {
  /** One outcome for each test, in their order; those that are not done within `timeoutMs` have failed. Never rejects for what a test does. */
  run(flows: TestedFlows, tests: readonly StoredTest[], timeoutMs: number): Promise<readonly TestOutcome[]>
}
