import Ajv from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { isFull } from '#test/fixture/full.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { checkSchema } from './check-schema.ts'

const PERSON = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
}

const CONDITIONAL = '{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}}'

describe('checkSchema', () => {
  test.each<[schema: Json, value: Json, fits: boolean]>([
    [PERSON, { name: 'Ana' }, true],
    [PERSON, { name: 'Ana', age: 3 }, true],
    [PERSON, { age: 3 }, false],
    [PERSON, { name: '', age: 3 }, false],
    [PERSON, { name: 'Ana', age: -1 }, false],
    [PERSON, { name: 'Ana', age: 1.5 }, false],
    [PERSON, { name: 'Ana', city: 'x' }, false],
    [PERSON, [], false],
    [PERSON, null, false],
    [JSON.stringify(PERSON), { name: 'Ana' }, true],
    [JSON.stringify(PERSON), {}, false],
    [true, 5, true],
    [false, 5, false],
    [{}, 5, true],
    ['{', 5, true],
    [{ type: 'haiku' }, 5, true],
    [{ type: ['string', 'null'] }, null, true],
    [{ type: ['string', 'null'] }, 1, false],
    [{ enum: [1, { a: [2] }] }, { a: [2] }, true],
    [{ enum: [1] }, 2, false],
    [{ const: null }, null, true],
    [{ const: null }, 0, false],
    [{ minimum: 0, exclusiveMinimum: true }, 0, false],
    [{ exclusiveMaximum: 5 }, 5, false],
    [{ multipleOf: 0.01 }, 19.99, true],
    [{ multipleOf: 0.5 }, 0.75, false],
    [{ maxLength: 1 }, '👍', true],
    [{ items: { type: 'number' } }, [1, 'x'], false],
    [{ items: [{ type: 'number' }], additionalItems: false }, [1, 2], false],
    [{ prefixItems: [{ type: 'number' }], items: { type: 'string' } }, [1, 'x'], true],
    [{ prefixItems: [{ type: 'number' }], items: { type: 'string' } }, ['x'], false],
    [{ minItems: 1, maxItems: 2 }, [], false],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [{ uniqueItems: true }, [1, '1', null, [1]], true],
    [{ contains: { type: 'string' }, maxContains: 1 }, [1, 'a', 'b'], false],
    [{ contains: { type: 'string' } }, [1], false],
    [{ propertyNames: { maxLength: 2 } }, { abc: 1 }, false],
    [{ minProperties: 1 }, {}, false],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, false],
    [{ dependencies: { a: { required: ['c'] } } }, { a: 1, c: 1 }, true],
    [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'a', false],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, false],
    [{ oneOf: [{ type: 'number' }, { minimum: 2 }] }, 3, false],
    [{ not: { type: 'string' } }, 'x', false],
    [{ not: { type: 'string', pattern: 'y' } }, 'x', true],
    [CONDITIONAL, 'a', false],
    [CONDITIONAL, 1, false],
    [CONDITIONAL, 'ab', true],
    [{ $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'string' } } }, 1, false],
    [{ properties: { child: { $ref: '#' } }, required: ['child'] }, { child: { child: {} } }, false],
    [{ $ref: 'https://example.com/other' }, 1, true],
    [{ $ref: '#' }, 1, false],
    [{ properties: { toString: { type: 'string' } } }, {}, true],
    [{ required: ['constructor'] }, {}, false],
    [SYSTEM_SCHEMAS['system-location'], { address: 'x', geo: { latitude: 1, longitude: 2 } }, true],
    [SYSTEM_SCHEMAS['system-location'], { geo: { latitude: '1' } }, false],
  ])('%j takes %j: %j', (schema, value, fits) => {
    expect(checkSchema(value, schema)).toBe(fits)
  })

  test('patterns that would run for hours are not run', () => {
    const began = processorMs()
    expect(checkSchema(`${'a'.repeat(40)}!`, { pattern: '^(a+)+$' })).toBe(true)
    expect(processorMs() - began).toBeLessThan(500)
  })

  test('branches that double at every reference end', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, place) => [
        `d${place}`,
        { allOf: [{ $ref: `#/$defs/d${place + 1}` }, { $ref: `#/$defs/d${place + 1}` }] },
      ]),
    )
    const began = processorMs()
    expect(checkSchema(1, { $ref: '#/$defs/d0', $defs: doubling })).toBe(false)
    expect(processorMs() - began).toBeLessThan(2_000)
  })

  test('rejects a value nested deeper than the stack', () => {
    let deep: Json = []
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(checkSchema(deep, { items: { $ref: '#' } })).toBe(false)
    expect(checkSchema(deep, { const: deep })).toBe(true)
  })

  test('agrees with another validator', () => {
    const ajv = new Ajv({ strict: false, logger: false })
    const leaf = fc.record(
      {
        type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array'),
        minLength: fc.nat(3),
        maximum: fc.integer({ min: -5, max: 5 }),
        exclusiveMinimum: fc.integer({ min: -5, max: 5 }),
        enum: fc.constantFrom<Json>([1], ['a', null], [{ a: 1 }, 'abc'], [0.5, true]),
        required: fc.uniqueArray(fc.constantFrom('a', 'b'), { minLength: 1 }),
        maxItems: fc.nat(2),
      },
      { requiredKeys: [] },
    )
    const { schema } = fc.letrec<{ schema: Json }>(tie => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        leaf as fc.Arbitrary<Json>,
        fc.record(
          {
            properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
            additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
            items: tie('schema'),
            anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            not: tie('schema'),
            uniqueItems: fc.boolean(),
          },
          { requiredKeys: [] },
        ) as fc.Arbitrary<Json>,
      ),
    }))
    const value = fc.letrec<{ value: Json }>(tie => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(1, -2, 0.5, 'a', '', 'abc', null, true),
        fc.array(tie('value'), { maxLength: 3 }),
        // Values are of JSON, whose objects have a prototype: the other validator tells them apart from those without.
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { noNullPrototype: true }),
      ),
    })).value
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (described, values) => {
        const validate = ajv.compile(described as object)
        for (const each of values) expect([each, checkSchema(each, described)]).toEqual([each, validate(each)])
      }),
      { numRuns: isFull ? 500 : 100 },
    )
  })
})
