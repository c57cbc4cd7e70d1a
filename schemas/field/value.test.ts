import { describe, expect, test } from 'vitest'
import { createSchema, defineEntity } from '../entity.ts'
import * as f from './field.ts'
import type { Field } from './kind.ts'

const FILE = { id: 'a'.repeat(64), name: 'logo.png', type: 'image/png', size: 10 }

interface Case {
  readonly field: Field
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

const CASES: Readonly<Record<string, Case>> = {
  string: { field: f.string({ max: 3 }), valid: ['', 'abc', 'é'], invalid: ['abcd', 'a\nb', 'a\u0000', '\ud800', 1] },
  'required string': { field: f.string({ required: true }), valid: ['a'], invalid: ['', ' \t'] },
  text: { field: f.text({ max: 5 }), valid: ['a\n\tb'], invalid: ['abcdef', 'a\u0000'] },
  markdown: { field: f.markdown(), valid: ['# a\n'], invalid: ['\u0007'] },
  code: { field: f.code(), valid: ['if (a) {\n\tb()\n}'], invalid: [{}, '\u0000'] },
  json: { field: f.json(), valid: [{ a: [1, null] }, 'x', 3, true], invalid: [undefined, Number.NaN] },
  email: { field: f.email(), valid: ['ana@example.com'], invalid: ['ana', 'ana@', 'a b@example.com'] },
  integer: { field: f.integer({ min: 0, max: 5 }), valid: [0, 5], invalid: [-1, 6, 1.5, '1'] },
  number: { field: f.number({ min: 0 }), valid: [0, 0.5], invalid: [-0.1, Number.POSITIVE_INFINITY, '1'] },
  duration: { field: f.duration('ms', { max: 60_000 }), valid: [0, 60_000], invalid: [-1, 60_001, 1.5, '5s'] },
  boolean: { field: f.boolean(), valid: [true, false], invalid: ['true', 0] },
  enumeration: { field: f.enumeration(['a', 'b']), valid: ['a'], invalid: ['c', 'A', ''] },
  reference: { field: f.reference('bot'), valid: ['id'], invalid: [1, 'x'.repeat(101)] },
  references: { field: f.references('bot'), valid: [[], ['a', 'b']], invalid: ['a', [1]] },
  strings: { field: f.strings({ max: 2, maxItems: 2 }), valid: [[], ['ab']], invalid: [['abc'], ['a', 'b', 'c']] },
  time: { field: f.time(), valid: ['2026-01-01T00:00:00Z'], invalid: ['2026-01-01', 'now'] },
  url: {
    field: f.url(),
    valid: ['https://example.com', 'http://example.com:8080/a?b#c', 'https://exämple.com/é'],
    invalid: [
      'example.com',
      '/a',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://',
      'https://a b',
      '',
      'https://a:b@c.example',
    ],
  },
  'url of other protocols': {
    field: f.url({ protocols: ['wss', 'mailto'] }),
    valid: ['wss://example.com', 'mailto:ana@example.com'],
    invalid: ['https://example.com', 'mailto:', 'wss://ana@example.com'],
  },
  color: {
    field: f.color(),
    valid: ['#1a2B3c', '#1a2B3c80'],
    invalid: ['#fff', '1a2b3c', '#12345', '#1234567', '#gg0000', 'red', '#1a2b3c\n'],
  },
  'opaque color': { field: f.color({ alpha: false }), valid: ['#000000'], invalid: ['#00000080'] },
  phone: {
    field: f.phone(),
    valid: ['+5511987654321', '+4930123456', '+12025550123'],
    invalid: ['5511987654321', '+0123456789', '+55 11 98765', '+123456', `+${'1'.repeat(16)}`],
  },
  'time zone': {
    field: f.string({ control: 'timezone' }),
    valid: ['America/Sao_Paulo', 'UTC', 'Europe/Berlin', 'Etc/GMT+3'],
    invalid: ['', ' ', 'Mars/Olympus', 'UTC+3', '+03:00', 'America/Sao_Paulo ', 3],
  },
  // Whether it can be read is a rule of domain/field.
  cron: { field: f.cron(), valid: ['0 9 * * 1-5'], invalid: ['*'.repeat(501), 5, '0 9 * * *\n'] },
  expression: { field: f.expression('Jexl'), valid: ['a + 1\n'], invalid: ['x'.repeat(10_001), {}] },
  file: {
    field: f.file(['image/png', 'application/pdf'], { maxBytes: 100 }),
    valid: [FILE],
    invalid: [
      'a'.repeat(64),
      { ...FILE, id: '../../etc/passwd' },
      { ...FILE, id: 'A'.repeat(64) },
      { ...FILE, name: ' ' },
      { ...FILE, name: 'a\u0000' },
      { ...FILE, type: 'text/html' },
      { ...FILE, size: 101 },
      { ...FILE, size: 0 },
      { ...FILE, path: '/' },
      { id: FILE.id },
    ],
  },
  image: {
    field: f.image(),
    valid: ['https://example.com/a.png', FILE],
    invalid: ['a.png', 'data:image/svg+xml,<svg/>', { ...FILE, type: 'application/pdf' }, 3],
  },
  list: {
    field: f.list(
      { name: f.string({ required: true }), value: f.text({ secret: true }) },
      { minItems: 1, maxItems: 2 },
    ),
    valid: [
      [{ name: 'a' }],
      [{ id: '1', name: 'a', value: 'b' }],
      [
        { id: '1', name: 'a', value: { set: true } },
        { id: '2', name: 'a', value: null },
      ],
    ],
    invalid: [
      [],
      {},
      ['a'],
      [{ value: 'b' }],
      [{ name: null }],
      [{ id: '', name: 'a' }],
      [{ name: 'a', other: 1 }],
      [
        { id: '1', name: 'a' },
        { id: '1', name: 'b' },
      ],
      [{ name: 'a', value: { set: false } }],
      [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    ],
  },
}

describe.each(Object.entries(CASES))('a field of kind %s', (_kind, { field, valid, invalid }) => {
  test.each(valid.map(value => ({ value })))('accepts $value', ({ value }) =>
    expect(field.schema.safeParse(value).success).toBe(true),
  )
  test.each(invalid.map(value => ({ value })))('refuses $value', ({ value }) =>
    expect(field.schema.safeParse(value).success).toBe(false),
  )
})

test('rejects item fields with values to encrypt or hide from callers', () => {
  for (const options of [{ personal: true }, { secretWhen: 'a' }, { readonly: true }, { fixed: true }])
    expect(() => f.list({ name: f.string(options) })).toThrow(/^name: a field of an item can not be \w+$/)
})

test('a field that is required while it is shown may be missing from the body', () => {
  const entity = defineEntity({
    name: 'lamp',
    type: 'Lamp',
    parent: 'none',
    icon: 'Lamp',
    fields: { name: f.string({ required: true }), note: f.string({ required: true, when: { name: ['a'] } }) },
    unique: [],
    title: 'name',
    list: { columns: [{ field: 'name' }], search: [] },
    form: [],
    actions: {},
    confirm: false,
  })
  expect(createSchema(entity).safeParse({ name: 'b' }).success).toBe(true)
  expect(createSchema(entity).safeParse({}).success).toBe(false)
})
