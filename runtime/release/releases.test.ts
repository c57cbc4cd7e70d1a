import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openWorkbench } from '#commands/fixture/workbench.ts'
import { upcast } from '#commands/upcasters/upcast.ts'
import { openReadModels } from '#projections/open-read-models.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { openReleases } from './releases.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const failed = (error: unknown) => {
  throw error
}

const openBench = async () => {
  const bench = await openWorkbench({ isEmbedded: true })
  const folder = await mkdtemp(join(tmpdir(), 'releases-'))
  const { store, handler, must } = bench
  const read = await openReadModels({
    store,
    folder,
    decryptPersonal: async () => undefined,
    allowLevel1DefaultAccess: false,
    upcast,
    log: () => undefined,
  })
  const open = () => openReleases({ store, flows: handler.flows, read, failed })
  const { releases, close } = open()
  closing.push(
    () => bench.close(),
    () => rm(folder, { recursive: true, force: true }),
    () => read.close(),
    close,
  )
  const { id: bot } = await must('bot', 'create', '', { name: 'Loja' })
  const { id: task } = await must('dialogtask', 'create', '', { bot, name: 'Pedidos' })
  const dialog = async (name: string) => (await must('dialog', 'create', '', { dialogtask: task, name })).id
  const made = () => bench.events(`release-${bot}`)
  const isMade = (count: number) => vi.waitFor(async () => expect(await made()).toHaveLength(count), 10_000)
  return { ...bench, releases, close, open, read, bot, task, dialog, made, isMade }
}

test('a release is made at the start and by each publication of a running bot, never twice of the same [R-1]', async () => {
  const { must, bot, dialog, isMade, made, releases } = await openBench()
  const [one, other] = [await dialog('Um'), await dialog('Outro')]
  await must('dialog', 'publish', one)
  expect(await releases.newest(bot)).toBeUndefined()
  await must('bot', 'start', bot)
  await isMade(1)
  expect(await releases.newest(bot)).toMatchObject({ bot, number: 1, dialogs: { [one]: expect.any(Number) } })
  await must('dialog', 'publish', other)
  await isMade(2)
  expect(Object.keys((await releases.newest(bot))?.dialogs ?? {}).sort()).toEqual([one, other].sort())
  await must('bot', 'restart', bot)
  await must('dialog', 'unpublish', one)
  await isMade(3)
  expect(Object.keys((await releases.newest(bot))?.dialogs ?? {})).toEqual([other])
  await must('bot', 'stop', bot)
  await must('dialog', 'unpublish', other)
  await must('dialog', 'publish', one)
  await must('bot', 'start', bot)
  await isMade(4)
  const hashes = (await made()).map(({ data }) => data.hash)
  expect(new Set(hashes).size).toBe(hashes.length - 1)
  expect(hashes[3]).toBe(hashes[0])
})

test('creates one release per publishing process [R-1]', async () => {
  const { must, bot, task, dialog, isMade, made } = await openBench()
  const ids = [await dialog('Um'), await dialog('Dois'), await dialog('Três')]
  await must('bot', 'start', bot)
  await isMade(1)
  await must('dialogtask', 'change', task, { principaldialog: ids[0] ?? null })
  await must('dialogtask', 'publishall', task)
  await isMade(2)
  await new Promise(resolve => setTimeout(resolve, 300))
  const [, second, ...more] = await made()
  expect(more).toEqual([])
  expect(Object.keys(second?.data.dialogs ?? {}).sort()).toEqual(ids.sort())
})

test('an answer comes with the release that its action leads to [P-2009]', async () => {
  const { must, bot, task, dialog, made, releases, read, store, close } = await openBench()
  await must('bot', 'start', bot)
  const first = await dialog('Um')
  await must('dialogtask', 'change', task, { principaldialog: first })
  await close()
  const after = async (entity: string, action: string, id: string, input: JsonObject = {}) => {
    const { id: done } = await must(entity, action, id, input)
    await read.reached(await store.head())
    await releases.made({ entity, action, id: id === '' ? done : id, input, actor: null, correlation: 'test' })
    return (await made()).length
  }
  const before = await after('bot', 'restart', bot)
  expect(await after('dialogtask', 'publishall', task)).toBe(before + 1)
  const { id: version } = await must('version', 'create', '', { bot, name: 'Antes' })
  const second = await dialog('Dois')
  expect(await after('dialog', 'publish', second)).toBe(before + 2)
  expect(await after('version', 'apply', version, { confirm: 'CONFIRM' })).toBe(before + 3)
  expect(Object.keys((await releases.newest(bot))?.dialogs ?? {})).toEqual([first])
  const third = await dialog('Três')
  expect(await after('dialog', 'publish', third)).toBe(before + 4)
  expect(await after('dialog', 'remove', third, { confirm: 'CONFIRM' })).toBe(before + 5)
  const { id: project } = await must('nluproject', 'create', '', { name: 'Pedidos', locale: 'pt' })
  await must('bot', 'change', bot, { nluproject: project })
  await must('nluproject', 'train', project)
  await read.reached(await store.head())
  const started = (await read.detail(SYSTEM_SCOPE, 'nluproject', project))?.training_started_at ?? null
  const model = { hash: 'a'.repeat(64), file: 'b'.repeat(64), figures: {}, evaluation: '', data: '' }
  await must('nluproject', 'finishtraining', project, { started, ...model })
  expect(await after('nluproject', 'setproduction', project, { model: model.hash })).toBe(before + 6)
  expect(await releases.newest(bot)).toMatchObject({ nlumodel: model.hash })
})

test('a change of a bot waits for a release where that has one of its fields [P-2225]', async () => {
  const { must, bot, dialog, made, releases, read, store, close } = await openBench()
  await must('bot', 'start', bot)
  await releases.newest(bot)
  await close()
  const before = (await made()).length
  // A release is due, which no follower makes any more.
  await must('dialog', 'publish', await dialog('Um'))
  const { id: project } = await must('nluproject', 'create', '', { name: 'Pedidos', locale: 'pt' })
  const after = async (input: JsonObject) => {
    await must('bot', 'change', bot, input)
    await read.reached(await store.head())
    await releases.made({ entity: 'bot', action: 'change', id: bot, input, actor: null, correlation: 'test' })
    return (await made()).length
  }
  expect(await after({ description: 'Vendas' })).toBe(before)
  expect(await after({ nluproject: project })).toBe(before + 1)
})

test('reads a release at its own revisions, without later edits [R-6]', async () => {
  const { must, bot, dialog, isMade, releases } = await openBench()
  const id = await dialog('Um')
  const { id: handler } = await must('handler', 'create', '', {
    dialogtask: (await must('dialogtask', 'create', '', { bot, name: 'T' })).id,
    name: 'soma',
  })
  await must('dialog', 'publish', id)
  await must('handler', 'publish', handler)
  await must('bot', 'start', bot)
  await isMade(1)
  const before = await releases.compiled(bot, 1)
  expect(before.handlers.get(handler)).toMatchObject({ name: 'soma' })
  const text = { type: 'text', title: 'Novo', top: 300, left: 0, properties: { text: 'Olá' } }
  await must('dialog', 'importflow', id, { flow: { operators: { novo: text }, links: {} } })
  expect(await releases.compiled(bot, 1)).toBe(before)
  expect(before.dialogs.get(id)?.blocks.has('novo')).toBe(false)
  await must('dialog', 'publish', id)
  await isMade(2)
  const after = await releases.compiled(bot, 2)
  expect([...(after.dialogs.get(id)?.blocks.values() ?? [])].map(({ title }) => title)).toContain('Novo')
  expect((await releases.compiled(bot, 1)).dialogs.get(id)?.revision).toBe(before.dialogs.get(id)?.revision)
  await expect(releases.compiled(bot, 3)).rejects.toThrow('no release 3')
})

test('releases pending publications when a node starts, and writes them once with two nodes', async () => {
  const { must, bot, dialog, isMade, made, open, read, store, close } = await openBench()
  await must('bot', 'start', bot)
  await isMade(1)
  await close()
  await must('dialog', 'publish', await dialog('Um'))
  await read.reached(await store.head())
  expect(await made()).toHaveLength(1)
  const nodes = [open(), open()]
  for (const node of nodes) closing.push(node.close)
  await isMade(2)
  await must('dialog', 'publish', await dialog('Dois'))
  await isMade(3)
  await read.reached(await store.head())
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(await made()).toHaveLength(3)
})
