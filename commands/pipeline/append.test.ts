import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { record } from '#schemas/json.ts'
import { openWorkbench } from '../fixture/workbench.ts'
import { StoreUnavailable, storeAround } from '../store/port.ts'
import { append, canonical, draft, isIntact, NO_STREAM } from './append.ts'

test('returns the same canonical JSON for any order of members', () => {
  expect(canonical({ b: [1, { d: null, c: 'é' }], a: true })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}')
})

/** The same by JSON alone. */
const plain = (value: Json): string =>
  JSON.stringify(value, (_, member) =>
    member === null || typeof member !== 'object' || Array.isArray(member)
      ? member
      : record(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )

test('canonical JSON is that of JSON with sorted members for every kind of value [P-2825]', () => {
  const values: readonly Json[] = [
    ...['', 'a', '"\\\n\u2028', '\ud800', '\udfff\ud83d', '😀', '__proto__'],
    ...[0, -0, 1e21, -1.5e-7, true, false, null, [], {}],
    ...[[''], [[]], [{}], ['', ''], [[], {}, '', null, -0], [[[''], []], [{}]]],
    record<Json>([
      ['b', 1],
      ['__proto__', { z: [], a: {} }],
      ['a', [record<Json>([['__proto__', null]])]],
    ]),
    { constructor: 1, toString: [''], '': { '\ud800': '\udc00', '\ue000': 1, '😀': 2 }, é: -0, e: {} },
    // 64 characters and 65: longer names are quoted each time.
    { ['n'.repeat(65)]: 1, ['n'.repeat(64)]: { ['"'.repeat(65)]: ['\ud800'.repeat(70)] } },
  ]
  // Twice: names are kept.
  for (const value of [...values, ...values]) expect(canonical(value)).toBe(plain(value))
  expect(canonical(values as Json)).toBe(plain(values as Json))
})

test('every event is sealed by the one before it: a changed or moved event shows', async () => {
  const bench = await openWorkbench()
  try {
    const { id } = await bench.must('codesample', 'create', '', { name: 'a' })
    await bench.must('codesample', 'change', id, { name: 'b' }, { revision: 1 })
    await bench.must('codesample', 'change', id, { name: 'c' }, { revision: 2 })
    const events = await bench.events(`codesample-${id}`)
    const hashes = ['', ...events.map(event => event.hash)]
    expect(events.map((event, index) => isIntact(hashes[index] ?? '', event))).toEqual([true, true, true])
    const [first, second] = events
    if (first === undefined || second === undefined) throw new Error('events are missing')
    expect(isIntact('', { ...first, data: { fields: { name: 'x' } } })).toBe(false)
    expect(isIntact(first.hash, { ...second, revision: 3 })).toBe(false)
    expect(isIntact(first.hash, { ...second, position: 'elsewhere' })).toBe(true)
  } finally {
    await bench.close()
  }
})

test('while it is unknown whether it was written the same ids are tried again, and it is written once', async () => {
  const bench = await openWorkbench()
  try {
    let losses = 2
    const flaky = storeAround(bench.store, {
      async append(...given) {
        const written = await bench.store.append(...given)
        if (losses-- > 0) throw new StoreUnavailable('the answer was lost')
        return written
      },
    })
    const author = { seed: 's', actor: null, time: '2026-01-01T00:00:00.000Z', correlation: 'c', causation: null }
    const event = draft(author, 'one', 'ThingHappened', null, { fields: {} })
    expect((await append(flaky, 'thing-1', NO_STREAM, [event])).revision).toBe(1)
    expect(await bench.events('thing-1')).toHaveLength(1)
  } finally {
    await bench.close()
  }
})
