import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'
import { checkTalk, noCoverage } from './fixture/checked-talk.ts'

const TALKS = 300
const seed = fc.nat()

test('turns of random flows end within their limits, give the same bytes for the same answers, and lose no visit [R-13] [R-23] [R-60] [R-92]', () => {
  const coverage = noCoverage()
  fc.assert(
    fc.property(seed, fc.array(seed, { minLength: 4, maxLength: 25 }), (bot, turns) => {
      checkTalk(bot, turns, coverage)
    }),
    { numRuns: TALKS, seed: 1 },
  )
  expect(coverage.turns).toBeGreaterThan(TALKS * 4)
  const running = Object.values(blocks).flatMap(({ type, runs }) => (runs === false ? [] : [type]))
  expect(running.filter(type => !coverage.types.has(type))).toEqual([])
  expect(coverage.inputs.size).toBe(13)
})
