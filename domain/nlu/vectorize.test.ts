import { expect, test } from 'vitest'
import { createFeatureList, listFeatures } from './feature.ts'
import { createTokenReader } from './read-text.ts'
import { vectorize } from './vectorize.ts'

const TEXTS = ['zebra na rua', 'zebra', 'rua', 'rua rua', 'banana na rua', 'zebra zebra']

test('features share a column where they occur in the same lines equally often, and only there [P-2065]', () => {
  const reader = createTokenReader()
  const list = createFeatureList()
  const times = new Map<number, number[]>()
  for (const [line, text] of TEXTS.entries()) {
    reader.read(text)
    listFeatures(list, reader)
    for (const key of list.hashes.subarray(0, list.count)) {
      const own = times.get(key) ?? TEXTS.map(() => 0)
      times.set(key, own.with(line, (own[line] ?? 0) + 1))
    }
  }
  const { vocabulary, lines, columns } = vectorize(reader, TEXTS, () => [], 1000)
  const occurrences = [...vocabulary.keys].map(key => times.get(key)?.join() ?? '')
  const together = Map.groupBy(occurrences.keys(), feature => occurrences[feature])
  expect(new Set(columns).size).toBe(together.size)
  for (const features of together.values()) {
    const shared = new Set(features.map(feature => columns[feature] ?? -1))
    expect([...shared].map(column => lines.shared[column])).toEqual([features.length])
  }
  expect(together.size).toBeLessThan(vocabulary.keys.length / 3)
  expect(lines.columns.length).toBe(lines.starts.at(-1))
})
