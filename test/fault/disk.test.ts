import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addNode, setTitle } from '#domain/flow/edit.ts'
import { failToStart, type Parley, startParley } from '#test/api/harness.ts'
import { permitted } from '#test/contract/store/permitted.ts'
import { RoomSocket } from './room-socket.ts'
import { BUSY } from './size.ts'

const mayMount = permitted('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })
const LONG = 60_000

let folder: string
let parley: Parley | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  parley = undefined
})
afterEach(async () => {
  await parley?.end('SIGKILL')
  run('umount', folder)
  rmSync(folder, { recursive: true, force: true })
})

const statusOf = async ({ origin }: Parley, path: string) => (await fetch(`${origin}/botadmin/api${path}`)).status

describe.skipIf(!mayMount)('on a full disk', { timeout: LONG }, () => {
  const filler = () => join(folder, 'filler')
  const fill = () => {
    const file = openSync(filler(), 'w')
    try {
      // To the last byte: what is left could still take a small write.
      for (const size of [65_536, 512]) for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break
    } catch {
      // Full.
    }
    closeSync(file)
  }
  beforeEach(() => run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder))

  test('writes are answered 503, reads go on, nothing saved is lost, and with space it goes on by itself', async () => {
    // Given people at work over HTTP and in a room
    parley = await startParley({ folder })
    const admin = await parley.signIn()
    const bot = (await admin.post('/bot', { name: 'Before' })).body
    const dialogtask = (await admin.post('/dialogtask', { name: 'Task', bot: bot.id })).body.id
    const dialog = (await admin.post('/dialog', { name: 'Flow', dialogtask })).body.id
    const ana = new RoomSocket()
    const room = { origin: parley.origin, token: admin.token, dialog }
    await ana.join(room)
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

    // Then writes are refused as what they are, and reading goes on
    expect(refused).toMatchObject({ status: 503, body: { code: 'store.readonly' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await admin.get(`/bot/${bot.id}`)).status).toBe(200)
    expect((await admin.get(`/dialog/${dialog}/flow`)).body.operators.a?.title).toBe('saved')
    ana.edit(doc => setTitle(doc, 'a', 'not saved yet', 'me'))
    await expect.poll(() => ana.closed, { timeout: 10_000 }).toBe(4503)
    expect(ana.saved).toBe(1)

    // And killed on the full disk it starts again, for reading
    await parley.end('SIGKILL')
    parley = await startParley({ folder })
    const headers = { authorization: `Bearer ${admin.token}` }
    for (const id of kept) expect((await parley.anyone.get(`/bot/${id}`, headers)).status).toBe(200)
    expect((await parley.anyone.post('/bot', { name: 'No' }, headers)).body.code).toBe('store.readonly')

    // And with space everything goes on without being started again
    rmSync(filler())
    const taken = async () => (await parley?.anyone.post('/bot', { name: 'After' }, headers))?.status
    await expect.poll(taken, { timeout: 15_000 }).toBe(201)
    await expect.poll(() => statusOf(parley as Parley, '/health/ready'), { timeout: 20_000 }).toBe(200)
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

  test('a gateway that was closed before says so in one line, and starts once the disk can be written', async () => {
    parley = await startParley({ folder })
    const bot = (await (await parley.signIn()).post('/bot', { name: 'Before' })).body
    await parley.end()
    remount('ro')
    const { code, errors } = await failToStart({ PARLEY_DATA: folder })
    remount('rw')
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toHaveLength(1)
    expect(errors).toContain(folder)
    parley = await startParley({ folder })
    expect((await (await parley.signIn()).get(`/bot/${bot.id}`)).status).toBe(200)
  })

  test('a gateway that was killed before serves what there is, refuses writes, and loses nothing', async () => {
    parley = await startParley({ folder })
    const admin = await parley.signIn()
    const bot = (await admin.post('/bot', { name: 'Before' })).body
    await parley.end('SIGKILL')
    remount('ro')
    parley = await startParley({ folder })
    const headers = { authorization: `Bearer ${admin.token}` }
    expect((await parley.anyone.get(`/bot/${bot.id}`, headers)).status).toBe(200)
    const refused = await parley.anyone.post('/bot', { name: 'No' }, headers)
    expect(refused).toMatchObject({ status: 503, body: { code: 'store.readonly' } })
    await parley.end('SIGKILL')
    remount('rw')
    parley = await startParley({ folder })
    expect((await parley.anyone.post('/bot', { name: 'After' }, headers)).status).toBe(201)
    expect((await parley.anyone.get('/bot', headers)).body.total).toBe(2)
  })

  test('a gateway that finds nothing there says so in one line', async () => {
    remount('ro')
    const { code, errors } = await failToStart({ PARLEY_DATA: folder })
    remount('rw')
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toHaveLength(1)
  })
})
