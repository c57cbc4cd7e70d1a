import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAPPING_SOURCES } from '#schemas/entities/campaign.ts'
import { LANGUAGES } from '#schemas/language.ts'
import { FIELD_NAMES, shownFields, usedFields } from './contact-fields.ts'

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

const textsOf = (language: string, file: string) =>
  JSON.parse(readFileSync(`schemas/locales/${language}/${file}.json`, 'utf8'))

test.each(LANGUAGES)('names a field in campaigns as in lists and rules, in %s [P-2815]', language => {
  const { name, numbered } = textsOf(language, 'contact').field
  const { option } = textsOf(language, 'entity/campaign').field.mapping.item.source
  const named = MAPPING_SOURCES.filter(source => source !== 'text').map(source => [source, option[source]])
  expect(named).toHaveLength(17)
  expect(named).toEqual([
    ['nome', name],
    ...FIELD_NAMES.map((field, at) => [field, numbered.replace('{{number}}', String(at + 1))]),
  ])
})
