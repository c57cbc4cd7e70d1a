import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { caller, openWorkbench, type Workbench } from '../fixture/workbench.ts'
import { storeAround } from '../store/port.ts'
import { ANSWER_RETENTION_MS, REQUEST_PREFIX, sweepRequests } from './idempotency-key.ts'

// Some write under a clock of their own, after which nothing older is swept: each has its own store.
let bench: Workbench
beforeEach(async () => {
  bench = await openWorkbench()
})
afterEach(() => bench.close())

const key = (value: string, body: string) => ({ key: { value, method: 'POST', path: '/bot', body } })

test('the same key with the same body answers as the first time and writes nothing new', async () => {
  const first = await bench.must('bot', 'create', '', { name: 'Uma' }, key('k1', 'a'))
  const second = await bench.must('bot', 'create', '', { name: 'Uma' }, key('k1', 'a'))
  expect(second).toEqual({ ...first, repeated: true })
  expect(await bench.events(`bot-${first.id}`)).toHaveLength(1)
})

test('the same key with another body is refused', async () => {
  await bench.must('bot', 'create', '', { name: 'Duas' }, key('k2', 'a'))
  expect(await bench.run('bot', 'create', '', { name: 'Três' }, key('k2', 'b'))).toMatchObject({
    refusal: { code: 'request.idempotency' },
  })
})

test('a refusal is not remembered', async () => {
  expect(await bench.run('bot', 'create', '', {}, key('k3', 'a'))).toMatchObject({ ok: false })
  await bench.must('bot', 'create', '', { name: 'Quatro' }, key('k3', 'b'))
})

test('it survives a restart', async () => {
  const first = await bench.must('bot', 'create', '', { name: 'Cinco' }, key('k4', 'a'))
  const later = bench.again()
  const command = { entity: 'bot', action: 'create', id: '', input: { name: 'Cinco' }, correlation: 'x' }
  expect(await later.execute({ ...command, caller: caller(), ...key('k4', 'a') })).toMatchObject({
    id: first.id,
    repeated: true,
  })
})

test('many at once write once', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => bench.must('bot', 'create', '', { name: 'Seis' }, key('k5', 'a'))),
  )
  expect(new Set(outcomes.map(outcome => outcome.id)).size).toBe(1)
  expect(await bench.events(`bot-${outcomes[0]?.id}`)).toHaveLength(1)
})

test('answers a command cut off after its write, not writing it again', async () => {
  const { id } = await bench.must('bot', 'create', '', { name: 'Sete' })
  const crashing = bench.again({
    store: storeAround(bench.store, {
      append: async (stream, expected, events) => {
        if (events[0]?.type === 'RequestAnswered') throw new Error('power cut')
        return bench.store.append(stream, expected, events)
      },
    }),
  })
  const command = { entity: 'bot', action: 'remove', id, input: { confirm: 'CONFIRM' }, correlation: 'x' }
  const keyed = { key: { value: 'k6', method: 'DELETE', path: `/bot/${id}`, body: 'a' } }
  await expect(crashing.execute({ ...command, caller: caller(), ...keyed })).rejects.toThrow('power cut')
  const later = bench.again({ now: () => new Date(Date.now() + 60_000) })
  expect(await later.execute({ ...command, caller: caller(), ...keyed })).toMatchObject({ ok: true, revision: 2 })
  expect(await bench.events(`bot-${id}`)).toHaveLength(2)
})

test('after 24 hours the same key is a new command, and what was kept is forgotten', async () => {
  bench = await openWorkbench({ isEmbedded: true })
  const due = () => new Date(Date.now() + ANSWER_RETENTION_MS + 1)
  await bench.must('bot', 'create', '', { name: 'Uma' }, key('k1', 'a'))
  const first = await bench.must('bot', 'create', '', { name: 'Oito' }, key('k7', 'a'))
  const command = { entity: 'bot', action: 'create', id: '', correlation: 'x', caller: caller(), ...key('k7', 'b') }
  const kept = async () => {
    const streams = new Set<string>()
    const log = bench.store.readAll({ filter: { streamPrefixes: [REQUEST_PREFIX] } })
    for await (const { stream } of log) streams.add(stream)
    return streams.size
  }
  expect(await sweepRequests(bench.store, new Date())).toBe(0)
  expect(await bench.run('bot', 'create', '', { name: 'Nove' }, key('k7', 'b'))).toMatchObject({ ok: false })

  const all = await kept()
  const swept = await sweepRequests(bench.store, due())
  // The one that wrote last stays until something else was written after it.
  expect([all, swept, await kept()]).toEqual([2, 1, 1])
  await bench.must('bot', 'create', '', { name: 'Dez' })
  await sweepRequests(bench.store, due())
  expect(await kept()).toBe(0)

  const later = bench.again({ now: due })
  const second = await later.execute({ ...command, input: { name: 'Nove' } })
  expect(second).toMatchObject({ ok: true })
  expect(second.ok && second.id).not.toBe(first.id)
  expect(await later.execute({ ...command, input: { name: 'Nove' } })).toMatchObject({ repeated: true })
})

test('the log holds no hash of a body that guesses could be tried on', async () => {
  await bench.must('bot', 'create', '', { name: 'Onze' }, key('k8', 'hash-of-the-body'))
  for await (const { data } of bench.store.readAll({ filter: { streamPrefixes: [REQUEST_PREFIX] } })) {
    expect(JSON.stringify(data)).not.toContain('hash-of-the-body')
  }
})

test('answers an interrupted command after the clock was set back', async () => {
  const tomorrow = () => new Date(Date.now() + 24 * 3600 * 1000)
  const crashing = bench.again({
    now: tomorrow,
    store: storeAround(bench.store, {
      append: async (stream, expected, events) => {
        if (events[0]?.type === 'RequestAnswered') throw new Error('power cut')
        return bench.store.append(stream, expected, events)
      },
    }),
  })
  const command = { entity: 'bot', action: 'create', id: '', input: { name: 'Amanhã' }, correlation: 'x' }
  const keyed = { ...command, caller: caller(), ...key('k9', 'a') }
  await expect(crashing.execute(keyed)).rejects.toThrow('power cut')

  const real = performance.now.bind(performance)
  const waited = vi.spyOn(performance, 'now').mockImplementationOnce(real)
  waited.mockImplementation(() => real() + 5001)
  const again = await bench.again().execute(keyed)
  waited.mockRestore()

  expect(again).toMatchObject({ ok: true })
  expect(await bench.events(`bot-${again.ok && again.id}`)).toHaveLength(1)
})
