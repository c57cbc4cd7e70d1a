import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { applyChecked } from '#domain/flow/document/apply-checked.ts'
import { createFlow, scriptOf } from '#domain/flow/document/document.ts'
import { runWithStepLimit, TooCostly, UPDATE_STEPS } from '#domain/flow/document/integration-cost.ts'
import { FLOW_LIMITS } from '#domain/flow/document/violation.ts'
import { step1Frame, updateFrame } from '#realtime/wire.ts'
import { isFull } from '#test/fixture/full.ts'
import { crafted, craftedUpdate } from '../doubles/crafted-update.ts'
import { block, ids, member, openRoom, Peer, soon } from '../doubles/room-peer.ts'
import { randomOf } from '../realtime/random.ts'

const AUTHOR = 5
const ATTACKER = 77
const COUNT = 7_999
const LIMITS = { ...FLOW_LIMITS, script: true }
const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const letter = () => new Y.ContentString('x')
const at = (clock: number) => Y.createID(AUTHOR, clock)

/** A handler's code of many characters by one client. */
const coded = (length = 20_000): Y.Doc => {
  const source = new Y.Doc()
  source.clientID = AUTHOR
  scriptOf(source).insert(0, 'a'.repeat(length))
  return createFlow(Y.encodeStateAsUpdate(source))
}

const siblings = (count: number) =>
  craftedUpdate(range(count).map(i => crafted(ATTACKER, i, letter(), { origin: at(0), right: at(2 + i) })))
const mirrored = (count: number) =>
  craftedUpdate(range(count).map(i => crafted(ATTACKER, i, letter(), { origin: at(i), right: at(count + 1) })))
const chain = (count: number) =>
  craftedUpdate(range(count).map(i => crafted(ATTACKER, i, new Y.ContentAny([i]), { parent: 'nodes', key: 'k' })))
const plain = (count: number) =>
  craftedUpdate(
    range(count).map(i =>
      crafted(ATTACKER, i, new Y.ContentAny([i]), i === 0 ? { parent: 'js' } : { origin: Y.createID(ATTACKER, i - 1) }),
    ),
  )

test.each([
  ['one left neighbour and differing right ones', siblings(COUNT)],
  ['many entries of one key without a neighbour', chain(COUNT)],
  ['many plain values in a text', plain(40_000)],
])('refuses %s before the work is done', (_what, update) => {
  const doc = coded()
  const applied = applyChecked(doc, update, LIMITS, 'test')
  expect(applied).toMatchObject({ ok: false, reason: expect.stringContaining('too long') })
})

test('takes what honest clients do at one place, however many they are', () => {
  // Given fifty users who type a hundred characters each at one place without updates from each other
  const base = Y.encodeStateAsUpdate(coded(100))
  const typed = range(50).map(() => {
    const doc = createFlow(base)
    const before = Y.encodeStateVector(doc)
    const text = scriptOf(doc)
    for (const n of range(100)) text.insert(50 + n, 'y')
    // And correct themselves here and there
    for (const n of range(30)) text.insert(51 + 3 * n, 'z')
    return Y.encodeStateAsUpdate(doc, before)
  })
  const live = createFlow(base)
  for (const update of typed) expect(applyChecked(live, update, LIMITS, 'test')).toMatchObject({ ok: true })
  // And one who replaces every other character, and one who pastes a long text
  const other = createFlow(Y.encodeStateAsUpdate(live))
  const before = Y.encodeStateVector(other)
  other.transact(() => {
    for (const n of range(1_000)) scriptOf(other).delete(2_000 - 2 * n, 1)
    scriptOf(other).insert(0, 'p'.repeat(500_000))
  })
  expect(applyChecked(live, Y.encodeStateAsUpdate(other, before), LIMITS, 'test')).toMatchObject({ ok: true })
  expect(() => createFlow(Y.encodeStateAsUpdate(live))).not.toThrow()
})

test('many small updates add up to no more than a document may cost to open', () => {
  const doc = coded()
  const state: Uint8Array[] = [Y.encodeStateAsUpdate(doc)]
  // When each of many updates brings a hundred siblings of the same struct
  let refused = 0
  for (const round of range(40)) {
    const update = craftedUpdate(
      range(100).map(i => crafted(ATTACKER + round, i, letter(), { origin: at(0), right: at(2 + round * 100 + i) })),
    )
    let steps = 0
    const copy = createFlow(...state)
    try {
      steps = runWithStepLimit(5_000, 32, () => Y.applyUpdate(copy, update))
      state.push(update)
    } catch (error) {
      expect(error).toBeInstanceOf(TooCostly)
      refused += 1
    }
    expect(steps).toBeLessThanOrEqual(5_000)
  }
  expect(refused).toBeGreaterThan(0)
  expect(() => createFlow(...state)).not.toThrow()
})

/** Items that Yjs compares while it integrates: it puts each into two sets. */
const compared = (update: Uint8Array, doc: Y.Doc): number => {
  let steps = 0
  const add = Set.prototype.add
  Set.prototype.add = function (value) {
    steps += 1
    return add.call(this, value)
  }
  try {
    Y.applyUpdate(doc, update)
  } catch {
    // A rejected update counts the steps taken until then.
  } finally {
    Set.prototype.add = add
  }
  return steps
}

test('no generated update is accepted that makes Yjs compare more than a client’s edits can', () => {
  const random = randomOf(11)
  const base = Y.encodeStateAsUpdate(coded(4_000))
  let accepted = 0
  for (const _round of range(isFull ? 60 : 30)) {
    const count = 1 + random(2_500)
    const left = 1 + random(random(2) === 0 ? 3 : 3_000)
    const clients = 1 + random(5)
    const next = new Map<number, number>()
    const structs = range(count).map(() => {
      const client = ATTACKER + random(clients)
      const clock = next.get(client) ?? 0
      next.set(client, clock + 1)
      const origin = random(3) === 0 && clock > 0 ? Y.createID(client, random(clock)) : at(random(left))
      const place = random(4) === 0 ? { origin } : { origin, right: at(3_000 + random(1_000)) }
      return crafted(client, clock, letter(), place)
    })
    const update = craftedUpdate(structs.sort((a, b) => b.id.client - a.id.client || a.id.clock - b.id.clock))
    const applied = applyChecked(createFlow(base), update, LIMITS, 'test')
    if (!applied.ok) continue
    accepted += 1
    // Two sets take each compared item; a struct and its transaction take a few more.
    const most = 2 * (UPDATE_STEPS + 32 * count) + 20 * count
    expect(compared(update, createFlow(base))).toBeLessThanOrEqual(most)
  }
  expect(accepted).toBeGreaterThan(2)
})

test.each<[string, Uint8Array, number]>([
  ['siblings without end', siblings(COUNT), 4400],
  ['a left neighbour each and one right one', mirrored(12_000), 4400],
  [
    'overlapping deleted ranges',
    craftedUpdate([], new Map([[AUTHOR, range(14_000).map(() => [0, 9] as const)]])),
    4400,
  ],
  ['a struct beyond any clock', craftedUpdate([new Y.GC(Y.createID(ATTACKER, 0), 2 ** 52)]), 4400],
  [
    'a struct without length',
    craftedUpdate([crafted(ATTACKER, 0, new Y.ContentDeleted(0), { parent: 'nodes' })]),
    4400,
  ],
  ['a client id beyond 32 bits', craftedUpdate([new Y.GC(Y.createID(2 ** 40, 0), 1)]), 4400],
  ['more structs than a message may hold', craftedUpdate(range(300_001).map(i => new Y.GC(Y.createID(9, i), 1))), 4413],
  ['12,000 new client ids', craftedUpdate(range(12_000).map(i => new Y.GC(Y.createID(1_000 + i, 0), 1))), 4400],
  [
    'a document within the document',
    craftedUpdate([crafted(9, 0, new Y.ContentDoc(new Y.Doc()), { parent: 'nodes', key: 'a' })]),
    4400,
  ],
])('closes who sends %s, with their name on record, and nobody else', async (_what, update, code) => {
  const { room, log, ended, rejected } = await openRoom()
  const [ana, mallory] = [new Peer(room, member('ana')), new Peer(room, member('mallory'))]
  ana.edit(doc => {
    doc.clientID = AUTHOR
    block('n1')(doc)
  })
  mallory.send(updateFrame(update))
  // The room requests missing dependencies first: this step 2 says that there are no more.
  mallory.send(Uint8Array.of(0, 1, 2, 0, 0))
  expect(mallory.closed).toBe(code)
  expect(rejected.mock.calls.map(call => String(call[1])).join()).toContain('mallory')
  ana.edit(block('n2'))
  await soon(() => expect(ana.acknowledged).toBe(2))
  expect(ended).not.toHaveBeenCalled()
  expect(ids(log.replay('d1'))).toEqual(['n1', 'n2'])
})

test('closes who asks with a state vector of a million clients', async () => {
  const { room } = await openRoom()
  const mallory = new Peer(room, member('mallory'))
  const vector = Y.encodeStateVector(new Map(range(100_000).map(i => [i, 1])))
  mallory.send(step1Frame(vector))
  expect(mallory.closed).toBe(4400)
})

test('closes who sends more client ids than one event holds, message by message', async () => {
  const { room, log, ended } = await openRoom()
  const [ana, mallory] = [new Peer(room, member('ana')), new Peer(room, member('mallory'))]
  mallory.send(Uint8Array.of(0, 1, 2, 0, 0))
  for (const round of range(40)) {
    const ids = range(500).map(i => new Y.GC(Y.createID(1_000 + round * 500 + i, 0), 1))
    mallory.send(updateFrame(craftedUpdate(ids)))
  }
  ana.edit(block('n1'))
  await soon(() => expect(ana.acknowledged).toBe(1))
  expect(mallory.closed).toBe(4429)
  expect(ended).not.toHaveBeenCalled()
  const bindings = log.edits.get('d1')?.map(({ edit }) => edit.bindings.length) ?? []
  expect(Math.max(...bindings)).toBeLessThanOrEqual(1_001)
})
