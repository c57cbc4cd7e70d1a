import { describe, expect, test } from 'vitest'
import { corpusLines, fewLines } from '#test/bench/nlu-data.ts'
import { measureNlu } from '#test/bench/nlu-quality.ts'
import { corpusExpectation } from '#test/fixture/corpus.ts'

/** Lines that a measurement takes of a set: of each intent to train on, and of all to ask. */
interface Part {
  readonly set: string
  readonly perIntent: number
  readonly lines: number
}

/** Lower bounds on a part of the sets; `node test/bench/main.ts P12` measures the whole. */
const { few, entities } = corpusExpectation<{
  readonly few: Part & { readonly accuracy: number; readonly noiseLoss: number; readonly calibrationError: number }
  readonly entities: Part & { readonly accuracy: number; readonly entityF1: number }
}>('nlu/quality.json', {
  few: { set: 'hwu64', perIntent: 10, lines: 400, accuracy: 68, noiseLoss: 6, calibrationError: 0.08 },
  entities: { set: 'snips', perIntent: 100, lines: 200, accuracy: 95, entityF1: 70 },
})

const measured = ({ set, perIntent, lines }: Part) => {
  const inScope = corpusLines(set).filter(({ intent }) => intent !== '')
  const train = inScope.filter(line => line.split === 'train')
  const asked = inScope.filter(line => line.split === 'test')
  return measureNlu(fewLines(train, perIntent), asked.slice(0, lines))
}

describe('models of sets of others', () => {
  test('understand with ten lines an intent, also noisy ones, and know how sure they are [N-7]', () => {
    const { accuracy, noisy, calibrationError } = measured(few)
    expect(accuracy).toBeGreaterThan(few.accuracy)
    expect(noisy).toBeGreaterThan(accuracy - few.noiseLoss)
    expect(calibrationError).toBeLessThan(few.calibrationError)
  })

  test('find entities in lines that they have not seen [N-7]', () => {
    const { accuracy, entityF1, modelBytes } = measured(entities)
    expect(accuracy).toBeGreaterThan(entities.accuracy)
    expect(entityF1).toBeGreaterThan(entities.entityF1)
    expect(modelBytes).toBeLessThan(6 * 2 ** 20)
  })
})
