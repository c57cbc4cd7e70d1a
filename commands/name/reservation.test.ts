import { afterAll, describe, expect, test } from 'vitest'
import { dyingStore, PowerCut, pausedStore } from '../fixture/memory-store.ts'
import { caller, openWorkbench } from '../fixture/workbench.ts'
import type { Command, Outcome } from '../port.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

type Deed = Pick<Command, 'action' | 'id' | 'input'>
const command = (deed: Deed): Command => ({ ...deed, entity: 'bot', caller: caller(), correlation: 'c' })
const creating = (name: string): Deed => ({ action: 'create', id: '', input: { name } })
const CONFIRM = { confirm: 'CONFIRM' }

/** Ways to come to bear a name, each made ready beforehand. */
const WAYS: readonly [string, (name: string) => Promise<Deed>][] = [
  ['making', async name => creating(name)],
  [
    'renaming',
    async name => {
      const { id } = await bench.must('bot', 'create', '', { name: `${name} antes` })
      return { action: 'change', id, input: { name } }
    },
  ],
  [
    'bringing back',
    async name => {
      const { id } = await bench.must('bot', 'create', '', { name })
      await bench.must('bot', 'remove', id, CONFIRM)
      return { action: 'restore', id, input: { revision: 1 } }
    },
  ],
]

/** Bots that are live and have the name, from their own streams. */
const bearersOf = async (name: string): Promise<string[]> => {
  const names = new Map<string, string | undefined>()
  for await (const { stream, type, data } of bench.store.readAll({ filter: { streamPrefixes: ['bot-'] } })) {
    const fields = data.fields as { name?: string } | undefined
    if (type === 'BotRemoved') names.delete(stream)
    else if (fields?.name !== undefined) names.set(stream, fields.name)
  }
  return [...names].filter(([, held]) => held === name).map(([stream]) => stream.slice('bot-'.length))
}

/** Asserts that the owner can release the name and another can take it. */
const expectFree = async (name: string) => {
  for (const id of await bearersOf(name)) await bench.must('bot', 'remove', id, CONFIRM)
  const { id } = await bench.must('bot', 'create', '', { name })
  expect(await bearersOf(name)).toEqual([id])
  expect(await bench.run('bot', 'create', '', { name })).toMatchObject({ refusal: { code: 'entity.name.taken' } })
}

describe.each(WAYS)('%s', (way, ready) => {
  test('paused at any step while another takes the name: exactly one has it', async () => {
    for (let step = 1; ; step += 1) {
      const name = `Pausa ${way} ${step}`
      const deed = await ready(name)
      const { store, reached, release } = pausedStore(bench.store, step)
      const slow = bench.again({ store }).execute(command(deed))
      const isOver = await Promise.race([reached.then(() => false), slow.then(() => true)])
      if (isOver) {
        expect(step).toBeGreaterThan(3)
        return
      }
      const quick = await bench.again().execute(command(creating(name)))
      release()
      const outcomes: Outcome[] = [await slow, quick]
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
      expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ refusal: { code: 'entity.name.taken' } })
      expect(await bearersOf(name)).toHaveLength(1)
      await expectFree(name)
    }
  }, 60_000)

  test('killed at any step: the name is with it or can be had', async () => {
    for (let step = 1; ; step += 1) {
      const name = `Morte ${way} ${step}`
      const deed = await ready(name)
      const dying = bench.again({ store: dyingStore(bench.store, step, step % 2 === 0) })
      const died = await dying.execute(command(deed)).then(
        () => false,
        error => error instanceof PowerCut,
      )
      if (!died) break
      const next = await bench.again().execute(command(creating(name)))
      expect(await bearersOf(name)).toHaveLength(1)
      if (!next.ok) expect(next.refusal.code).toBe('entity.name.taken')
      await bench.again().resumeProcesses()
      await expectFree(name)
    }
  }, 60_000)
})

test('of many takers on several nodes exactly one wins', async () => {
  const nodes = [bench.again(), bench.again(), bench.again()]
  const name = 'Muitos'
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, index) => nodes[index % 3]?.execute(command(creating(name)))),
  )
  expect(outcomes.filter(outcome => outcome?.ok)).toHaveLength(1)
  expect(await bearersOf(name)).toHaveLength(1)
})

test('a name refused for another reason is free at once', async () => {
  const { id } = await bench.must('bot', 'create', '', { name: 'Motivo' })
  await bench.must('bot', 'change', id, { description: 'a' }, { revision: 1 })
  const times: number[] = []
  for (const name of ['Livre', 'Livre 2', 'Livre 3']) {
    expect(await bench.run('bot', 'change', id, { name, description: 'b' }, { revision: 1 })).toMatchObject({
      refusal: { code: 'entity.conflict' },
    })
    const before = performance.now()
    await bench.must('bot', 'create', '', { name })
    times.push(performance.now() - before)
  }
  // A reserved name is waited for, 300 ms each time; the machine may stop once.
  expect(Math.min(...times)).toBeLessThan(250)
})
