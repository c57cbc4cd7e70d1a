import { beforeEach, expect, test, vi } from 'vitest'
import { recentBlockTypes, recordBlockType } from './block-text.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

test('offers recently used blocks first, then the most used [P-403]', () => {
  expect(recentBlockTypes().slice(0, 3)).toEqual(['text', 'prompt', 'condition'])
  recordBlockType('restservice')
  recordBlockType('prompt')
  expect(recentBlockTypes()).toEqual(['prompt', 'restservice', 'text', 'condition', 'herocard', 'carousel'])
  for (const type of ['a', 'b', 'c', 'd']) recordBlockType(type)
  expect(recentBlockTypes().slice(0, 3)).toEqual(['d', 'c', 'b'])
})

test('damaged memory counts as none [P-403]', () => {
  for (const text of ['{', '7', '[1,null]']) {
    kept.set([...kept.keys()][0] ?? 'parley.blocks', text)
    expect(recentBlockTypes()[0]).toBe('text')
  }
})
