import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDecoderScratch, decode, fitDecoder, isInsideLabel, movesOf } from './tag-decoder.ts'

interface Sequence {
  readonly labels: number
  readonly tokens: number
  readonly weights: readonly number[]
  readonly emissions: readonly number[]
}

const mayFollow = (before: number | undefined, label: number): boolean =>
  !isInsideLabel(label) || before === label || before === label - 1

const scoreOf = ({ labels, weights, emissions }: Sequence, path: readonly number[]): number =>
  path.reduce((sum, label, token) => {
    const before = path[token - 1]
    const move = before === undefined ? 0 : (weights[before * labels + label] ?? 0)
    return sum + move + (emissions[token * labels + label] ?? 0)
  }, 0)

const allPaths = ({ labels, tokens }: Sequence): readonly (readonly number[])[] => {
  let paths: readonly (readonly number[])[] = [[]]
  for (let token = 0; token < tokens; token++)
    paths = paths.flatMap(path =>
      Array.from({ length: labels }, (_, label) => label)
        .filter(label => mayFollow(path.at(-1), label))
        .map(label => [...path, label]),
    )
  return paths
}

const weight = fc.integer({ min: -9, max: 9 })
const sequence = fc
  .record({ entities: fc.integer({ min: 1, max: 2 }), tokens: fc.integer({ min: 1, max: 4 }) })
  .chain(({ entities, tokens }) => {
    const labels = 2 * entities + 1
    const many = (length: number) => fc.array(weight, { minLength: length, maxLength: length })
    return fc.record({
      labels: fc.constant(labels),
      tokens: fc.constant(tokens),
      weights: many(labels * labels),
      emissions: many(labels * tokens),
    })
  })

test('finds a sequence of labels that no other allowed one exceeds [P-2066]', () => {
  fc.assert(
    fc.property(sequence, given => {
      const { labels, tokens, weights, emissions } = given
      const scratch = createDecoderScratch()
      fitDecoder(scratch, tokens, labels)
      scratch.emissions.set(emissions)
      decode(scratch, movesOf(Float32Array.from(weights)), tokens, labels)
      const path = [...scratch.path.subarray(0, tokens)]
      const best = Math.max(...allPaths(given).map(each => scoreOf(given, each)))
      expect(path.every((label, token) => mayFollow(path[token - 1], label))).toBe(true)
      expect(scoreOf(given, path)).toBe(best)
    }),
    { numRuns: 300 },
  )
})
