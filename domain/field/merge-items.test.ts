import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineEntity } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import * as f from '#schemas/field/field.ts'
import { jsonEqual } from '#schemas/json.ts'
import { mergeItems, mergeLists, mergeValues } from './merge-items.ts'

const field = f.list({ name: f.string(), rate: f.integer(), key: f.string({ secret: true }) })
const item = (id: string, name: string, more: JsonObject = {}): JsonObject => ({
  id,
  name,
  rate: null,
  key: null,
  ...more,
})

const ids = (list: readonly JsonObject[]) => list.map(({ id }) => id)
const withId = (list: readonly JsonObject[], id: unknown) => list.find(one => one.id === id)

/** A list of at most six items, in any order, of few names so that two changes can be the same. */
const lists = fc
  .uniqueArray(fc.constantFrom('1', '2', '3', '4', '5', '6'))
  .chain(keys => fc.tuple(...keys.map(key => fc.constantFrom('a', 'b', 'c').map(name => item(key, name)))))

describe('merging items of a list by their ids [P-451]', () => {
  test('each item is that of the side that changed it, and only what both changed differently is a conflict', () => {
    fc.assert(
      fc.property(lists, lists, lists, (before, yours, theirs) => {
        const { items, conflicts } = mergeItems(field, { before, yours, theirs })
        for (const id of ['1', '2', '3', '4', '5', '6']) {
          const [b, y, t] = [before, yours, theirs].map(list => withId(list, id) ?? null) as (JsonObject | null)[]
          const merged = withId(items, id) ?? null
          const isConflict = conflicts.some(one => one.id === id)
          const [byYou, byThem] = [!jsonEqual(b ?? null, y ?? null), !jsonEqual(b ?? null, t ?? null)]
          expect(isConflict).toBe(byYou && byThem && !jsonEqual(y ?? null, t ?? null))
          if (isConflict)
            expect(withId(conflicts as unknown as JsonObject[], id)).toEqual({ id, before: b, yours: y, theirs: t })
          expect(merged).toEqual(byYou && !byThem ? y : t)
        }
        expect(new Set(ids(items)).size).toBe(items.length)
      }),
    )
  })

  test('returns the items of the changed side, in its order, when the other is unchanged', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        expect(mergeItems(field, { before, yours: after, theirs: before }).items).toEqual(after)
        expect(mergeItems(field, { before, yours: before, theirs: after }).items).toEqual(after)
      }),
    )
  })

  test('a choice decides each conflict', () => {
    fc.assert(
      fc.property(lists, lists, lists, fc.func(fc.boolean()), (before, yours, theirs, isYours) => {
        const choose = (id: string) => (isYours(id) ? 'yours' : 'theirs') as 'yours' | 'theirs'
        const { items, conflicts } = mergeItems(field, { before, yours, theirs }, choose)
        for (const { id, ...sides } of conflicts) expect(withId(items, id) ?? null).toEqual(sides[choose(id)])
      }),
    )
  })

  test('additions of both stand where they were added', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(id => item(id, id)) as [
      JsonObject,
      JsonObject,
      JsonObject,
      JsonObject,
    ]
    expect(ids(mergeItems(field, { before: [a, b], yours: [c, a, b], theirs: [a, d, b] }).items)).toEqual([
      'c',
      'a',
      'd',
      'b',
    ])
    expect(ids(mergeItems(field, { before: [a, b], yours: [b, a], theirs: [a, b, d] }).items)).toEqual(['b', 'd', 'a'])
  })

  test('a secret that comes as set, or not at all, is no change, and none comes out', () => {
    const sealed = (text: string) => ({ $secret: text })
    const before = [item('1', 'a', { key: sealed('x') }), item('2', 'b', { key: sealed('x') })]
    const theirs = [item('1', 'a', { key: sealed('y') })]
    const yours = [item('1', 'a', { key: { set: true } }), { id: '2', name: 'b' }, { name: 'new' }]
    expect(mergeItems(field, { before, yours, theirs })).toEqual({
      items: [item('1', 'a', { key: { set: true } }), { name: 'new' }],
      conflicts: [],
    })
    const changed = mergeItems(field, { before, yours: [item('1', 'a', { key: 'mine' })], theirs })
    expect(changed.conflicts).toEqual([
      {
        id: '1',
        before: item('1', 'a', { key: { set: true } }),
        yours: item('1', 'a', { key: { set: true } }),
        theirs: item('1', 'a', { key: { set: true } }),
      },
    ])
  })

  test('an item that comes without its id is known by what it holds', () => {
    const before = [item('1', 'a'), item('2', 'b')]
    const theirs = [item('1', 'a'), item('2', 'theirs')]
    const { items, conflicts } = mergeItems(field, { before, yours: [{ name: 'a' }, { name: 'b' }], theirs })
    expect(items).toEqual([{ id: '1', name: 'a' }, item('2', 'theirs')])
    expect(conflicts).toEqual([])
  })
})

describe('merging lists of values [P-451]', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 })
  const count = (list: readonly unknown[], word: string) => list.filter(one => one === word).length

  test('has what either side added and nothing that either side removed', () => {
    fc.assert(
      fc.property(words, words, words, (before, yours, theirs) => {
        const merged = mergeValues({ before, yours, theirs })
        for (const word of ['a', 'b', 'c', 'd']) {
          const [b, y, t] = [count(before, word), count(yours, word), count(theirs, word)]
          expect(count(merged, word)).toBe(Math.min(b, y, t) + Math.max(0, y - b, t - b))
        }
      }),
    )
  })

  test('leaves what one side alone changed as that side has it', () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        expect(mergeValues({ before, yours: after, theirs: before })).toEqual(after)
        expect(mergeValues({ before, yours: before, theirs: after })).toEqual(after)
      }),
    )
  })
})

test('an input has merged lists, of items in conflict as others saved them [P-451]', () => {
  const entity = defineEntity({
    name: 'hook',
    type: 'Hook',
    parent: 'none',
    icon: 'Webhook',
    fields: { name: f.string({ required: true }), headers: field, tags: f.strings() },
    unique: [],
    title: 'name',
    list: { columns: [{ field: 'name', as: 'name' }], search: ['name'] },
    form: [{ id: 'general', fields: ['name'] }],
    actions: {},
    confirm: false,
  })
  const base = { name: 'n', headers: [item('1', 'a'), item('2', 'b')], tags: ['x'] }
  const present = { name: 'other', headers: [item('1', 'theirs'), item('2', 'b')], tags: ['x', 'y'] }
  const input = { name: 'mine', headers: [item('1', 'mine'), item('2', 'mine too')], tags: ['z', 'x'] }
  expect(mergeLists(entity, base, present, input)).toEqual({
    input: { name: 'mine', headers: [item('1', 'theirs'), item('2', 'mine too')], tags: ['z', 'x', 'y'] },
    base: { ...present, name: 'n' },
    conflicts: [
      {
        path: 'headers',
        code: 'conflict',
        before: base.headers,
        yours: input.headers,
        theirs: present.headers,
        items: [{ id: '1', before: item('1', 'a'), yours: item('1', 'mine'), theirs: item('1', 'theirs') }],
      },
    ],
  })
  // Values that are no list stay as given.
  expect(mergeLists(entity, base, present, { headers: null, tags: 'x' })).toMatchObject({
    input: { headers: null, tags: 'x' },
    conflicts: [],
  })
})
