import { afterAll, expect, test } from 'vitest'
import { setTitle } from '#domain/flow/document/edit.ts'
import { patchFlow } from '#domain/flow/document/patch-flow.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { dyingStore, PowerCut } from '../fixture/memory-store.ts'
import { openWorkbench } from '../fixture/workbench.ts'
import { type Author, findWrittenEvent, isIntact } from '../pipeline/append.ts'
import { type EventStore, storeAround } from '../store/port.ts'
import { changeFlow } from './flow-change.ts'
import { createFlowLog, type FlowLog } from './flow-log.ts'

const bench = await openWorkbench()
const bot = (await bench.must('bot', 'create', '', { name: 'Hotel' })).id
const task = (await bench.must('dialogtask', 'create', '', { name: 'Reserva', bot })).id
afterAll(() => bench.close())

const makeDialog = async (name: string) => (await bench.must('dialog', 'create', '', { name, dialogtask: task })).id
/** Another process or node that resumes the same command. */
const logOf = (store: EventStore = bench.store) =>
  createFlowLog({ store, keyframe: async () => undefined, levelOf: async () => null })
const authorOf = (seed: string): Author => ({
  seed,
  actor: 'ana',
  time: new Date().toISOString(),
  correlation: seed,
  causation: null,
})
const intact = async (flow: string) => {
  let previous = ''
  for await (const event of bench.store.read(`flow-${flow}`)) {
    if (!isIntact(previous, event)) return false
    previous = event.hash
  }
  return true
}

test('ignores a large edit interrupted between its events; a retry writes it whole', async () => {
  const id = await makeDialog('Partido')
  const operators = Array.from({ length: 250 }, (_, index) => [
    `b${index}`,
    {
      type: 'marker',
      title: `${index}`.padEnd(9000, 'x'),
      top: index,
      left: 0,
      properties: { inputs: {}, outputs: {} },
    },
  ])
  const file = { format: 'parley-flow', version: 1, operators: Object.fromEntries(operators), links: {} } as FlowFile
  const author = authorOf('broken-off')
  const begun = async () => (await findWrittenEvent(bench.store, author.seed, `flow-${id}`)) !== undefined

  const dying = logOf(dyingStore(bench.store, 2, true))
  await expect(changeFlow(dying, id, author, doc => patchFlow(doc, file, 'test'))).rejects.toThrow(PowerCut)
  expect(await begun()).toBe(false)
  await changeFlow(logOf(), id, author, doc => patchFlow(doc, file, 'test'))

  expect(await begun()).toBe(true)
  expect(exportFlow((await logOf().load(id)).doc)).toEqual(file)
  expect(await intact(id)).toBe(true)
})

test('writes a command once when two nodes run it; both continue after the written revision', async () => {
  const id = await makeDialog('Dois')
  const [block = ''] = Object.keys(exportFlow((await logOf().load(id)).doc).operators)
  const titled = (log: FlowLog, author: Author, title: string) =>
    changeFlow(log, id, author, doc => setTitle(doc, block, title, 'test'))
  const waiting = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slow = logOf(
    storeAround(bench.store, {
      async append(...given) {
        begun.resolve()
        await waiting.promise
        return bench.store.append(...given)
      },
    }),
  )

  const late = titled(slow, authorOf('shared'), 'Início')
  await begun.promise
  const first = await titled(logOf(), { ...authorOf('shared'), time: '2026-11-22T00:00:00.000Z' }, 'Início')
  await titled(logOf(), authorOf('somebody'), 'Outro')
  waiting.resolve()

  expect([first.revision, (await late).revision]).toEqual([2, 2])
  expect((await titled(slow, authorOf('after'), 'Depois')).revision).toBe(4)
  expect(await intact(id)).toBe(true)
})
