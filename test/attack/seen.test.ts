import { expect, test } from 'vitest'
import { addNode } from '#domain/flow/document/edit.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { RoomSocket } from '../fault/room-socket.ts'
import { LogWatch } from './log-watch.ts'

const { parley, admin } = await openAdmin({ env: { LOG_LEVEL: 'debug' } })

const figure = async (name: string): Promise<number> => {
  const { text } = await parley.anyone.get('/metrics')
  const line = text.split('\n').find(one => one.startsWith(name))
  if (line === undefined) throw new Error(`There is no ${name}`)
  return Number(line.split(' ').at(-1))
}
const lines = () =>
  parley
    .log()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, unknown>)

test('one correlation leads from the request over the log line to the event, and back in the answer', async () => {
  const chosen = 'click-4711-aaaa'
  const made = await admin.post('/codesample', { name: 'Visto' }, { 'x-correlation-id': chosen })
  expect(made.headers.get('x-correlation-id')).toBe(chosen)
  await expect
    .poll(() => lines().filter(({ correlation }) => correlation === chosen))
    .toMatchObject([
      { msg: 'written', entity: 'codesample', action: 'create', id: made.body.id, revision: 1, shown: true },
      { msg: 'answered', method: 'POST', status: 201 },
    ])
  const watch = new LogWatch(parley.folder)
  expect(watch.of(chosen)).toMatchObject([{ type: 'CodeSampleCreated', stream: `codesample-${made.body.id}` }])
  watch.close()
  // Without one, or with one that could forge a line, it is made.
  for (const header of ['', 'a b"\\n{}', 'x'.repeat(65)]) {
    const { headers } = await admin.post('/codesample', { name: '' }, { 'x-correlation-id': header })
    expect(headers.get('x-correlation-id')).toMatch(/^[\da-f-]{36}$/)
  }
  const refused = await admin.post('/codesample', {})
  await expect
    .poll(() => lines().find(({ correlation }) => correlation === refused.headers.get('x-correlation-id')))
    .toMatchObject({ msg: 'answered', status: 422, route: '/botadmin/api/codesample' })
})

test('the figures answer whether anything is behind or failing', async () => {
  expect(await figure('parley_ready')).toBe(1)
  expect(await figure('parley_projection_lag_events')).toBe(0)
  expect(await figure('parley_store_appends_total{outcome="written"}')).toBeGreaterThan(0)
  expect(await figure('parley_store_append_seconds_count')).toBeGreaterThan(0)
  expect(await figure('parley_sign_ins_total{outcome="accepted"}')).toBe(1)
  await parley.anyone.post('/auth/login', { username: 'admin', password: 'wrong' })
  expect(await figure('parley_sign_ins_total{outcome="refused"}')).toBe(1)
  // Two users in a room: stored, relayed and refused messages
  const { dialog } = await admin.createDialog({ name: 'Bot' }, 'Tarefa', 'Diálogo')
  const [ana, rui] = [new RoomSocket(), new RoomSocket()]
  for (const one of [ana, rui]) await one.join({ origin: parley.origin, token: admin.token, dialog })
  expect([await figure('parley_rooms'), await figure('parley_room_connections')]).toEqual([1, 2])
  ana.edit(doc => addNode(doc, { id: 'n', type: 'text', title: 'n', x: 0, y: 0 }, 'me'))
  await expect.poll(() => ana.saved).toBeGreaterThan(0)
  await expect.poll(() => figure('parley_room_stored_seconds_count')).toBeGreaterThan(0)
  await expect.poll(() => figure('parley_room_deliveries_total')).toBeGreaterThan(0)
  ana.edit(doc => doc.getMap('intruder').set('a', 1))
  await expect.poll(() => ana.closed).toBe(4400)
  expect(await figure('parley_room_rejected_frames_total')).toBe(1)
  await expect.poll(() => lines().find(({ msg }) => msg === 'a room refused a message')).toMatchObject({ flow: dialog })
  rui.leave()
})

test('a gateway that closes answers 503 draining first', async () => {
  const stopped = parley.stop()
  const seen: string[] = []
  await expect
    .poll(
      async () => {
        const answer = await parley.anyone.get('/health/ready').catch(() => undefined)
        if (answer !== undefined) seen.push(`${answer.status} ${answer.text.trim()}`)
        return seen.includes('503 draining')
      },
      { interval: 5 },
    )
    .toBe(true)
  await stopped
})
