import { expect, test } from 'vitest'
import { contrastRatio, readableColor } from './color.ts'

test('tells the contrast of two colours as WCAG 2.2 counts it [P-220]', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastRatio('#ffffff', '#000000FF')).toBeCloseTo(21, 5)
  expect(contrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  expect(contrastRatio('#123456', '#123456')).toBe(1)
  expect(contrastRatio('red', '#ffffff')).toBeUndefined()
})

test('the nearest colour that can be read on a ground is proposed [P-445]', () => {
  expect(readableColor('#000000', '#FFFFFF')).toBe('#000000')
  for (const [text, ground] of [
    ['#999999', '#F1EFEA'],
    ['#F7DFA3', '#FFFFFF'],
    ['#333333', '#1B1A17'],
    ['#777777', '#777777'],
  ] as const) {
    const proposal = readableColor(text, ground) ?? ''
    expect(contrastRatio(proposal, ground), `${proposal} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  }
  expect(readableColor('red', '#ffffff')).toBeUndefined()
})
