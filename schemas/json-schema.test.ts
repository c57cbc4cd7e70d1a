import { expect, test } from 'vitest'
import type { Json } from './event.ts'
import { isJsonSchema } from './json-schema.ts'
import { SYSTEM_SCHEMAS } from './system-schema.ts'

const nested = (levels: number): Json => (levels === 0 ? true : { not: nested(levels - 1) })

test.each<Json>([
  true,
  {},
  '{"type":"object","required":["a"]}',
  { type: ['string', 'null'], pattern: '^a+$', maxLength: 5, default: 7, example: { type: 'thing' } },
  { type: 'array', items: [{ type: 'integer' }, true], minItems: 1, uniqueItems: true },
  { properties: { type: { enum: [1, null] }, constructor: false }, required: ['type'], additionalProperties: false },
  { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ multipleOf: 0.5 }, { exclusiveMinimum: 0 }] } } },
  '{"if": {"minimum": 1}, "then": {"dependentRequired": {"a": ["b"]}}, "else": {"dependencies": {"a": ["b"], "c": {}}}}',
  ...Object.values(SYSTEM_SCHEMAS),
])('%j is a JSON Schema [C-3.50]', schema => {
  expect(isJsonSchema(schema)).toBe(true)
})

test.each<Json>([
  null,
  5,
  [],
  '{"type":',
  'object',
  { type: 'thing' },
  { type: ['string', 'string'] },
  { properties: { a: { type: 5 } } },
  { properties: [] },
  { required: ['a', 'a'] },
  { required: [1] },
  { items: 'string' },
  { anyOf: [] },
  { allOf: [1] },
  { minLength: -1 },
  { maximum: '5' },
  { multipleOf: 0 },
  { pattern: '(' },
  { title: 1 },
  { enum: 'a' },
  nested(200),
])('%j is none [C-3.50]', schema => {
  expect(isJsonSchema(schema)).toBe(false)
})
