import { expect, test } from 'vitest'
import { flagShifts } from './flag.ts'

test('words of flags stand after their lines where there is room', () => {
  expect(
    flagShifts(
      [
        { x: 10, words: 'Published' },
        { x: 300, words: 'Now' },
      ],
      400,
    ),
  ).toEqual([0, 0])
})

test('words of flags at the right edge stand side by side, none on another', () => {
  const flags = [
    { x: 380, words: 'Published' },
    { x: 390, words: 'Restored r43' },
    { x: 398, words: 'Now' },
  ]
  const shifts = flagShifts(flags, 400)
  const spans = flags.map(({ x, words }, at) => {
    const start = x - (shifts[at] ?? 0)
    return [start, start + words.length * 6.2 + 10] as const
  })
  expect(spans.at(-1)?.[1]).toBeLessThanOrEqual(400)
  for (const [at, [start]] of spans.entries()) expect(spans[at - 1]?.[1] ?? 0).toBeLessThanOrEqual(start + 0.001)
})
