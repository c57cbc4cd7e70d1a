import { expect, test, vi } from 'vitest'
import { memoryStore } from '#commands/fixture/memory-store.ts'
import type { ReadModels } from '#projections/port.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { rowOf } from '#test/fixture/row-of.ts'
import { BotServices, localServices, ServiceRecord } from './bot-services.ts'

const bot = rowOf('bot', 'b', { runningstatus: 'started', nluenabled: true })
const channels = [
  rowOf('channel', 'c', { type: 'rest', name: 'Loja' }),
  rowOf('channel', 'd', { type: 'rest', enable: false }),
]
const read = { list: async () => ({ items: channels, total: 2, page: 1, size: 100 }) } as unknown as ReadModels
const works = {
  read,
  refusesWrites: () => undefined,
  openLog: async () => undefined,
  loadRelease: async () => undefined,
  isBehind: async () => false,
}
const down = async () => {
  throw new Error('down')
}
const statusesOf = async (parts: Partial<Parameters<typeof localServices>[1]>, of = bot) =>
  (await localServices(of, { ...works, ...parts })).map(({ systemid, status }) => `${systemid} ${status}`)

test('a started bot has a runtime, natural language and its enabled channels; a stopped one nothing [R-94]', async () => {
  expect(await statusesOf({ hasNlu: async () => true })).toEqual(['runtime ready', 'nlu ready', 'rest:c ready'])
  expect(await statusesOf({})).toContain('nlu nlu')
  expect(await statusesOf({}, rowOf('bot', 'b'))).toEqual([])
})

test.each([
  ['store', { refusesWrites: () => 'no' }],
  ['log', { openLog: down }],
  ['release', { loadRelease: down }],
  ['behind', { isBehind: async () => true }],
] as const)('it says %s where that does not work [C-8.17] [R-94]', async (status, parts) => {
  expect(await statusesOf(parts)).toEqual([`runtime ${status}`, 'nlu nlu', `rest:c ${status}`])
})

const NOW = Date.parse('2026-11-30T12:00:00Z')
const serviceDown = (systemid: string, seconds: number) =>
  rowOf('botservice', systemid, {
    ...{ bot: 'b', systemid, state: 'down', status: 'log', revision: 4 },
    modified_at: new Date(NOW - seconds * 1_000).toISOString(),
  })

test('notifies readers of a bot once that its runtime or language is down for a minute [P-2745]', async () => {
  const store = memoryStore()
  const rows = [serviceDown('runtime', 61), serviceDown('nlu', 59), serviceDown('rest:c', 61)]
  const known = {
    list: async (_scope: unknown, entity: string) => ({
      items: entity === 'botservice' ? rows : entity === 'bot' ? [bot] : [],
      ...{ total: 3, page: 1, size: 100 },
    }),
    detail: async (_scope: unknown, entity: string, id: string) =>
      entity === 'botservice' ? rows.find(row => row.id === id) : bot,
    onTouched: () => () => undefined,
  } as unknown as ReadModels
  const record = new ServiceRecord(store, known)
  const hints = {
    listen: () => () => undefined,
    send: () => undefined,
    connected: true,
    onConnected: () => () => undefined,
  }
  const nodes = ['a', 'b'].map(
    node =>
      new BotServices({
        ...{ read: known, node, version: '1', isShared: false, now: () => NOW, mend: async () => 0 },
        hints: hints as never,
        record: {
          put: async () => false,
          remove: async () => false,
          tellDown: (...about) => record.tellDown(...about),
        },
        local: async () => rows.map(({ systemid }) => ({ systemid: String(systemid), name: '', status: 'log' })),
        botLog: { log: () => undefined },
        failed: error => {
          throw error
        },
      }),
  )
  const given = async () => {
    const notices = []
    for await (const { data } of store.read(noticeStream('bot', 'b'))) notices.push(data)
    return notices
  }
  await vi.waitFor(async () => expect(await given()).toHaveLength(1))
  await Promise.all(nodes.map(node => node.close()))
  expect(await given()).toMatchObject([{ message: 'bot.runtimedown', kind: 'alert', params: { code: 'log' } }])
})
