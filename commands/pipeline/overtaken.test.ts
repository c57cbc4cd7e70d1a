import { afterAll, expect, test } from 'vitest'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { FLOW_FORMAT, FLOW_VERSION } from '#schemas/flow/file.ts'
import { isFull } from '#test/fixture/full.ts'
import { pausedStore } from '../fixture/memory-store.ts'
import { caller, openWorkbench } from '../fixture/workbench.ts'
import { verifyLog } from '../integrity/verify-log.ts'
import type { Command } from '../port.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

/** Reads and appends of the longest of these commands; no pause happens later. */
const STEPS = 24
/** Steps between two pauses of the node. */
const STEP = isFull ? 1 : 3
const MINUTE = 60_000

type Deed = Pick<Command, 'entity' | 'action' | 'id'> & { readonly input: Record<string, Json> }

const keyed = () => ({ key: { value: crypto.randomUUID(), method: 'POST', path: '/api', body: 'a' } })
const seeded = () => ({ seed: crypto.randomUUID() })

/**
 * Pauses a node at the nth step of a command; another node runs it, further work follows, then the first resumes.
 * Returns both answers and the node; undefined when it ended before the pause.
 */
const overtaken = async (
  deed: Deed,
  nth: number,
  meanwhile: (id: string) => Promise<unknown>,
  shared: Partial<Command> = keyed(),
) => {
  const command: Command = { ...deed, ...shared, caller: caller(), correlation: 'c' }
  const { store, reached, release } = pausedStore(bench.store, nth, 'any')
  const node = bench.again({ store })
  const late = node.execute(command)
  const isStanding = await Promise.race([reached.then(() => true), late.then(() => false)])
  if (!isStanding) return undefined
  // Its clock is ahead: it waits for nobody.
  const now = () => new Date(Date.now() + MINUTE)
  const taken = await bench.again({ store: bench.store, now }).execute(command)
  if (!taken.ok) throw new Error(JSON.stringify(taken.refusal))
  await meanwhile(taken.id)
  release()
  return { taken, late: await late, node }
}

const CONFIRM = { confirm: 'CONFIRM' }
const flowOf = (block: string): JsonObject => ({
  format: FLOW_FORMAT,
  version: FLOW_VERSION,
  operators: { [block]: { type: 'marker', title: block, top: 0, left: 0, properties: { inputs: {}, outputs: {} } } },
  links: {},
})
const botsOf = (id: string) => bench.events(`bot-${id}`)

test.each([
  ['an idempotency key', keyed, true],
  ['an idempotency key', keyed, false],
  ['a seed', seeded, true],
  ['a seed', seeded, false],
])('a change that nodes share by %s is made once, wherever one stood still', async (_, shared, isWorkedOn) => {
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const { id } = await bench.must('bot', 'create', '', { name: 'Antes' })
    const rename = (name: string): Deed => ({ entity: 'bot', action: 'change', id, input: { name } })
    const meanwhile = async () => void (isWorkedOn && (await bench.must('bot', 'change', id, { name: 'Depois' })))

    const both = await overtaken(rename('Meio'), nth, meanwhile, shared())

    if (both !== undefined) {
      expect(both.late, `step ${nth}`).toMatchObject({ ok: true, id, revision: 2 })
      await both.node.execute({ ...rename('Por fim'), caller: caller(), correlation: 'c' })
      const names = (await botsOf(id)).map(({ data }) => (data.fields as Record<string, Json>).name)
      expect(names, `step ${nth}`).toEqual(['Antes', 'Meio', ...(isWorkedOn ? ['Depois'] : []), 'Por fim'])
    }
    await bench.must('bot', 'remove', id, CONFIRM)
    if (both === undefined) break
  }
  expect((await verifyLog(bench.store)).findings).toEqual([])
})

test('returns one result on both nodes for a command that cannot repeat', async () => {
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const { id } = await bench.must('codesample', 'create', '', { name: `Exemplo ${nth}` })
    const deed = { entity: 'codesample', action: 'remove', id, input: CONFIRM }
    const both = await overtaken(deed, nth, async () => undefined)
    if (both === undefined) break
    expect(both.late, `step ${nth}`).toMatchObject({ ok: true, id, revision: 2 })
    const types = (await bench.events(`codesample-${id}`)).map(({ type }) => type)
    expect(types).toEqual(['CodeSampleCreated', 'CodeSampleRemoved'])
  }
})

test('a name that the command itself has given on another node is not in its way', async () => {
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const bot = (await bench.must('bot', 'create', '', { name: `Renomeado ${nth}` })).id
    await bench.must('variable', 'create', '', { name: 'antes', bot })
    const deed = { entity: 'bot', action: 'renamevariable', id: bot, input: { variable: 'antes', name: 'meio' } }
    const both = await overtaken(deed, nth, async () => undefined)
    if (both === undefined) break
    expect(both.late, `step ${nth}`).toMatchObject({ ok: true, id: bot })
  }
})

test('creates one dialog with one start block on two nodes, also after its task is removed', async () => {
  const bot = (await bench.must('bot', 'create', '', { name: 'Com tarefas' })).id
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const dialogtask = (await bench.must('dialogtask', 'create', '', { name: `Tarefa ${nth}`, bot })).id
    const deed = { entity: 'dialog', action: 'create', id: '', input: { name: 'Diálogo', dialogtask } }
    const both = await overtaken(deed, nth, () => bench.must('dialogtask', 'remove', dialogtask, CONFIRM))
    if (both === undefined) break
    expect(both.late, `step ${nth}`).toMatchObject({ ok: true, id: both.taken.id })
    expect(await bench.events(`flow-${both.taken.id}`)).toHaveLength(1)
    const types = (await bench.events(`dialog-${both.taken.id}`)).map(({ type }) => type)
    expect(types).toEqual(['DialogCreated', 'DialogRemoved'])
  }
  expect((await verifyLog(bench.store)).findings).toEqual([])
})

test('an import that another node took over does not undo what was drawn behind it', async () => {
  const bot = (await bench.must('bot', 'create', '', { name: 'Desenhado' })).id
  const dialogtask = (await bench.must('dialogtask', 'create', '', { name: 'Tarefa', bot })).id
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const { id } = await bench.must('dialog', 'create', '', { name: `Diálogo ${nth}`, dialogtask })
    const deed = { entity: 'dialog', action: 'importflow', id, input: { flow: flowOf('deles') } }
    const both = await overtaken(deed, nth, () => bench.must('dialog', 'importflow', id, { flow: flowOf('nosso') }))
    if (both === undefined) break
    expect(both.late, `step ${nth}`).toMatchObject({ ok: true, id, revision: 2 })
    expect(Object.keys(exportFlow((await bench.handler.flows.load(id)).doc).operators)).toEqual(['nosso'])
  }
})

test('a process that another node took over and ended is not begun again, and what was done since stays', async () => {
  const bot = (await bench.must('bot', 'create', '', { name: 'Com cópias' })).id
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const { id } = await bench.must('dialogtask', 'create', '', { name: `Original ${nth}`, bot })
    const deed = { entity: 'dialogtask', action: 'duplicate', id, input: { name: `Cópia ${nth}` } }
    let copy = ''
    const both = await overtaken(deed, nth, async made => {
      copy = made
      await bench.must('dialogtask', 'change', copy, { name: `Renomeada ${nth}` })
    })
    if (both === undefined) break
    expect(both.late, `step ${nth}`).toMatchObject({ ok: true, id: copy })
    const types = (await bench.events(`dialogtask-${copy}`)).map(({ type }) => type)
    expect(types).toEqual(['DialogTaskCreated', 'DialogTaskChanged'])
  }
  expect((await verifyLog(bench.store)).findings).toEqual([])
})

test('does not repeat the step of another node over a later change', async () => {
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const bot = (await bench.must('bot', 'create', '', { name: `Variáveis ${nth}` })).id
    const { id } = await bench.must('variable', 'create', '', { name: 'antes', bot })
    const deed = { entity: 'bot', action: 'renamevariable', id: bot, input: { variable: 'antes', name: 'meio' } }
    const both = await overtaken(deed, nth, () => bench.must('variable', 'change', id, { name: 'depois' }))
    if (both === undefined) break
    expect(both.late, `step ${nth}`).toMatchObject({ ok: true, id: bot })
    const names = (await bench.events(`variable-${id}`)).map(({ data }) => (data.fields as Record<string, Json>).name)
    expect(names, `step ${nth}`).toEqual(['antes', 'meio', 'depois'])
  }
})

test('two nodes that come to the same process, one of them in the middle of it, both see it end', async () => {
  for (let nth = 1; nth <= STEPS; nth += STEP) {
    const { id } = await bench.must('bot', 'create', '', { name: `Em obras ${nth}` })
    const { key } = keyed()
    const remove: Command = {
      entity: 'bot',
      action: 'remove',
      id,
      input: CONFIRM,
      key,
      caller: caller(),
      correlation: 'c',
    }
    const late = pausedStore(bench.store, 3, 'any')
    const taker = pausedStore(bench.store, nth, 'any')

    const first = bench.again({ store: late.store }).execute(remove)
    await late.reached
    const now = () => new Date(Date.now() + MINUTE)
    const second = bench.again({ store: taker.store, now }).execute(remove)
    const isStanding = await Promise.race([taker.reached.then(() => true), second.then(() => false)])
    late.release()
    const answer = await first
    taker.release()

    expect([answer, await second], `step ${nth}`).toMatchObject([
      { ok: true, id },
      { ok: true, id },
    ])
    expect((await botsOf(id)).map(({ type }) => type)).toEqual(['BotCreated', 'BotRemoved'])
    const types = (await bench.events(`process-${id}`)).map(({ type }) => type)
    expect(types.filter(type => !type.endsWith('StepDone'))).toEqual(['ProcessStarted', 'ProcessFinished'])
    if (!isStanding) break
  }
  expect((await verifyLog(bench.store)).findings).toEqual([])
})

test('says why it kept a level that was filled during its removal, and empty again right after it [P-2039]', async () => {
  const top = (await bench.must('hierarchy', 'create', '', { name: 'Raiz' })).id
  const by = { caller: caller({ level: top, subtree: new Set([top]) }), correlation: 'c' }
  const id = (await bench.must('hierarchy', 'create', '', { name: 'Ramo', parent: top }, by)).id
  const deed = { entity: 'hierarchy', id, ...by, caller: caller({ level: top, subtree: new Set([top, id]) }) }
  const remove = { ...deed, action: 'remove', input: CONFIRM }
  const counts = [0, 1]
  const node = bench.again({ lookup: { ...bench.lookup, occupants: async () => counts.shift() ?? 0 } })
  expect(await node.execute({ ...deed, action: 'change', input: { name: 'Galho' } })).toMatchObject({ ok: true })

  const shared = keyed()
  const refusal = { ok: false, refusal: { code: 'entity.occupied' } }
  expect(await node.execute({ ...remove, ...shared })).toMatchObject(refusal)

  const types = (await bench.events(`hierarchy-${id}`)).map(({ type }) => type)
  expect(types).toEqual(['HierarchyCreated', 'HierarchyChanged', 'HierarchyRemoved', 'HierarchyRestored'])
  expect(await node.execute({ ...remove, ...keyed() })).toMatchObject({ ok: true })
})

test('removes nothing once more by a seed whose removal was taken back [P-2039]', async () => {
  const top = (await bench.must('hierarchy', 'create', '', { name: 'Raiz dois' })).id
  const by = { caller: caller({ level: top, subtree: new Set([top]) }) }
  const id = (await bench.must('hierarchy', 'create', '', { name: 'Ramo', parent: top }, by)).id
  const within = { caller: caller({ level: top, subtree: new Set([top, id]) }), correlation: 'c', ...seeded() }
  const remove = { entity: 'hierarchy', action: 'remove', id, input: CONFIRM, ...within }
  const counts = [0, 1]
  const first = bench.again({ lookup: { ...bench.lookup, occupants: async () => counts.shift() ?? 0 } })
  expect(await first.execute(remove)).toMatchObject({ ok: false, refusal: { code: 'entity.occupied' } })
  expect(await bench.again().execute(remove)).toMatchObject({ ok: false, refusal: { code: 'entity.conflict' } })
})
