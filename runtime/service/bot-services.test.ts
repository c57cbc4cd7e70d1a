import { expect, test } from 'vitest'
import type { ReadModels } from '#projections/port.ts'
import { rowOf } from '#test/fixture/row-of.ts'
import { localServices } from './bot-services.ts'

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
