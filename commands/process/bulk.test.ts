import { afterAll, expect, test } from 'vitest'
import { processStream } from '#schemas/events/entity.ts'
import type { Commands } from '../command-handler.ts'
import { dyingStore, PowerCut } from '../fixture/memory-store.ts'
import { caller, openWorkbench } from '../fixture/workbench.ts'
import type { EventStore } from '../store/port.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

const commandsOn = (store: EventStore): Commands =>
  bench.again({
    store,
    lookup: { ...bench.lookup, permissionsOfUser: async () => new Set(['updatecodesample']) },
  })
const samples = (names: readonly string[]) =>
  Promise.all(names.map(async name => (await bench.must('codesample', 'create', '', { name })).id))
const start = (commands: Commands, ids: readonly string[], seed: string) => {
  const starter = { caller: caller(), seed, correlation: 'c' }
  const rows = ids.map(id => ({ id, revision: 1 }))
  return commands.startBulk(starter, 'codesample', { action: 'change', input: { code: 'y' } }, rows)
}
const revisions = (ids: readonly string[]) =>
  Promise.all(ids.map(async id => (await bench.events(`codesample-${id}`)).length))

test.each([true, false])(
  'resumes a process after a power cut at any append and writes each row once (last append written: %s)',
  async lastIsWritten => {
    for (let appends = 1; ; appends += 1) {
      const seed = `${appends} ${lastIsWritten}`
      const ids = await samples(Array.from({ length: 12 }, (_, n) => `${seed} ${n}`))
      let isCut = false
      const dying = dyingStore(bench.store, appends, lastIsWritten)
      const watched: EventStore = {
        ...dying,
        append: (...given) =>
          dying.append(...given).catch(error => {
            isCut = true
            throw error
          }),
      }
      const root = await start(commandsOn(watched), ids, seed).catch(error => {
        expect(error).toBeInstanceOf(PowerCut)
        return undefined
      })
      const hasEnded = async () =>
        isCut || (await bench.events(processStream(root ?? ''))).at(-1)?.type === 'ProcessFinished'
      await expect.poll(hasEnded, { timeout: 10_000, interval: 2 }).toBe(true)
      const next = commandsOn(bench.store)
      await next.resumeProcesses()
      const again = await start(next, ids, seed)
      if (root !== undefined) expect(again).toBe(root)
      await expect
        .poll(async () => (await next.processReport(caller(), again))?.state, { timeout: 10_000, interval: 2 })
        .toBe('finished')
      expect(await next.processReport(caller(), again)).toMatchObject({ done: 12, total: 12, refused: [] })
      expect(await revisions(ids)).toEqual(ids.map(() => 2))
      if (!isCut) break
    }
  },
  60_000,
)

test('rows act with the rights that the starter has when they are carried out', async () => {
  const ids = await samples(['sem direito'])
  const lost = bench.again({ lookup: { ...bench.lookup, permissionsOfUser: async () => new Set<string>() } })
  const root = await start(lost, ids, 'lost')
  await expect.poll(async () => (await lost.processReport(caller(), root))?.state).toBe('finished')
  expect(await lost.processReport(caller(), root)).toMatchObject({
    refused: [{ id: ids[0], refusal: { code: 'access.forbidden' } }],
  })
  expect(await revisions(ids)).toEqual([1])
})
