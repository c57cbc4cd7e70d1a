import { expect, test } from 'vitest'
import { runningBotsOutcome } from './use-running-bots-notice.ts'

test.each([
  [0, 0, true, undefined],
  [0, 0, false, undefined],
  [1, 1, true, 'all'],
  [4, 4, true, 'all'],
  [4, 3, true, 'some'],
  [1, 0, true, 'none'],
  [4, 0, false, 'none'],
  [4, 4, false, 'some'],
] as const)(
  'of %i instances of bots %i follow, all nodes heard of: %s → %s [P-978]',
  (running, updated, heard, outcome) => {
    expect(runningBotsOutcome({ running, updated, heard })).toBe(outcome)
  },
)
