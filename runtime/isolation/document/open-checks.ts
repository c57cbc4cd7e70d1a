import { type Checks, INLINE_CHECKS } from '#commands/checks.ts'
import { COSTLY_TEST } from '#domain/conversation-test/behaviour.ts'
import type { TestGiven } from '#domain/conversation-test/test-schema.ts'
import { KeyedMutex } from '../../log/stream-aggregate.ts'
import { COMPOSE_FILE, TEST_FILE } from '../jobs.ts'
import { answerOf, type WorkPool } from '../work.ts'

/** Characters that are read at once: some 10 ms. */
const SMALL = 4_000

const COSTLY_COMPOSE = {
  valid: false,
  errors: [{ line: 1, column: 1, path: '', code: 'syntax', text: 'The file takes too long to read' }],
}

export interface PooledChecks extends Checks {
  /** Start of a file's test; undefined for a file that cannot be read. */
  given(source: string, level: string): Promise<TestGiven | undefined>
}

/** Checks of larger files in the pool. They reject with `FileNotRead` when no process is free in time. */
export const openChecks = (pool: WorkPool): PooledChecks => {
  // The tests of a bot are read together: the queue of the pool has no room for all of them.
  const givens = new KeyedMutex()
  return {
    async testFile(source, names, level) {
      if (source.length <= SMALL) return INLINE_CHECKS.testFile(source, names, level)
      const result = await pool.run(TEST_FILE, { source, names }, { from: { level } })
      return answerOf(result)?.errors ?? [COSTLY_TEST]
    },
    async compose(source, level) {
      if (source.length <= SMALL) return INLINE_CHECKS.compose(source, level)
      const result = await pool.run(COMPOSE_FILE, source, { from: { level } })
      return answerOf(result) ?? COSTLY_COMPOSE
    },
    async given(source, level) {
      const result = await givens.run(level, () =>
        pool.run(TEST_FILE, { source, names: undefined }, { from: { level } }),
      )
      return answerOf(result)?.given
    },
  }
}
