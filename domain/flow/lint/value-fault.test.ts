import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { fieldAt } from '../document/location.ts'
import { valueFault } from './check-value.ts'

const faultOf = (type: string, path: string, value: Json, properties = {}) => {
  const field = fieldAt(type, path.split('.'))
  if (field === undefined) throw new Error(path)
  return valueFault(field, value, properties)
}

test.each([
  ['prompt', 'maxRetries', 1000, { code: 'most', limit: 100 }],
  ['rssfeed', 'numberOfNews', 0, { code: 'least', limit: 1 }],
  ['prompt', 'maxRetries', 2.5, { code: 'whole' }],
  ['prompt', 'maxRetries', 'three', { code: 'wrong' }],
  ['text', 'text', '', { code: 'required' }],
  ['location', 'address', 'a'.repeat(1001), { code: 'long', limit: 1000 }],
  ['location', 'address', 'Rua A', undefined],
  ['location', 'address', 5, { code: 'wrong' }],
  ['text', 'text', 'a'.repeat(1_000_001), { code: 'long', limit: 1_000_000 }],
  ['workinghour', 'holidayTypes', Array.from({ length: 1001 }, () => 'public'), { code: 'many', limit: 1000 }],
  ['schedule', 'scheduleUnit', 'century', { code: 'choice' }],
  ['rating', 'scale', '7', { code: 'choice' }],
  ['rating', 'scale', 'nps', undefined],
  ['rating', 'about', 'person', { code: 'choice' }],
  ['workinghour', 'holidayTypes', ['public', 'mine'], { code: 'choice' }],
  ['workinghour', 'holidayTypes', ['public'], undefined],
  ['herocard', 'buttons', Array.from({ length: 11 }, () => ({})), { code: 'many', limit: 10 }],
] as const)('a value of %s %s tells what is wrong with it', (type, path, value, fault) => {
  expect(faultOf(type, path, value as Json)).toEqual(fault)
})

test('a choice that another field narrows is one of those that it leaves', () => {
  const number = { data: { type: 'number', validationType: 'Dimension' } }

  expect(faultOf('prompt', 'data.validationType', 'Email', number)).toEqual({ code: 'choice' })
  expect(faultOf('prompt', 'data.validationType', 'CPF', number)).toBeUndefined()
  expect(faultOf('prompt', 'data.unit', 'parsec', number)).toEqual({ code: 'choice' })
  expect(faultOf('prompt', 'data.unit', '', number)).toBeUndefined()
})
