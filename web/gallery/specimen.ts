import * as f from '#schemas/field/field.ts'
import type { Field } from '#schemas/field/kind.ts'
import type { Value } from '#web/entity/entity-query.ts'

interface Sample {
  readonly field: Field
  readonly filled: Value
  readonly wrong: Value
  /** The value another person saved. */
  readonly theirs: Value
}

const FILE = { id: 'a'.repeat(64), name: 'Contract 2026.pdf', type: 'application/pdf', size: 48_200 }
const STATES = { BR: ['SP', 'RJ'], US: ['CA'] }

/** A declared field of every kind, with values. Names are those of the kinds, more after a dash. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  string: { field: f.string({ required: true }), filled: 'Anita', wrong: '', theirs: 'Bruno' },
  'string-offered': {
    field: f.string({ offered: ['small', 'large'] }),
    filled: 'small',
    wrong: 'a\u0007',
    theirs: 'large',
  },
  'string-date': { field: f.string({ control: 'date' }), filled: '2026-03-01', wrong: 'x\u0007', theirs: '2026-04-01' },
  'string-timezone': {
    field: f.string({ control: 'timezone' }),
    filled: 'America/Sao_Paulo',
    wrong: 'x\u0007',
    theirs: 'Europe/Lisbon',
  },
  text: { field: f.text(), filled: 'Good morning.\nHow can I help?', wrong: '\u0007', theirs: 'Good evening.' },
  markdown: { field: f.markdown(), filled: '# Title\n\nSome *words*.', wrong: '\u0007', theirs: '# Other' },
  code: { field: f.code(), filled: 'if (age > 18) {\n  adult()\n}', wrong: '\u0000', theirs: 'adult()' },
  json: { field: f.json(), filled: '{\n  "a": [1, 2]\n}', wrong: '{ a', theirs: { a: [3] } },
  email: { field: f.email(), filled: 'ana@example.com', wrong: 'ana@', theirs: 'bia@example.com' },
  url: { field: f.url(), filled: 'https://example.com/a', wrong: 'example.com', theirs: 'https://example.org' },
  color: { field: f.color(), filled: '#4733A6CC', wrong: 'red', theirs: '#B3261E' },
  cron: { field: f.cron({ zone: 'America/Sao_Paulo' }), filled: '0 9 * * 1-5', wrong: '9 o’clock', theirs: '@daily' },
  duration: { field: f.duration('ms', { max: 3_600_000 }), filled: 90_000, wrong: -1, theirs: 40_000 },
  phone: { field: f.phone(), filled: '+5511987654321', wrong: '11 98765', theirs: '+4930123456' },
  expression: { field: f.expression('Jexl'), filled: 'age > 18 && city', wrong: 'age > (', theirs: 'age >= 21' },
  integer: { field: f.integer({ min: 0, max: 100, unit: '%' }), filled: 40, wrong: 'many', theirs: 50 },
  number: { field: f.number(), filled: 0.75, wrong: 'half', theirs: 0.8 },
  boolean: { field: f.boolean(), filled: true, wrong: 'x', theirs: false },
  enumeration: { field: f.enumeration(['BR', 'US']), filled: 'BR', wrong: 'XX', theirs: 'US' },
  'enumeration-per': {
    field: f.enumeration(['SP', 'RJ', 'CA'], { per: { field: 'enumeration', options: STATES } }),
    filled: 'SP',
    wrong: 'XX',
    theirs: 'RJ',
  },
  reference: { field: f.reference('bot', { required: true }), filled: 'b1', wrong: null, theirs: 'b2' },
  references: { field: f.references('bot'), filled: ['b1', 'b2'], wrong: [3], theirs: ['b2'] },
  strings: { field: f.strings({ max: 20 }), filled: ['yes', 'sure'], wrong: ['x'.repeat(21)], theirs: ['no'] },
  time: { field: f.time(), filled: '2026-03-01T12:30:00Z', wrong: 'soon', theirs: '2026-03-02T12:30:00Z' },
  password: { field: f.password(), filled: { set: true }, wrong: 'x'.repeat(1025), theirs: { set: true } },
  secret: { field: f.string({ secret: true, max: 20 }), filled: { set: true }, wrong: 'x'.repeat(21), theirs: null },
  file: { field: f.file(['application/pdf']), filled: FILE, wrong: { ...FILE, type: 'text/csv' }, theirs: null },
  image: { field: f.image(), filled: 'https://example.com/logo.png', wrong: 'logo.png', theirs: FILE },
  list: {
    field: f.list({
      name: f.string({ required: true }),
      kind: f.enumeration(['text', 'time'], { initial: 'text' }),
      value: f.string({ secret: true }),
      schedule: f.cron({ when: { kind: ['time'] } }),
      active: f.boolean(),
    }),
    filled: [
      { id: '1', name: 'Authorization', kind: 'text', value: { set: true }, schedule: null, active: true },
      { id: '2', name: 'X-Run', kind: 'time', value: null, schedule: '@daily', active: false },
    ],
    wrong: [{ id: '1', name: '', kind: 'time', value: null, schedule: 'soon', active: false }],
    theirs: [],
  },
}
