import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { ALERT_PAUSES, nextAlertPause } from '#domain/alert.ts'
import { alertStream, noticeStream } from '#schemas/events/notification.ts'
import type { Result } from '#schemas/refusal.ts'
import { rowOf } from '#test/fixture/row-of.ts'
import { exclusiveDrafts } from '../log/stream-aggregate.ts'
import type { OutboundAnswer, OutboundRequest } from '../outbound/call.ts'
import { Alerts } from './alerts.ts'

const SECRET = 'a secret of sixteen'.replaceAll(' ', '-')
const MINUTE_MS = 60_000
const WAIT = { timeout: 15_000, interval: 5 }

/** Levels: `root` with an address, `shop` below it without, `other` beside without any above. */
const LEVELS = [
  { id: 'root', parent: null, alert_url: 'https://alerts.example/in' },
  { id: 'shop', parent: 'root', alert_url: null },
  { id: 'other', parent: null, alert_url: null },
]
const ROWS: Readonly<Record<string, unknown>> = {
  'channel c1': rowOf('channel', 'c1', { name: 'WhatsApp Loja', hierarchylevel: 'shop' }),
  'channel c2': rowOf('channel', 'c2', { name: 'Sem endereço', hierarchylevel: 'other' }),
  'campaign k1': rowOf('campaign', 'k1', { name: 'Natal', hierarchylevel: 'shop' }),
  'deskqueue q1': rowOf('deskqueue', 'q1', { name: 'SAC', hierarchylevel: 'root' }),
  ...Object.fromEntries(LEVELS.map(level => [`hierarchy ${level.id}`, { ...level, name: level.id }])),
}
const read = {
  detail: async (_: unknown, entity: string, id: string) => ROWS[`${entity} ${id}`],
  levels: async () => LEVELS,
} as unknown as ConstructorParameters<typeof Alerts>[0]['read']

let folder: string
let store: EventStore
let now: number
let calls: OutboundRequest[]
/** Answers of the address, in their order; 200 when there are none. */
let answers: Result<Partial<OutboundAnswer>>[]
let opened: Alerts[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-alerts-'))
  store = await openEmbeddedStore({ folder })
  now = Date.now()
  calls = []
  answers = []
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map(alerts => alerts.close()))
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const status = (code: number, headers: OutboundAnswer['headers'] = []) =>
  ({ ok: true, value: { status: code, headers } }) as const

const open = async (node = 'one'): Promise<Alerts> => {
  const alerts = new Alerts({
    ...{ store, read, node, file: ':memory:', now: () => now, tickMs: 5, publicUrl: () => 'https://parley.example' },
    commands: {
      openFields: async (_, id) => ({ ...LEVELS.find(level => level.id === id), name: id, alert_secret: SECRET }),
    },
    call: async request => {
      calls.push(request)
      return (answers.shift() ?? status(200)) as Result<OutboundAnswer>
    },
    failed: error => {
      throw error
    },
  })
  opened.push(alerts)
  await alerts.begin()
  return alerts
}

const give = (entity: string, id: string, message: string, params: object = {}) => {
  const stream = noticeStream(entity, id)
  const data = { entity, id, message, kind: 'alert', params: { ...params } }
  return appendAtEnd(store, stream, exclusiveDrafts(stream, [{ type: 'NoticeGiven', data }]))
}
const bodyOf = (call: OutboundRequest | undefined) => JSON.parse(call?.body ?? '{}')
const header = (call: OutboundRequest | undefined, name: string) =>
  call?.headers.find(([key]) => key === name)?.[1] ?? ''
const called = (times: number) => vi.waitFor(() => expect(calls).toHaveLength(times), WAIT)
const shows = (alerts: Alerts, expected: readonly object[]) =>
  vi.waitFor(() => expect(alerts.ofLevel('root', 10)).toMatchObject(expected), WAIT)
/** Nothing more is sent in 20 looks. */
const stays = async (times: number) => {
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(calls).toHaveLength(times)
}

test('sends a notice to the nearest level with an address, signed over time and body [P-2700]', async () => {
  const alerts = await open()
  await give('channel', 'c2', 'channel.error', { mark: 'error' })
  await give('channel', 'c1', 'channel.error', { mark: 'error', code: 'unauthorized' })
  await give('deskqueue', 'q1', 'desk.assigned')
  await give('channel', 'c1', 'user.linked', { host: 'id.aurora.example', of: '1' })
  await called(1)
  const [call] = calls
  expect(call).toMatchObject({ method: 'POST', url: 'https://alerts.example/in', maxRedirects: 0 })
  expect(bodyOf(call)).toMatchObject({
    ...{ test: false, kind: 'alert', message: 'channel.error', times: 1, level: { id: 'root', name: 'root' } },
    about: { entity: 'channel', id: 'c1', name: 'WhatsApp Loja' },
    text: { en: 'WhatsApp Loja cannot send or receive messages' },
    link: 'https://parley.example/botadmin/channel/c1',
  })
  const [, seconds = '', given] = /^t=(\d+),v1=([\da-f]{64})$/u.exec(header(call, 'x-parley-signature')) ?? []
  expect(given).toBe(createHmac('sha256', SECRET).update(`${seconds}.${call?.body}`).digest('hex'))
  expect(Math.abs(Number(seconds) * 1000 - now)).toBeLessThan(1_000)
  await stays(1)
  await shows(alerts, [{ message: 'channel.error', tries: 1, status: 200, due: null }])
})

test('sends the reason of a paused campaign in the languages of the console [P-2716]', async () => {
  const alerts = await open()
  await give('campaign', 'k1', 'campaign.paused', { reason: 'template', mark: 'template', of: '1' })
  await called(1)
  expect(bodyOf(calls[0])).toMatchObject({
    about: { entity: 'campaign', id: 'k1', name: 'Natal' },
    params: { reason: 'template' },
    text: {
      en: 'The campaign Natal does not send. It was stopped: the template may not be sent now',
      es: 'La campaña Natal no está enviando. Se detuvo: la plantilla no puede enviarse ahora',
    },
    link: 'https://parley.example/botadmin/campaign/k1',
  })
  // It stops again for the same reason, then for another one.
  await give('campaign', 'k1', 'campaign.paused', { reason: 'template', mark: 'template', of: '2' })
  await give('campaign', 'k1', 'campaign.paused', { reason: 'errors', mark: 'errors', of: '3' })
  await called(2)
  await shows(alerts, [
    { params: { reason: 'errors' }, times: 1 },
    { params: { reason: 'template' }, times: 2 },
  ])
})

test('joins the same notice within 30 minutes, and sends one that says something else [P-2701]', async () => {
  const alerts = await open()
  await give('channel', 'c1', 'channel.error', { mark: 'error' })
  await called(1)
  await give('channel', 'c1', 'channel.error', { mark: 'error' })
  await give('channel', 'c1', 'channel.error', { mark: 'error' })
  await shows(alerts, [{ times: 3 }])
  await stays(1)
  // It worked in between: the second error is news.
  await give('channel', 'c1', 'channel.ok', { mark: 'ok' })
  await give('channel', 'c1', 'channel.error', { mark: 'error' })
  await called(3)
  expect(calls.map(call => bodyOf(call).message).sort()).toEqual(['channel.error', 'channel.error', 'channel.ok'])
  // Also where several have the same millisecond.
  for (let time = 0; time < 10; time++)
    for (const state of ['ok', 'error']) await give('channel', 'c1', `channel.${state}`, { mark: state })
  await called(23)
  // A notice without a state names its change: another change is sent.
  for (const of of ['1', '2', '2']) await give('channel', 'c1', 'metaaccount.limitlowered', { people: 250, of })
  await called(25)
  await stays(25)
})

test('repeats a failed alert after 1 s, 5 s and so on with the same id, and ends after eight attempts [P-2702]', async () => {
  const alerts = await open()
  answers.push(status(500), status(429, [['retry-after', '60']]), ...Array.from({ length: 6 }, () => status(503)))
  await give('channel', 'c1', 'channel.error', { mark: 'error' })
  // The clock decides, not the number of looks.
  await shows(alerts, [{ tries: 1 }])
  await stays(1)
  now += 1_000
  await shows(alerts, [{ tries: 2 }])
  now += 59_000
  await stays(2)
  for (const [at, pause] of [1_000, ...ALERT_PAUSES.slice(2)].entries()) {
    now += pause
    await shows(alerts, [{ tries: 3 + at }])
  }
  expect(calls).toHaveLength(8)
  now += 24 * 60 * MINUTE_MS
  await stays(8)
  expect(new Set(calls.map(call => header(call, 'x-parley-alert'))).size).toBe(1)
  await shows(alerts, [{ tries: 8, status: 503, due: null }])
})

test('gives up at once on a private address, a redirect and 410, and repeats what may pass [P-2702]', () => {
  const refusal = (code: 'outbound.private' | 'outbound.redirects' | 'outbound.unreachable') =>
    nextAlertPause({ status: null, refusal: { code } }, 1)
  expect([refusal('outbound.private'), refusal('outbound.redirects')]).toEqual([undefined, undefined])
  expect(nextAlertPause({ status: 410 }, 1)).toBe(undefined)
  expect(nextAlertPause({ status: 204 }, 1)).toBe(undefined)
  expect(refusal('outbound.unreachable')).toBe(1_000)
  expect(nextAlertPause({ status: 401 }, 2)).toBe(5_000)
  expect(nextAlertPause({ status: 503, retryAfter: 60_000 }, 1)).toBe(60_000)
})

test('is sent by one of two nodes, and by the other one when the first dies in the call [P-2703]', async () => {
  await open('one')
  const two = await open('two')
  await give('channel', 'c1', 'channel.error', { mark: 'error' })
  await called(1)
  await shows(two, [{ status: 200, due: null }])
  await stays(1)
  // A node took an alert and wrote nothing more.
  const stream = alertStream('left')
  const data = { level: 'root', entity: 'channel', entityid: 'c1', name: 'WhatsApp Loja', message: 'channel.ok' }
  const queued = { ...data, kind: 'info', params: {}, time: now, isTest: false }
  const taken = { node: 'gone', until: now + 30_000 }
  await appendAtEnd(
    store,
    stream,
    exclusiveDrafts(stream, [
      { type: 'AlertQueued', data: queued },
      { type: 'AlertTaken', data: taken },
    ]),
  )
  await stays(1)
  now += 30_000
  await called(2)
  await stays(2)
  await shows(two, [
    { status: 200, due: null },
    { status: 200, due: null },
  ])
})
