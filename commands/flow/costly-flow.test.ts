import { afterAll, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { scriptOf } from '#domain/flow/document/document.ts'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { NO_CHANGES } from '#schemas/flow/summary.ts'
import { crafted, craftedUpdate } from '#test/doubles/crafted-update.ts'
import { openWorkbench } from '../fixture/workbench.ts'

const SIBLINGS = 1_300
let id: string
let file: unknown
const bench = await openWorkbench()
const bot = (await bench.must('bot', 'create', '', { name: 'Hotel' })).id
const task = (await bench.must('dialogtask', 'create', '', { name: 'Reserva', bot })).id
afterAll(() => bench.close())

const flows = () => bench.handler.flows
const append = async (update: Uint8Array) => {
  const { revision, hash } = await flows().stored(id)
  const edit = { update, actor: null, authors: [], bindings: [], ranges: [], summary: NO_CHANGES }
  await flows().append(id, { revision, hash }, edit, crypto.randomUUID())
}

/** A dialog whose log holds what a version of the program before the limits accepted. */
beforeEach(async () => {
  id = (await bench.must('dialog', 'create', '', { name: crypto.randomUUID(), dialogtask: task })).id
  file = exportFlow((await flows().load(id)).doc)
  const base = new Y.Doc()
  base.clientID = 5
  scriptOf(base).insert(0, 'a'.repeat(SIBLINGS + 2))
  await append(Y.encodeStateAsUpdate(base))
  const left = Y.createID(5, 0)
  const siblings = Array.from({ length: SIBLINGS }, (_, i) =>
    crafted(77, i, new Y.ContentString('x'), { origin: left, right: Y.createID(5, 2 + i) }),
  )
  await append(craftedUpdate(siblings))
})

test('a flow that takes too long to integrate is refused, at once from the second time on', async () => {
  await expect(flows().load(id)).rejects.toBeInstanceOf(TooCostly)
  await expect(flows().load(id)).rejects.toBeInstanceOf(TooCostly)
  const { state } = await flows().stored(id)
  const read = () => flows().work.perform({ do: 'file', state, hasScript: false })
  await expect(read()).rejects.toBeInstanceOf(TooCostly)
  // From another thread as well
  await expect(read()).rejects.toBeInstanceOf(TooCostly)
})

test.each([
  ['restored to an earlier revision', 'restoreflow', () => ({ revision: 1 })],
  ['replaced by a file', 'importflow', () => ({ flow: file })],
] as const)('a flow that takes too long to integrate can be %s', async (_what, command, input) => {
  await bench.must('dialog', command, id, input() as never)
  const { doc } = await flows().load(id)
  expect(exportFlow(doc)).toEqual(file)
  // As an event that a program which does not know of it stops at
  const events = await bench.events(`flow-${id}`)
  expect(events.at(-1)).toMatchObject({ type: 'FlowEdited', version: 2, data: { startsOver: true } })
  expect(events.at(-2)).toMatchObject({ version: 1 })
  // The good version can be restored, and the flow works normally.
  expect(await flows().at(id, 1)).toBeDefined()
  await bench.must('dialog', 'importflow', id, { flow: file } as never)
  expect((await bench.events(`flow-${id}`)).length).toBe(events.length)
})

test('a search names a flow that takes too long to integrate, and looks through the others of its bot', async () => {
  const asked = { bot, dialogtask: task, may: () => true }
  const found = await bench.handler.findInFlows(asked, { text: 'a', isExact: false, isWholeWord: false })
  expect(found.unfinished).toContainEqual(expect.objectContaining({ id }))
  expect(await bench.handler.unusedVariables(asked)).toEqual([])
})
