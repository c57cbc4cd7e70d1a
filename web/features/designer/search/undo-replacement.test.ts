import { expect, test } from 'vitest'
import { undoReplacement } from './undo-replacement.ts'

const hit = (offset: number, text: string, block = 'a') => ({ block, path: ['text'], offset, text })

test('shifts replaced places by earlier ones in their text, and restores the original spelling', () => {
  // `Nota, nota e Nota` and `nota`, replaced by `avaliação`.
  const flows = [
    { id: 'one', hits: [hit(0, 'Nota'), hit(6, 'nota'), hit(13, 'Nota')] },
    { id: 'two', hits: [hit(0, 'nota')] },
  ]
  const texts = new Map([
    ['one', 'avaliação, avaliação e avaliação'],
    ['two', 'avaliação'],
  ])

  for (const { text, by, flows: chosen } of undoReplacement(flows, 'avaliação') ?? []) {
    for (const { id, hits } of chosen) {
      for (const { offset } of hits.toReversed()) {
        const held = texts.get(id) ?? ''
        expect(held.slice(offset, offset + text.length)).toBe(text)
        texts.set(id, held.slice(0, offset) + by + held.slice(offset + text.length))
      }
    }
  }

  expect([...texts.values()]).toEqual(['Nota, nota e Nota', 'nota'])
})

test('offers no undo for a replacement with empty text', () => {
  expect(undoReplacement([{ id: 'one', hits: [hit(0, 'nota')] }], '')).toBeUndefined()
})
