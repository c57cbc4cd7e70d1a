import { describe, expect, it, test } from 'vitest'
import { corpusLines, fewLines } from '#test/bench/nlu-data.ts'
import { measureNlu } from '#test/bench/nlu-quality.ts'

const corpus = process.env.PARLEY_CORPUS

it.runIf(process.env.CI === 'true')('sets of intents lie in the corpus in CI', () => {
  expect(corpus).toBeTypeOf('string')
})

/** Lower bounds on a part of the sets; `node test/bench/main.ts P12` has the whole. */
describe.skipIf(corpus === undefined)('models of sets of others', () => {
  const split = (name: string) => {
    const lines = corpusLines(corpus ?? '', name).filter(({ intent }) => intent !== '')
    return [lines.filter(line => line.split === 'train'), lines.filter(line => line.split === 'test')] as const
  }

  test('understand with ten lines an intent, also noisy ones, and know how sure they are [N-7]', () => {
    const [train, lines] = split('hwu64')
    const { accuracy, noisy, calibrationError } = measureNlu(fewLines(train, 10), lines.slice(0, 400))
    expect(accuracy).toBeGreaterThan(68)
    expect(noisy).toBeGreaterThan(accuracy - 6)
    expect(calibrationError).toBeLessThan(0.08)
  })

  test('find entities in lines that they have not seen [N-7]', () => {
    const [train, lines] = split('snips')
    const { accuracy, entityF1, modelBytes } = measureNlu(fewLines(train, 100), lines.slice(0, 200))
    expect(accuracy).toBeGreaterThan(95)
    expect(entityF1).toBeGreaterThan(70)
    expect(modelBytes).toBeLessThan(6 * 2 ** 20)
  })
})
