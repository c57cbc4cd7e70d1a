import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import { CampaignNotices } from './campaign-notices.ts'
import type { StatusCount } from './run-queries.ts'

const HOUR_MS = 3_600_000

let folder: string
let store: EventStore
let now: number
let run: string
let counts: readonly StatusCount[]
let optOuts: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-notices-'))
  store = await openEmbeddedStore({ folder })
  now = Date.now()
  run = 'r1'
  counts = []
  optOuts = 0
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const node = () =>
  new CampaignNotices({
    console: store,
    commands: { openFields: async () => ({ run, run_started_at: '2026-11-29T12:00:00.000Z' }) },
    countsOf: async () => counts,
    optOutsOf: async () => optOuts,
    now: () => now,
  })
const counted = (state: StatusCount['state'], count: number) =>
  ({ status: 'unknown', state, reason: null, count, held: 0 }) as StatusCount
/** A change of the campaign, as its log has it. */
const change = async (type: string, fields: JsonObject): Promise<StoredEvent> => {
  await appendAtEnd(store, 'campaign-c1', exclusiveDrafts('campaign-c1', [{ type, data: { fields } }]))
  for await (const event of store.read('campaign-c1', { direction: 'backwards', limit: 1 })) return event
  throw new Error('nothing was stored')
}
const given = async () => {
  const notices: (readonly [message: unknown, kind: unknown, params: JsonObject])[] = []
  for await (const { data } of store.read(noticeStream('campaign', 'c1'))) {
    const { of, ...params } = data.params as JsonObject
    notices.push([data.message, data.kind, params])
  }
  return notices
}

test('gives one notice of a pause over all nodes, and none of a pause by a person [P-2716]', async () => {
  const nodes = [node(), node()]
  const hear = async (event: StoredEvent) => {
    await Promise.all(nodes.map(each => each.hear('c1', event)))
    await nodes[0]?.hear('c1', event)
  }
  for (const reason of ['person', 'disabled'])
    await hear(await change('CampaignHeld', { run_status: 'paused', run_reason: reason }))
  expect(await given()).toEqual([])
  await hear(await change('CampaignHeld', { run_status: 'paused', run_reason: 'template' }))
  await hear(await change('CampaignResumed', { run_status: 'running', run_reason: null }))
  expect(await given()).toEqual([['campaign.paused', 'alert', { reason: 'template', mark: 'template' }]])
  // It stops again for the same reason: another change.
  await hear(await change('CampaignHeld', { run_status: 'paused', run_reason: 'template' }))
  expect(await given()).toHaveLength(2)
})

test('gives one notice of a wait of an hour, also on a node that started during it [P-2716]', async () => {
  const [first, second] = [node(), node()]
  await first.look('c1')
  const waiting = await change('CampaignWaiting', { run_status: 'waiting', run_reason: 'limit' })
  await first.hear('c1', waiting)
  now = Date.parse(waiting.time) + HOUR_MS - 1
  await first.look('c1')
  // The run sends, and waits again.
  await first.hear('c1', await change('CampaignRunning', { run_status: 'running', run_reason: null }))
  now += 2 * HOUR_MS
  await first.look('c1')
  expect(await given()).toEqual([])
  const again = await change('CampaignWaiting', { run_status: 'waiting', run_reason: 'window' })
  await first.hear('c1', again)
  now = Date.parse(again.time) + HOUR_MS
  for (const each of [first, second, first, second]) await each.look('c1')
  expect(await given()).toEqual([['campaign.waiting', 'warn', { reason: 'window', mark: 'window' }]])
})

test('gives a notice of an end with its numbers, and one of messages with unknown outcome [P-2716]', async () => {
  const notices = node()
  counts = [counted('delivered', 95), counted('read', 2), counted('failed', 2), counted('unknown', 1)]
  await notices.hear('c1', await change('CampaignEnded', { run_status: 'cancelled' }))
  expect(await given()).toEqual([])
  const ended = await change('CampaignEnded', { run_status: 'completed' })
  for (const each of [notices, node()]) await each.hear('c1', ended)
  expect(await given()).toEqual([
    ['campaign.completed', 'info', { sent: 97, total: 100, mark: 'r1' }],
    ['campaign.unknown', 'warn', { count: 1, mark: 'r1' }],
  ])
  counts = [counted('delivered', 3), counted('waiting', 7)]
  run = 'r2'
  await notices.hear('c1', await change('CampaignEnded', { run_status: 'expired' }))
  await notices.hear('c1', await change('CampaignChanged', { name: 'Natal' }))
  expect((await given()).at(-1)).toEqual(['campaign.expired', 'warn', { sent: 3, total: 10, mark: 'r2' }])
})

test('gives one notice of opt-outs by more than 2 % of the people of a run [P-2716]', async () => {
  counts = [counted('delivered', 100), counted('failed', 50)]
  const nodes = [node(), node()]
  for (optOuts of [1, 2, 3, 4]) await Promise.all(nodes.map(each => each.optedOut('c1')))
  expect(await given()).toEqual([['campaign.optouts', 'warn', { count: 3, sent: 100, mark: 'r1' }]])
  counts = []
  await node().optedOut('c1')
  expect(await given()).toHaveLength(1)
})
