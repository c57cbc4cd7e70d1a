import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addNode, setTitle } from '#domain/flow/document/edit.ts'
import { type Client, discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { readLog } from './read-log.ts'
import { RoomSocket } from './room-socket.ts'

const DAY = 24 * 3_600_000
const LONG = 60_000
/** A write shown, an edit saved: milliseconds on an idle machine, and not a day. */
const SOON = { timeout: 8000 }

let clock: string
let parley: ParleyProcess
let admin: Client
let dialog: string
const env = (): Record<string, string> => ({
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts'))}`,
  PARLEY_TEST_CLOCK: clock,
  // Sessions outlive the jumps; the log is sealed on both sides of each.
  SESSION_HOURS: '96',
  SEAL_EVENTS: '10',
})

const jump = async (ahead: number) => {
  writeFileSync(`${clock}.new`, String(ahead))
  renameSync(`${clock}.new`, clock)
  await pause(100)
}

beforeAll(async () => {
  clock = join(mkdtempSync(join(tmpdir(), 'parley-clock-')), 'ahead')
  writeFileSync(clock, '0')
  parley = await startParley({ env: env() })
  admin = await parley.signIn()
  const bot = (await admin.post('/bot', { name: 'Bot' })).body.id
  const dialogtask = (await admin.post('/dialogtask', { name: 'Task', bot })).body.id
  dialog = (await admin.post('/dialog', { name: 'Flow', dialogtask })).body.id
}, LONG)
afterAll(async () => {
  await discard(parley)
  rmSync(join(clock, '..'), { recursive: true, force: true })
})

const ago = async (bot: string) => Date.now() - Date.parse(String((await admin.get(`/bot/${bot}`)).body.created_at))

describe.each([
  ['a day on', DAY],
  ['a day back', -DAY],
  ['to what it was', 0],
])('the clock jumps %s', (name, ahead) => {
  test(
    'amid work: writes are shown, edits are saved, tickets and keys hold, people sign in',
    async () => {
      const [ana, joao] = [new RoomSocket(), new RoomSocket()]
      const room = { origin: parley.origin, token: admin.token, dialog }
      await Promise.all([ana.join(room), joao.join(room)])
      ana.edit(doc => addNode(doc, { id: name, type: 'text', title: 'before', x: 0, y: 0 }, 'me'))
      await expect.poll(() => ana.saved, SOON).toBe(ana.made)
      const key = { 'idempotency-key': name.replaceAll(' ', '-') }
      const first = await admin.post('/bot', { name: `Before ${name}` }, key)
      const { ticket } = (await admin.post('/realtime/ticket')).body
      for (let n = 0; n < 5; n++) await parley.anyone.post('/auth/login', { username: `nobody ${n}`, password: 'x' })

      await jump(ahead)

      // All users stay connected, and their edits are saved as before.
      ana.edit(doc => setTitle(doc, name, 'after', 'me'))
      joao.edit(doc => setTitle(doc, name, 'and joao', 'me'))
      await expect.poll(() => [ana.saved, joao.saved], SOON).toEqual([ana.made, joao.made])
      expect([ana.closed, joao.closed]).toEqual([undefined, undefined])
      // A write is shown at once, with the time of the clock.
      const made = await admin.post('/bot', { name: `After ${name}` })
      expect(made.status).toBe(201)
      expect((await admin.get('/bot?size=1')).body.items[0]?.id).toBe(made.body.id)
      expect(Math.abs((await ago(made.body.id)) + ahead)).toBeLessThan(LONG)
      if (ahead < 0) expect((await admin.post('/bot', { name: `Before ${name}` }, key)).body).toEqual(first.body)
      expect((await parley.signIn()).token).not.toBe('')
      const url = `${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?ticket=${ticket}`
      expect(await entered(url)).toBe('open')
      expect((await fetch(`${parley.origin}/botadmin/api/health/ready`)).status).toBe(200)
      for (const socket of [ana, joao]) socket.leave()
    },
    LONG,
  )

  test(
    'and a gateway that starts under it finds everything',
    async () => {
      const bots = (await admin.get('/bot')).body.total
      await parley.end('SIGKILL')
      parley = await startParley({ folder: parley.folder, env: env() })
      admin = await parley.signIn()
      expect((await admin.get('/bot')).body.total).toBe(bots)
    },
    LONG,
  )
})

test(
  'the log that was written under all of them holds, and is in its order',
  async () => {
    const history = (await admin.get(`/dialog/${dialog}/flow/history?size=100`)).body.items
    const revisions = history.map(({ revision }) => Number(revision))
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other))
    await parley.end()
    expect(await readLog(parley.folder)).toMatchObject({ amiss: 0 })
  },
  LONG,
)

const entered = (url: string) =>
  new Promise<number | 'open'>(resolve => {
    const socket = new WebSocket(url)
    socket.addEventListener('message', () => {
      resolve('open')
      socket.close()
    })
    socket.addEventListener('close', ({ code }) => resolve(code))
  })
