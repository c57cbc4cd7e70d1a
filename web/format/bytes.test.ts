import i18next from 'i18next'
import { expect, test } from 'vitest'
import { bytesOf, numberText } from './number.ts'

test('numbers have the separators of the console’s language [P-1863]', async () => {
  const texts = []
  for (const lng of ['pt', 'es', 'en']) {
    await i18next.init({ lng })
    texts.push([numberText(12_580.5), bytesOf(42_781)])
  }
  expect(texts).toEqual([
    ['12.580,5', '42,8 kB'],
    ['12.580,5', '42,8 kB'],
    ['12,580.5', '42.8 kB'],
  ])
})

test('sizes are shown in the unit that keeps them short', async () => {
  await i18next.init({ lng: 'en' })
  expect([1, 88].map(bytesOf)).toEqual(['1 byte', '88 bytes'])
  await i18next.init({ lng: 'pt' })
  expect([0, 999, 1000, 42_781, 1_048_576, 64_000_000_000].map(bytesOf)).toEqual([
    '0 bytes',
    '999 bytes',
    '1 kB',
    '42,8 kB',
    '1 MB',
    '64 GB',
  ])
})
