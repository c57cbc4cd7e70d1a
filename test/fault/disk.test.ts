import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addNode, setTitle } from '#domain/flow/document/edit.ts'
import { failToStart } from '#test/api/harness.ts'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'
import { permitted } from '#test/contract/store/permitted.ts'
import { freePort } from '#test/doubles/free-port.ts'
import { RoomSocket } from './room-socket.ts'
import { BUSY } from './size.ts'

/** On a disk: `npm test` has its other folders in memory. */
const DISK = process.env.PARLEY_DISK ?? tmpdir()
const mayMount = permitted('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')
const mayFreeze = permitted('sh', '-c', 'f=$(mktemp -p "$0") && chattr +i "$f" && chattr -i "$f" && rm "$f"', DISK)
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })
const LONG = 60_000

let folder: string
let parley: HostedParley | undefined
beforeEach(() => {
  folder = mkdtempSync(join(DISK, 'parley-disk-'))
  parley = undefined
})
afterEach(async () => {
  await parley?.stop()
  run('umount', folder)
  rmSync(folder, { recursive: true, force: true })
})

const statusOf = async ({ origin }: HostedParley, path: string) => (await fetch(`${origin}/botadmin/api${path}`)).status

/** A flow, and a user in its room. */
const atWork = async ({ origin, signIn }: HostedParley) => {
  const admin = await signIn()
  const bot = (await admin.post('/bot', { name: 'Before' })).body
  const dialogtask = (await admin.post('/dialogtask', { name: 'Task', bot: bot.id })).body.id
  const dialog = (await admin.post('/dialog', { name: 'Flow', dialogtask })).body.id
  const room = { origin, token: admin.token, dialog }
  const ana = new RoomSocket()
  await ana.join(room)
  return { admin, bot, dialog, room, ana }
}

describe.skipIf(!mayMount)('on a full disk', { timeout: LONG }, () => {
  const filler = () => join(folder, 'filler')
  const fill = () => {
    const file = openSync(filler(), 'w')
    try {
      // To the last byte: any space left could take a small write.
      for (const size of [65_536, 512]) for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break
    } catch {
      // Full.
    }
    closeSync(file)
  }
  beforeEach(() => run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder))

  test('answers writes with 503, keeps reading, loses nothing saved, and recovers automatically with space', async () => {
    // Given people at work over HTTP and in a room
    parley = await openParley({ folder })
    const { admin, bot, dialog, room, ana } = await atWork(parley)
    ana.edit(doc => addNode(doc, { id: 'a', type: 'text', title: 'saved', x: 0, y: 0 }, 'me'))
    await expect.poll(() => ana.saved, BUSY).toBe(1)

    // When the disk is full
    fill()
    const kept: string[] = []
    let refused = await admin.post('/bot', { name: 'One 0' })
    for (let n = 1; refused.status === 201; n++) {
      kept.push(refused.body.id)
      refused = await admin.post('/bot', { name: `One ${n}` })
    }

    // Then writes fail with the right error, and reads continue
    expect(refused).toMatchObject({ status: 503, body: { code: 'store.readonly' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await expect.poll(() => statusOf(parley as HostedParley, '/health/ready'), BUSY).toBe(503)
    expect((await admin.get(`/bot/${bot.id}`)).status).toBe(200)
    expect((await admin.get(`/dialog/${dialog}/flow`)).body.operators.a?.title).toBe('saved')
    ana.edit(doc => setTitle(doc, 'a', 'not saved yet', 'me'))
    await expect.poll(() => ana.closed, { timeout: 10_000 }).toBe(4503)
    expect(ana.saved).toBe(1)

    // And killed on the full disk it starts again, for reading
    await parley.kill()
    parley = await openParley({ folder })
    const headers = { authorization: `Bearer ${admin.token}` }
    for (const id of kept) expect((await parley.anyone.get(`/bot/${id}`, headers)).status).toBe(200)
    expect((await parley.anyone.post('/bot', { name: 'No' }, headers)).body.code).toBe('store.readonly')

    // And with free space everything works without a restart
    rmSync(filler())
    const taken = async () => (await parley?.anyone.post('/bot', { name: 'After' }, headers))?.status
    await expect.poll(taken, { timeout: 15_000 }).toBe(201)
    await expect.poll(() => statusOf(parley as HostedParley, '/health/ready'), { timeout: 20_000 }).toBe(200)
    expect((await parley.anyone.get('/bot?name=After', headers)).body.total).toBe(1)
    await ana.join({ ...room, origin: parley.origin })
    await expect.poll(() => ana.saved, BUSY).toBe(2)
    const flow = (await parley.anyone.get(`/dialog/${dialog}/flow`, headers)).body
    expect(flow.operators.a?.title).toBe('not saved yet')
    ana.leave()
  })
})

describe.skipIf(!mayMount)('on a read-only disk', { timeout: LONG }, () => {
  const remount = (mode: 'ro' | 'rw') => run('mount', '-o', `remount,bind,${mode}`, folder)
  beforeEach(() => run('mount', '--bind', folder, folder))

  /** Starts a gateway on a disk that can only be read, which it may write in the end. */
  const startWaiting = async (bot: string): Promise<HostedParley> => {
    remount('ro')
    const port = await freePort()
    const starting = openParley({ folder, env: { PORT: String(port), LOG_LEVEL: 'warn' } })
    const base = `http://127.0.0.1:${port}/botadmin/api`
    // It lives, says what it waits for, and takes nothing
    const live = () =>
      fetch(`${base}/health/live`).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(live, BUSY).toBe(200)
    expect((await fetch(`${base}/health/ready`)).status).toBe(503)
    expect(await (await fetch(`${base}/bot/${bot}`)).json()).toMatchObject({ code: 'store.readonly' })
    // And it continues once the disk is writable
    remount('rw')
    const started = await starting
    expect(started.log()).toContain(`${folder} lies on a read-only disk`)
    return started
  }

  test('waits with a notice after a kill or stop, and recovers automatically', async () => {
    parley = await openParley({ folder })
    const bot = (await (await parley.signIn()).post('/bot', { name: 'Before' })).body.id
    for (const end of ['kill', 'stop'] as const) {
      await parley[end]()
      parley = await startWaiting(bot)
      const admin = await parley.signIn()
      expect((await admin.get(`/bot/${bot}`)).status).toBe(200)
      expect((await admin.post('/bot', { name: `After ${end}` })).status).toBe(201)
      expect(await statusOf(parley, '/health/ready')).toBe(200)
    }
  })

  test('a gateway that finds nothing there says so in one line', async () => {
    remount('ro')
    const { code, errors } = await failToStart({ PARLEY_DATA: folder })
    remount('rw')
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toHaveLength(1)
  })
})

/**
 * A mounted disk does not turn read-only while files there are open for writing; immutable files refuse writes as it
 * does. SQLite's memory-mapped files are excluded: a write there would end the process, as on a broken disk.
 */
describe.skipIf(!mayMount || !mayFreeze)('on a disk that turns read-only under it', { timeout: LONG }, () => {
  const change = (mode: '+i' | '-i') => run('find', folder, '!', '-name', '*-shm', '-exec', 'chattr', mode, '{}', '+')
  beforeEach(() => run('mount', '--bind', folder, folder))

  test('a gateway refuses writes, is not ready, serves what there is, and heals with the disk', async () => {
    // Given a user at work
    parley = await openParley({ folder })
    const { admin, dialog, room, ana } = await atWork(parley)
    try {
      // When nothing there can be changed any more
      change('+i')
      expect(await admin.post('/bot', { name: 'No' })).toMatchObject({ status: 503, body: { code: 'store.readonly' } })
      // Then it reports that, and reads work
      expect(await statusOf(parley, '/health/ready')).toBe(503)
      expect(await statusOf(parley, '/health/live')).toBe(200)
      expect((await admin.get('/bot')).body.total).toBe(1)
      ana.edit(doc => addNode(doc, { id: 'a', type: 'text', title: 'kept', x: 0, y: 0 }, 'me'))
      await expect.poll(() => ana.closed, BUSY).toBe(4503)
      expect(ana.saved).toBe(0)
    } finally {
      change('-i')
    }
    // And when it can be written again, nobody has to do anything
    await expect.poll(() => statusOf(parley as HostedParley, '/health/ready'), BUSY).toBe(200)
    expect((await admin.post('/bot', { name: 'After' })).status).toBe(201)
    expect((await admin.get('/bot')).body.total).toBe(2)
    await ana.join(room)
    await expect.poll(() => ana.saved, BUSY).toBe(1)
    expect((await admin.get(`/dialog/${dialog}/flow`)).body.operators.a?.title).toBe('kept')
    ana.leave()
  })
})
