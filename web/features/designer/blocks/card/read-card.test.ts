import { expect, test } from 'vitest'
import { defaultProperties } from '#domain/flow/document/default-properties.ts'
import { blocks } from '#schemas/blocks/registry.ts'
import { isEmptyCard, readCards } from './read-card.ts'

test('draws nothing for a new card, and something once one field is set', () => {
  const fresh = defaultProperties(blocks.herocard)
  const isEmpty = (properties: object) => readCards({ ...fresh, ...properties }).every(isEmptyCard)
  expect(isEmpty({})).toBe(true)
  expect(isEmpty({ subtitle: 'Café' })).toBe(false)
  expect(isEmpty({ thumbnailimage: 'https://exemplo.com/a.png' })).toBe(false)
  expect(isEmpty({ buttons: [{ type: 'imBack', title: '', value: '' }] })).toBe(false)
  expect(readCards(defaultProperties(blocks.carousel)).every(isEmptyCard)).toBe(true)
})
