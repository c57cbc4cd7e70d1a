import { expect, test } from 'vitest'
import { checkTalk, noCoverage } from '#domain/conversation/fixture/checked-talk.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const TURNS = sizeOf('TURNS', { short: 3000, full: 100_000 })
const TURNS_OF_ONE = 25

test(
  'turns of random flows and inputs end within their limits, and the same answers give the same turn [R-13] [R-23] [R-92]',
  () => {
    const began = performance.now()
    const coverage = noCoverage()
    let bots = 0
    for (; coverage.turns < TURNS; bots += 1) {
      const seed = SEED * 1_000_000 + bots
      const turns = Array.from({ length: TURNS_OF_ONE }, (_, turn) => seed * 100 + turn)
      try {
        checkTalk(seed, turns, coverage)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    expect(coverage.types.size).toBeGreaterThan(30)
    const { types, inputs, ...counts } = coverage
    const seconds = Math.round((performance.now() - began) / 1000)
    report('random talk', { ...counts, bots, types: types.size, inputs: inputs.size, seconds })
  },
  TIMEOUT_MS,
)
