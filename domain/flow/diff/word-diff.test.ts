import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordDiff } from './word-diff.ts'

const shown = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `[+${text}+]`))
    .join('')

test('Marks changed words and leaves other words unmarked', () => {
  expect(shown('Sábado, 12 de Outubro de 2019', 'Sábado, 12 de Fevereiro de 2022')).toBe(
    'Sábado, 12 de [-Outubro-][+Fevereiro+] de [-2019-][+2022+]',
  )
})

test('A rewritten run of words reads as one piece', () => {
  expect(shown('Mapa do evento', 'Mapa')).toBe('Mapa[- do evento-]')
  expect(shown('um dois três fim', 'quatro cinco fim')).toBe('[-um dois três-][+quatro cinco+] fim')
})

test('A difference loses nothing of either text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é', '👍', '.'), maxLength: 40 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDiff(before, after)
      const side = (other: 'added' | 'removed') =>
        parts
          .filter(({ kind }) => kind !== other)
          .map(part => part.text)
          .join('')
      expect(side('added')).toBe(before)
      expect(side('removed')).toBe(after)
    }),
  )
})

test('Very long texts end at once', () => {
  const long = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join(' ')
  expect(wordDiff(long('a'), long('b')).map(({ kind }) => kind)).toEqual(['removed', 'added'])
})

test('compares very long texts as one piece between their common ends [P-79]', () => {
  const words = 'palavra '.repeat(40_000)
  expect(wordDiff(`${words}um${words}`, `${words}dois${words}`)).toEqual([
    { kind: 'same', text: words },
    { kind: 'removed', text: 'um' },
    { kind: 'added', text: 'dois' },
    { kind: 'same', text: words },
  ])
  expect(wordDiff(words + words, words + words)).toEqual([{ kind: 'same', text: words + words }])
})
