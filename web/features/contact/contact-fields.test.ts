import { expect, test } from 'vitest'
import { shownFields, usedFields } from './contact-fields.ts'

const mapping = [
  { variable: '1', source: 'nome' },
  { variable: '2', source: 'field03' },
  { variable: 'button.1', source: 'field03' },
  { variable: '3', source: 'text', text: 'Hello' },
]

test('knows which variables of the template each field of a contact fills [D-9.24]', () => {
  expect([...usedFields({ mapping })]).toEqual([
    ['nome', ['1']],
    ['field03', ['2', 'button.1']],
  ])
  expect(usedFields({ mapping: null }).size).toBe(0)
})

test('shows the fields of the campaign first, then those that hold something [P-1383]', () => {
  expect(shownFields(usedFields({ mapping }), [{ field01: 'x', field02: '' }, { field16: 'y' }])).toEqual([
    'field03',
    'field01',
    'field16',
  ])
})
