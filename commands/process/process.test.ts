import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { scriptOf } from '#domain/flow/document/document.ts'
import { setTitle } from '#domain/flow/document/edit.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import type { EntityName } from '#schemas/entities/registry.ts'
import type { Commands } from '../command-handler.ts'
import { dyingStore, PowerCut } from '../fixture/memory-store.ts'
import { caller, openWorkbench, type Workbench } from '../fixture/workbench.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { storeAround } from '../store/port.ts'
import { watchProcesses } from './processes.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await openWorkbench()
})
afterAll(() => bench.close())

const make = async (entity: EntityName, input: Parameters<Workbench['must']>[3]) =>
  (await bench.must(entity, 'create', '', input)).id
const statuses = async (ids: readonly string[]) => {
  const types = await Promise.all(ids.map(async stream => (await bench.events(stream)).at(-1)?.type))
  return types.map(type => (type?.endsWith('Removed') ? 'removed' : 'live'))
}
const aBot = async (name: string) => {
  const bot = await make('bot', { name })
  const task = await make('dialogtask', { name: 'Tarefa', bot })
  const dialog = await make('dialog', { name: 'Diálogo', dialogtask: task })
  const handler = await make('handler', { name: 'Handler', dialogtask: task, global: true })
  const variable = await make('variable', { name: 'v', bot })
  const streams = [`bot-${bot}`, `dialogtask-${task}`, `dialog-${dialog}`, `handler-${handler}`, `variable-${variable}`]
  return { bot, task, dialog, handler, streams }
}
const CONFIRM = { confirm: 'CONFIRM' }

describe('removing a bot', () => {
  test('removes what is in it, and bringing it back brings all of that back', async () => {
    const { bot, streams } = await aBot('Tudo')
    await bench.must('bot', 'start', bot)
    await bench.must('bot', 'remove', bot, CONFIRM)
    expect(await statuses(streams)).toEqual(streams.map(() => 'removed'))
    expect(await bench.run('bot', 'remove', bot, CONFIRM)).toMatchObject({ refusal: { code: 'entity.notfound' } })
    await bench.must('bot', 'restore', bot, { revision: 1 })
    expect(await statuses(streams)).toEqual(streams.map(() => 'live'))
    const [, , removed] = await bench.events(`bot-${bot}`)
    expect(removed?.data).toMatchObject({ fields: { runningstatus: 'stopped' }, source: { kind: 'bot', id: bot } })
  })

  test('keeps earlier removals when the bot is restored', async () => {
    const { bot, dialog, streams } = await aBot('Parte')
    await bench.must('dialog', 'remove', dialog, CONFIRM)
    await bench.must('bot', 'remove', bot, CONFIRM)
    await bench.must('bot', 'restore', bot, { revision: 1 })
    expect(await statuses(streams)).toEqual(['live', 'live', 'removed', 'live', 'live'])
  })

  test('refuses to restore a task while its bot is removed, with entity.parent', async () => {
    const { bot, task, streams } = await aBot('Sem bot')
    await bench.must('dialogtask', 'remove', task, CONFIRM)
    await bench.must('bot', 'remove', bot, CONFIRM)
    expect(await bench.run('dialogtask', 'restore', task, { revision: 1 })).toMatchObject({
      refusal: { code: 'entity.parent' },
    })
    expect(await statuses(streams)).toEqual(streams.map(() => 'removed'))
    await bench.must('bot', 'restore', bot, { revision: 1 })
    await bench.must('dialogtask', 'restore', task, { revision: 1 })
    expect(await statuses(streams)).toEqual(streams.map(() => 'live'))
  })

  test('it does not come back while another one has its name, and its contents stay where they are', async () => {
    const { bot, streams } = await aBot('Nome')
    await bench.must('bot', 'remove', bot, CONFIRM)
    const other = await make('bot', { name: 'Nome' })
    expect(await bench.run('bot', 'restore', bot, { revision: 1 })).toMatchObject({
      refusal: { code: 'entity.name.taken' },
    })
    expect(await statuses(streams)).toEqual(streams.map(() => 'removed'))
    await bench.must('bot', 'change', other, { name: 'Outro nome' }, { revision: 1 })
    await bench.must('bot', 'restore', bot, { revision: 1 })
    expect(await statuses(streams)).toEqual(streams.map(() => 'live'))
  })

  test('refuses to remove a global handler alone [C-4.05] [C-8.23]', async () => {
    const { handler } = await aBot('Global')
    expect(await bench.run('handler', 'remove', handler, CONFIRM)).toMatchObject({
      refusal: { code: 'handler.global' },
    })
    await bench.must('handler', 'change', handler, { global: false }, { revision: 1 })
    await bench.must('handler', 'remove', handler, CONFIRM)
  })

  test('killed at any write it is finished by the next start, and until then keeps others out', async () => {
    for (let appends = 1; ; appends += 1) {
      const { bot, task, streams } = await aBot(`Morre ${appends}`)
      const dying = bench.again({ store: dyingStore(bench.store, appends, appends % 2 === 0) })
      const outcome = await remove(dying, bot)
      if (outcome === 'done') {
        expect(appends).toBeGreaterThan(10)
        break
      }
      const next = bench.again()
      const written = (await bench.events(`process-${bot}`)).map(({ type }) => type)
      const begun = written.length > 0
      // It may die after it finished, before it could answer.
      if (begun && !written.includes('ProcessFinished')) {
        const inside = { entity: 'dialog', action: 'create', id: '', input: { name: 'x', dialogtask: task } }
        const refused = await next.execute({ ...inside, caller: caller(), correlation: 'c' })
        expect(refused).toMatchObject({ refusal: { code: 'entity.busy' } })
      }
      await next.resumeProcesses()
      if (!begun) expect(await remove(next, bot)).toBe('done')
      expect(await statuses(streams)).toEqual(streams.map(() => 'removed'))
      expect((await bench.events(`bot-${bot}`)).map(({ type }) => type)).toEqual(['BotCreated', 'BotRemoved'])
      const again = { entity: 'bot', action: 'create', id: '', input: { name: `Morre ${appends}` } }
      expect(await next.execute({ ...again, caller: caller(), correlation: 'c' })).toMatchObject({ ok: true })
    }
  }, 60_000)
})

const remove = async (commands: Commands, id: string): Promise<'done' | 'died'> => {
  const command = { entity: 'bot', action: 'remove', id, input: CONFIRM, caller: caller(), correlation: 'c' }
  try {
    const outcome = await commands.execute(command)
    expect(outcome).toMatchObject({ ok: true })
    return 'done'
  } catch (error) {
    expect(error).toBeInstanceOf(PowerCut)
    return 'died'
  }
}

describe('publishing a task', () => {
  test('is refused until a main dialog is set, then publishes all that is in it [C-4.04]', async () => {
    const { task, dialog, handler } = await aBot('Publica')
    expect(await bench.run('dialogtask', 'publishall', task)).toMatchObject({ refusal: { code: 'task.main' } })
    await bench.must('dialogtask', 'change', task, { principaldialog: dialog }, { revision: 1 })
    await bench.must('dialogtask', 'publishall', task)
    expect((await bench.events(`dialog-${dialog}`)).at(-1)?.type).toBe('DialogPublished')
    expect((await bench.events(`handler-${handler}`)).at(-1)?.type).toBe('HandlerPublished')
    expect((await bench.events(`dialogtask-${task}`)).at(-1)?.type).toBe('DialogTaskPublished')
  })

  test('a main dialog of another task is refused', async () => {
    const { task } = await aBot('Um')
    const { dialog } = await aBot('Outro')
    expect(await bench.run('dialogtask', 'change', task, { principaldialog: dialog }, { revision: 1 })).toMatchObject({
      refusal: { errors: [{ path: 'principaldialog', code: 'reference' }] },
    })
  })
})

describe('duplicating', () => {
  test('a task gets a free name and copies of all that is drawn in it, which refer to one another', async () => {
    const { task, dialog, handler } = await aBot('Copia')
    await bench.must('dialogtask', 'change', task, { principaldialog: dialog }, { revision: 1 })
    await bench.must('dialogtask', 'publishall', task)
    const operators = { a: { type: 'subdialog', title: 'A', top: 0, left: 0, properties: { subScenario: dialog } } }
    await bench.must('dialog', 'importflow', dialog, { flow: { operators, links: {} } })
    await bench.must('handler', 'importflow', handler, { flow: { operators: {}, links: {}, js: 'return 1' } })
    const { id, result } = await bench.must('dialogtask', 'duplicate', task)
    expect(result).toEqual({ id })
    const [created] = await bench.events(`dialogtask-${id}`)
    const fields = created?.data.fields as Record<string, string>
    expect(fields.name).toBe('Tarefa (2)')
    expect(fields.principaldialog).not.toBe(dialog)
    const copy = fields.principaldialog ?? ''
    expect(JSON.stringify(await bench.events(`flow-${copy}`))).toContain('"kind":"duplicate"')
    const { doc } = await bench.handler.flows.load(copy)
    expect(exportFlow(doc).operators).toMatchObject({ a: { properties: { subScenario: copy } } })
    const [script = ''] = await bench.lookup.children('dialogtask', id, 'handler')
    expect(scriptOf((await bench.handler.flows.load(script)).doc).toString()).toBe('return 1')
    // Only the original is published.
    expect((await bench.events(`dialog-${copy}`))[0]?.data.fields).not.toMatchObject({ published: true })
    const { id: second } = await bench.must('dialogtask', 'duplicate', task)
    expect((await bench.events(`dialogtask-${second}`))[0]?.data.fields).toMatchObject({ name: 'Tarefa (3)' })
  })

  test('a name that one gives the copy is kept, or refused where something beside it has it or it is none', async () => {
    const { dialog } = await aBot('Nomes')
    const copied = (name: string) => bench.run('dialog', 'duplicate', dialog, { name })
    expect(await copied('diálogo')).toMatchObject({ refusal: { code: 'entity.name.taken' } })
    for (const name of ['   ', 'x'.repeat(201), 'a\nb'])
      expect(await copied(name)).toMatchObject({ refusal: { errors: [{ path: 'name' }] } })
    const { id } = await bench.must('dialog', 'duplicate', dialog, { name: 'Outro' })
    expect((await bench.events(`dialog-${id}`))[0]?.data.fields).toMatchObject({ name: 'Outro' })
  })
})

describe('replacing texts', () => {
  test('keeps a text changed between plan and step and reports it by flow, block and field', async () => {
    // Given two matching texts, one of which is rewritten once the replacement runs
    const { bot, dialog } = await aBot('Trocas')
    const text = (title: string) => ({ type: 'marker', title, top: 0, left: 0, properties: {} })
    const operators = { a: text('pedido um'), b: text('pedido dois') }
    await bench.must('dialog', 'importflow', dialog, { flow: { operators, links: {} } })
    const author = { seed: 'rui', actor: 'rui', time: '2026-01-01T00:00:00Z', correlation: 'c', causation: null }
    const write = (title: string) =>
      changeFlow(bench.handler.flows, dialog, author, doc => setTitle(doc, 'b', title, 'rui'))
    const append: Workbench['store']['append'] = async (stream, at, events) => {
      const done = await bench.store.append(stream, at, events)
      if (events[0]?.type === 'ProcessStarted') await write('um pedido')
      return done
    }
    const commands = bench.again({ store: storeAround(bench.store, { append }) })

    const hits = ['a', 'b'].map(block => ({ block, path: [], offset: 0 }))
    const input = { text: 'pedido', by: 'compra', flows: [{ id: dialog, hits }] }
    const given = { entity: 'bot', action: 'replacetext', id: bot, caller: caller(), correlation: 'c' }
    const outcome = await commands.execute({ ...given, input })

    const left = [{ kind: 'dialog', id: dialog, name: 'Diálogo', block: 'b', field: 'title' }]
    expect(outcome).toMatchObject({ ok: true, result: { flows: 1, texts: 1, left } })
    const { doc } = await bench.handler.flows.load(dialog)
    expect(exportFlow(doc).operators).toMatchObject({ a: { title: 'compra um' }, b: { title: 'um pedido' } })
    const twice = { ...input, flows: [...input.flows, ...input.flows] }
    expect(await commands.execute({ ...given, input: twice })).toMatchObject({
      refusal: { errors: [{ path: 'flows.1.id', code: 'duplicate' }] },
    })
  })
})

describe('on several nodes', () => {
  beforeAll(async () => {
    bench = await openWorkbench({ isEmbedded: true })
  })

  test('finishes the process of a dead node on another running node', async () => {
    // Given a node that watches, and another one that dies in the middle
    const { bot, streams } = await aBot('Outro nó')
    const alive = bench.again()
    const failed = vi.fn()
    const resume = (root: string) => alive.resumeProcesses(root)
    const stop = watchProcesses({ store: bench.store, resume, failed, still: 500 })
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(await remove(bench.again({ store: dyingStore(bench.store, 6, true) }), bot)).toBe('died')
    // Then it is done soon, and once
    await vi.waitFor(async () => expect(await statuses(streams)).toEqual(streams.map(() => 'removed')), 5_000)
    await vi.waitFor(async () =>
      expect((await bench.events(`process-${bot}`)).at(-1)).toMatchObject({ type: 'ProcessFinished' }),
    )
    await stop()
    expect(failed).not.toHaveBeenCalled()
    expect((await bench.events(`bot-${bot}`)).map(({ type }) => type)).toEqual(['BotCreated', 'BotRemoved'])
  })

  test('finishes once and succeeds on both nodes when another node resumes a running process', async () => {
    const { bot, streams } = await aBot('Dois nós')
    const [one, two] = [bench.again(), bench.again()]
    const removing = remove(one, bot)
    await vi.waitFor(async () => expect((await bench.events(`process-${bot}`)).length).toBeGreaterThan(0), {
      interval: 1,
      timeout: 10_000,
    })
    await two.resumeProcesses(bot)
    expect(await removing).toBe('done')
    expect(await statuses(streams)).toEqual(streams.map(() => 'removed'))
    const types = (await bench.events(`process-${bot}`)).map(({ type }) => type)
    expect(types.filter(type => type === 'ProcessFinished')).toHaveLength(1)
  })
})
