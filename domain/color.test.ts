import { expect, test } from 'vitest'
import { contrastRatio } from './color.ts'

test('tells the contrast of two colours as WCAG 2.2 counts it [P-220]', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastRatio('#ffffff', '#000000FF')).toBeCloseTo(21, 5)
  expect(contrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  expect(contrastRatio('#123456', '#123456')).toBe(1)
  expect(contrastRatio('red', '#ffffff')).toBeUndefined()
})
