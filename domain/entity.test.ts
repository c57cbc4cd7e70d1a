import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codesample } from '#schemas/entities/codesample.ts'
import type { Live } from './behaviour.ts'
import { decideChange, decideCreate, decideRemove, decideRestore, evolve, NONE } from './entity.ts'

const live = (fields: Live['fields'], revision = 1): Live => ({
  status: 'live',
  id: 'x',
  revision,
  level: 'l',
  fields: { name: 'a', description: null, code: null, markdown_doc: null, ...fields },
})

describe('changing against what was seen', () => {
  const base = live({ name: 'a', description: 'b' }).fields

  test('a field nobody else touched is changed, and the event holds it alone', () => {
    const decided = decideChange(codesample, live({ description: 'theirs' }), { name: 'mine' }, base)
    expect(decided).toEqual({
      ok: true,
      value: [{ type: 'CodeSampleChanged', version: 1, data: { fields: { name: 'mine' } } }],
    })
  })

  test('the same field to another value is a conflict with the three values', () => {
    expect(decideChange(codesample, live({ description: 'theirs' }), { description: 'mine' }, base)).toEqual({
      ok: false,
      refusal: {
        code: 'entity.conflict',
        errors: [{ path: 'description', code: 'conflict', before: 'b', yours: 'mine', theirs: 'theirs' }],
      },
    })
  })

  test('the same field to the same value is no conflict and no event', () => {
    const decided = decideChange(codesample, live({ description: 'same' }), { description: 'same' }, base)
    expect(decided).toEqual({ ok: true, value: [] })
  })

  test('keeps changes to different fields, in either order', () => {
    const value = fc.option(fc.string({ maxLength: 5 }))
    const fields = fc.record({ name: fc.string(), description: value, code: value }, { requiredKeys: [] })
    fc.assert(
      fc.property(fields, fields, (first, second) => {
        const start = live({})
        const one = decideChange(codesample, start, first, start.fields)
        if (!one.ok) throw new Error('the first cannot conflict')
        const merged = { ...start.fields, ...one.value[0]?.data.fields }
        const two = decideChange(codesample, live(merged, 2), second, start.fields)
        if (two.ok)
          expect({ ...merged, ...two.value[0]?.data.fields }).toEqual({ ...start.fields, ...first, ...second })
        else {
          const paths = (two.refusal.errors ?? []).map(error => error.path)
          expect(paths.every(path => path in first && path in second)).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })
})

test('folding what was decided gives what was wanted, removal and return included', () => {
  const record = (
    revision: number,
    { type, data }: ReturnType<typeof decideRemove>[number] | { type: string; data: never },
  ) => ({
    type,
    data,
    revision,
    level: 'l',
  })
  const [created] = decideCreate(codesample, { name: 'a' })
  const [removed] = decideRemove(codesample)
  if (created === undefined || removed === undefined) throw new Error('nothing decided')
  const first = evolve(codesample, 'x', NONE, record(1, created))
  expect(first).toEqual(live({}))
  const gone = evolve(codesample, 'x', first, record(2, removed))
  if (gone.status !== 'removed') throw new Error('not removed')
  const [restored] = decideRestore(codesample, gone, { name: 'b' }, 1)
  if (restored === undefined) throw new Error('nothing decided')
  expect(evolve(codesample, 'x', gone, record(3, restored))).toEqual(live({ name: 'b' }, 3))
})

test('a stream that a taker of its name closed never becomes a thing', () => {
  const abandoned = evolve(codesample, 'x', NONE, {
    type: 'CodeSampleAbandoned',
    revision: 1,
    level: null,
    data: { fields: {} },
  })
  expect(abandoned).toEqual({ status: 'abandoned', revision: 1 })
})
