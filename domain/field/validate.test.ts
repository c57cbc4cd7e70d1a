import { describe, expect, test } from 'vitest'
import { defineEntity } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import * as f from '#schemas/field/field.ts'
import { initialFields } from '../entity.ts'
import { itemChanges } from './merge-items.ts'
import { withStoredItems } from './stored-items.ts'
import { restoredFields, validateChange, validateCreate } from './validate.ts'

const STATES = { BR: ['SP', 'RJ'], US: ['CA', 'NY'] }

const hook = defineEntity({
  name: 'hook',
  type: 'Hook',
  parent: 'none',
  icon: 'Webhook',
  fields: {
    name: f.string({ required: true }),
    auth: f.enumeration(['none', 'basic', 'token'], { initial: 'none' }),
    username: f.string({ required: true, when: { auth: ['basic'] } }),
    strong: f.boolean({ when: { auth: ['basic'] } }),
    rounds: f.integer({ initial: 10, when: { strong: [true] } }),
    token: f.string({ when: { auth: ['token'] } }),
    country: f.enumeration(['BR', 'US', 'PT']),
    state: f.enumeration(['SP', 'RJ', 'CA', 'NY'], { per: { field: 'country', options: STATES } }),
    times: f.cron(),
    parser: f.enumeration(['Jexl', 'JsonAta', 'JSONPath'], { initial: 'Jexl' }),
    rule: f.expression({ field: 'parser' }),
    greeting: f.expression('text'),
    headers: f.list({
      name: f.string({ required: true }),
      value: f.string({ secret: true, required: true }),
      kind: f.enumeration(['plain', 'cron'], { initial: 'plain' }),
      cron: f.cron({ when: { kind: ['cron'] }, required: true }),
    }),
  },
  unique: [],
  title: 'name',
  list: { columns: [{ field: 'name' }], search: [] },
  form: [],
  actions: {},
  confirm: false,
})

const created = async (input: JsonObject) => {
  const checked = await validateCreate(hook, { name: 'a', ...input })
  return checked.ok ? checked.value : (checked.refusal.errors ?? [])
}
const changed = async (present: JsonObject, input: JsonObject) => {
  const checked = await validateChange(hook, { ...initialFields(hook), name: 'a', ...present }, input)
  return checked.ok ? checked.value : (checked.refusal.errors ?? [])
}

describe('a field with when', () => {
  test('is required only while it is shown', async () => {
    expect(await created({ auth: 'basic' })).toEqual([{ path: 'username', code: 'required' }])
    expect(await created({ auth: 'basic', username: 'ana' })).toMatchObject({ username: 'ana' })
    expect(await created({ auth: 'basic', username: ' ' })).toEqual([{ path: 'username', code: 'required' }])
    expect(await changed({}, { auth: 'basic' })).toEqual([{ path: 'username', code: 'required' }])
  })
  test('is refused with its path when a value for it is given while it is hidden [P-1860]', async () => {
    const refused = (path: string) => ({ path, code: 'unknown', params: { rule: 'hidden' } })
    expect(await created({ username: 'ana', token: 5 })).toEqual([refused('username'), refused('token')])
    expect(await changed({}, { username: 'ana' })).toEqual([refused('username')])
    expect(await changed({ auth: 'basic', username: 'ana' }, { auth: 'token', username: 'rui' })).toEqual([
      refused('username'),
    ])
    expect(await created({ headers: [{ name: 'b', value: 'c', cron: '0 9 * * *' }] })).toEqual([
      refused('headers.0.cron'),
    ])
    expect(await created({ auth: 'nothing', username: 'ana' })).toMatchObject([{ path: 'auth', code: 'option' }])
  })
  test('may be given as it is stored, or at its initial value, while it is hidden [P-1860]', async () => {
    expect(await created({ username: '', strong: false, rounds: 10, token: null })).toEqual({ name: 'a' })
    expect(await changed({ auth: 'basic', username: 'ana' }, { auth: 'token', username: 'ana' })).toEqual({
      auth: 'token',
      username: null,
    })
    const item = { id: 'one', name: 'b', value: 'c', kind: 'cron', cron: '0 9 * * *' }
    const plain = { ...item, kind: 'plain' }
    expect(await changed({ headers: [item] }, { headers: [plain] })).toEqual({
      headers: [{ ...plain, cron: null }],
    })
  })
  test('goes back to its initial value on a change that hides it, with all that it shows itself', async () => {
    const present = { auth: 'basic', username: 'ana', strong: true, rounds: 12 }
    expect(await changed(present, { auth: 'none' })).toEqual({
      auth: 'none',
      username: null,
      strong: false,
      rounds: 10,
    })
    expect(await changed(present, { strong: false })).toEqual({ strong: false, rounds: 10 })
  })
  test('comes back with the field that shows it', () => {
    const past = { auth: 'basic', username: 'ana', strong: true, rounds: 12, token: null }
    const present = { auth: 'token', username: null, strong: false, rounds: 10, token: 't' }
    expect(restoredFields(hook, present, past, ['auth'])).toEqual({
      auth: 'basic',
      username: 'ana',
      strong: true,
      rounds: 12,
      token: null,
    })
  })
})

describe('options per another field', () => {
  test('are those of its value, all of them for a value that is not listed', async () => {
    expect(await created({ country: 'BR', state: 'SP' })).toMatchObject({ state: 'SP' })
    expect(await created({ country: 'PT', state: 'NY' })).toMatchObject({ state: 'NY' })
    expect(await created({ country: 'BR', state: 'NY' })).toEqual([
      { path: 'state', code: 'option', params: { options: ['SP', 'RJ'] } },
    ])
  })
  test('clear a value that they leave out', async () => {
    expect(await changed({ country: 'BR', state: 'SP' }, { country: 'US' })).toEqual({ country: 'US', state: null })
    expect(await changed({ country: 'BR', state: 'SP' }, { country: 'US', state: 'NY' })).toEqual({
      country: 'US',
      state: 'NY',
    })
  })
})

describe('a cron expression', () => {
  test.each(['0 9 * * 1-5', '@daily', '0 0 9 L * *'])('may be %s', async times => {
    expect(await created({ times })).toMatchObject({ times })
  })
  test.each(['every day', '60 * * * *', '0 0 30 2 *'])(
    'is refused where it never runs or cannot be read: %s [C-5.18]',
    async times => {
      expect(await created({ times })).toEqual([{ path: 'times', code: 'format', params: { rule: 'cron' } }])
    },
  )
})

describe('an expression', () => {
  test.each([
    ['Jexl', 'user.name|upper', true],
    ['Jexl', 'a +', false],
    ['JsonAta', '$sum(items.price)', true],
    ['JsonAta', '$sum(', false],
    ['JSONPath', '$.items[0]', true],
    ['JSONPath', '$.items[', false],
  ])('in %s: %s', async (parser, rule, isValid) => {
    const checked = await created({ parser, rule })
    if (isValid) expect(checked).toMatchObject({ rule })
    else expect(checked).toMatchObject([{ path: 'rule', code: 'expression', params: { rule: expect.any(String) } }])
  })
  test('with placeholders', async () => {
    expect(await created({ greeting: 'Hello {{name}} {' })).toMatchObject({ greeting: 'Hello {{name}} {' })
    expect(await created({ greeting: 'Hello {{name +}}' })).toMatchObject([{ path: 'greeting', code: 'expression' }])
  })
  test('is checked again when its language changes', async () => {
    expect(await changed({ parser: 'JsonAta', rule: '$sum(items.price)' }, { parser: 'JSONPath' })).toMatchObject([
      { path: 'rule', code: 'expression' },
    ])
  })
})

describe('a list of groups', () => {
  let n = 0
  const newId = () => `new${++n}`
  const stored = (present: JsonObject, headers: JsonObject[]) => {
    const result = withStoredItems(hook.fields, present, { headers }, newId)
    return result.ok ? result.value.headers : result.refusal.errors
  }
  const SEALED = { $secret: 'x' }

  test('has its errors at dotted paths', async () => {
    expect(await created({ headers: [{ name: 'a' }, { value: 'b' }] })).toEqual([
      { path: 'headers.1.name', code: 'required' },
    ])
    expect(await created({ headers: [{ name: 'a', value: 'b', kind: 'cron' }] })).toEqual([
      { path: 'headers.0.cron', code: 'required' },
    ])
    expect(await created({ headers: [{ name: 'a', value: 'b', kind: 'cron', cron: 'x' }] })).toEqual([
      { path: 'headers.0.cron', code: 'format', params: { rule: 'cron' } },
    ])
    expect(await created({ headers: [{ name: 'a', value: 3 }] })).toEqual([{ path: 'headers.0.value', code: 'type' }])
    expect(
      await created({
        headers: [
          { id: '1', name: 'a' },
          { id: '1', name: 'b' },
        ],
      }),
    ).toEqual([{ path: 'headers', code: 'duplicate' }])
  })
  test('completes items with the initial values of hidden members', async () => {
    expect(await created({ headers: [{ name: 'a', value: 'b', cron: '' }] })).toMatchObject({
      headers: [{ name: 'a', value: 'b', kind: 'plain', cron: null }],
    })
  })
  test('gives new items an id and keeps the secrets of known ones', () => {
    const present = { headers: [{ id: '1', name: 'a', value: SEALED }] }
    const headers = [
      { name: 'new', value: 'plain', kind: 'plain', cron: null },
      { id: '1', name: 'a', value: { set: true }, kind: 'plain', cron: null },
    ]
    expect(stored(present, headers)).toMatchObject([{ id: expect.any(String), value: 'plain' }, { value: SEALED }])
    expect(stored(present, [{ id: '1', name: 'b' }])).toMatchObject([{ id: '1', name: 'b', value: SEALED }])
    expect(stored(present, [{ id: '1', name: 'b', value: null }])).toEqual([
      { path: 'headers.0.value', code: 'required' },
    ])
    expect(stored(present, [{ id: '2', name: 'b', value: { set: true } }])).toEqual([
      { path: 'headers.0.value', code: 'required' },
    ])
  })
  test('is compared item by item', () => {
    const SET = { set: true }
    const before = [
      { id: '1', name: 'a', value: SET },
      { id: '2', name: 'b', value: SET },
    ]
    const after = [
      { id: '2', name: 'c', value: { set: true, of: 'another' } },
      { id: '3', name: 'd', value: SET },
    ]
    expect(itemChanges('headers', before, after)).toEqual([
      { path: 'headers.0', before: before[0], after: null },
      { path: 'headers.0.name', before: 'b', after: 'c' },
      { path: 'headers.0.value', before: null, after: null, secret: true },
      { path: 'headers.1', before: null, after: { id: '3', name: 'd', value: SET } },
    ])
    expect(itemChanges('headers', [], after)).toEqual([{ path: 'headers', before: [], after }])
    expect(itemChanges('headers', before, [...before].reverse())).toEqual([
      { path: 'headers', before, after: [...before].reverse() },
    ])
  })
})
