import { afterAll, expect, test } from 'vitest'
import { caller, openWorkbench } from '../fixture/workbench.ts'
import { type EventStore, storeAround } from '../store/port.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

/** A separate node that counts its reads. */
const openNode = () => {
  let reads = 0
  const read: EventStore['read'] = (...asked) => {
    reads += 1
    return bench.store.read(...asked)
  }
  const handler = bench.again({ store: storeAround(bench.store, { read }) })
  return {
    reads: () => reads,
    change: (id: string, input: { readonly [field: string]: string }) =>
      handler.execute({ entity: 'codesample', action: 'change', id, input, caller: caller(), correlation: 'c' }),
  }
}

test('reads nothing when a cached target is changed, and its stream once when there is nothing to change', async () => {
  const { id } = await bench.must('codesample', 'create', '', { name: 'a' })
  const node = openNode()
  await node.change(id, { name: 'b' })
  const cold = node.reads()
  expect(await node.change(id, { name: 'c' })).toMatchObject({ ok: true, revision: 3 })
  expect(node.reads() - cold).toBe(0)
  expect(await node.change(id, { name: 'c' })).toEqual({ ok: true, id, revision: 3 })
  expect(node.reads() - cold).toBe(1)
})

test('writes when the cached target only seems to be as wanted', async () => {
  const { id } = await bench.must('codesample', 'create', '', { name: 'a' })
  const node = openNode()
  await node.change(id, { name: 'b' })
  await bench.must('codesample', 'change', id, { name: 'c' })
  expect(await node.change(id, { name: 'b' })).toMatchObject({ ok: true, revision: 4, position: expect.anything() })
})

test('decides on the first state that it read when another command caches a newer one meanwhile', async () => {
  const { id } = await bench.must('bot', 'create', '', { name: 'Lido duas vezes' })
  const schema = { name: 'Esquema', bot: id }
  const { id: variableschema } = await bench.must('variableschema', 'create', '', schema)
  const { id: variable } = await bench.must('variable', 'create', '', { name: 'v', bot: id, schema: variableschema })
  const node = bench.again()
  const command = { entity: 'variable', id: variable, caller: caller(), correlation: 'c' }
  const point = (to: string | null) => node.execute({ ...command, action: 'change', input: { schema: to } })
  await point(null)
  await bench.must('variable', 'change', variable, { schema: variableschema })
  // Both find the cached state; the second one brings the cache up to date while the first one still decides.
  const [first, second] = await Promise.all([point(null), point(null)])
  expect([first.ok, second.ok]).toEqual([true, true])
  const events = await bench.events(`variable-${variable}`)
  expect(events.at(-1)?.data.fields).toEqual({ schema: null })
})
