import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
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
  { type: [] },
  { type: ['string', 5] },
  { type: {} },
  { required: true },
  { required: 'a' },
  { properties: { a: { required: false } } },
  { enum: {} },
  { minimum: 'a' },
  { items: 5 },
  { items: [{ type: [] }] },
  { $ref: 3 },
  { $defs: { a: 1 } },
  { patternProperties: { '(': {} } },
  { additionalProperties: 'x' },
  { prefixItems: [] },
  { dependentRequired: { a: ['b', 'b'] } },
  { dependencies: { a: 1 } },
  { minItems: 0.5 },
  { uniqueItems: 'yes' },
  { multipleOf: -1 },
  { format: {} },
  nested(200),
])('%j is none [C-3.50]', schema => {
  expect(isJsonSchema(schema)).toBe(false)
})

const drafts = [new Ajv({ strict: false }), new Ajv2020({ strict: false })]
const VALUES: readonly Json[] = [true, 0, -1, 0.5, 'a', '(', [], ['a'], ['a', 'a'], [1], [{}], {}, { a: 1 }, { a: {} }]
const KEYWORDS =
  'type required enum properties patternProperties additionalProperties items contains allOf not if minimum minLength maxItems multipleOf pattern uniqueItems $ref $defs dependentRequired dependentSchemas prefixItems propertyNames title format'
const CASES = KEYWORDS.split(' ').flatMap(keyword => VALUES.map((value): Json => ({ [keyword]: value })))

test.each(CASES)('refuses %j when the meta-schemas of drafts 7 and 2020-12 both refuse it [C-3.50]', schema => {
  const isKnown = drafts.some(ajv => ajv.validateSchema(schema as object) === true)
  if (!isKnown) expect(isJsonSchema(schema)).toBe(false)
})
