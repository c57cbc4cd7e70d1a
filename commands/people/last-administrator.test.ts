import { afterAll, expect, test } from 'vitest'
import { createCommandHandler } from '../command-handler.ts'
import { pausedStore } from '../fixture/memory-store.ts'
import { openPeopleBench } from './fixture/people-bench.ts'

const bench = await openPeopleBench()
afterAll(() => bench.close())

/** Appends of a lock, with its lock stream; no pause happens later. */
const STEPS = 6

test('leaves one administrator when two nodes lock the last two, at every pause point', async () => {
  for (let nth = 1; nth <= STEPS; nth += 1) {
    const { id } = await bench.must('user', 'create', '', { username: `segunda${nth}`, usergroup: [bench.ids.group] })
    const { store, reached, release } = pausedStore(bench.store, nth)
    const lock = (user: string) => ({
      entity: 'user',
      action: 'lock',
      id: user,
      input: {},
      caller: bench.admin,
      correlation: 'lock',
    })
    const { keys, lookup, now } = bench
    const slow = createCommandHandler({ store, keys, lookup, now }).execute(lock(id))
    const stands = await Promise.race([reached.then(() => true), slow.then(() => false)])
    const other = await bench.commands.execute(lock(bench.ids.user))
    release()
    const outcomes = [await slow, other]

    expect(await lookup.administrators(), `append ${nth}`).toHaveLength(1)
    expect(
      outcomes.filter(({ ok }) => ok),
      `append ${nth}`,
    ).toHaveLength(1)
    await bench.must('user', 'unlock', bench.ids.user)
    await bench.must('user', 'remove', id, { confirm: 'CONFIRM' })
    if (!stands) break
  }
})
