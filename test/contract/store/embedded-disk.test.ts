import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type EventStore, StoreReadOnly } from '#commands/store/port.ts'
import { startWriting } from './child-process.ts'
import { newEvent, newEvents, revisions } from './event.ts'
import { permitted } from './permitted.ts'
import { Recorder } from './recorder.ts'

const MEBIBYTE = 1024 * 1024
const mayMount = permitted('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(process.env.PARLEY_DISK ?? tmpdir(), 'parley-store-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (command: string, ...args: string[]) => execFileSync(command, args)
const large = () => newEvent('FlowChanged', { text: 'x'.repeat(100_000) })

/** Appends until the disk is full. @returns the last revision that was acknowledged */
async function appendUntilFull(store: EventStore, stream: string): Promise<number> {
  let revision = await store.revision(stream)
  for (;;) {
    try {
      revision = (await store.append(stream, revision, [large()])).revision
    } catch (error) {
      expect(error).toBeInstanceOf(StoreReadOnly)
      expect(String(error)).toMatch(/nothing was written$/)
      return revision
    }
  }
}

describe.skipIf(!mayMount)('On a full disk', () => {
  const filler = () => join(folder, 'filler')

  beforeEach(async () => {
    run('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder)
    await writeFile(filler(), Buffer.alloc(3 * MEBIBYTE))
  })
  afterEach(() => run('umount', folder))

  it('refuses appends, keeps reading, loses nothing acknowledged, and writes again with space', async () => {
    const store = await openEmbeddedStore({ folder })
    const recorder = new Recorder(store)
    const revision = await appendUntilFull(store, 'bot-1')
    expect(revision).toBeGreaterThan(3)
    const all = Array.from({ length: revision }, (_, n) => n + 1)
    expect(await revisions(store.read('bot-1'))).toEqual(all)
    await recorder.until(({ events }) => events.length === revision)
    await expect(store.append('bot-1', revision, [large()])).rejects.toThrow(StoreReadOnly)
    await rm(filler())
    await store.probe()
    expect((await store.append('bot-1', revision, [large()])).revision).toBe(revision + 1)
    await recorder.until(({ events }) => events.length === revision + 1)
    await store.close()
    const again = await openEmbeddedStore({ folder })
    expect(await revisions(again.read('bot-1'))).toEqual([...all, revision + 1])
    await again.close()
  })

  it('a store opens for reading, and with space it takes writes without being opened again', async () => {
    const first = await openEmbeddedStore({ folder })
    await first.append('bot-1', 0, newEvents(3))
    await first.close()
    await writeFile(join(folder, 'more'), Buffer.alloc(8 * MEBIBYTE)).catch(() => undefined)
    const store = await openEmbeddedStore({ folder })
    expect(await revisions(store.read('bot-1'))).toEqual([1, 2, 3])
    await expect(store.append('bot-1', 3, newEvents(1))).rejects.toThrow(StoreReadOnly)
    await rm(join(folder, 'more'))
    await store.append('bot-1', 3, newEvents(1))
    expect(await revisions(store.read('bot-1'))).toEqual([1, 2, 3, 4])
    await store.close()
  })
})

describe.skipIf(!mayMount)('In a read-only folder', () => {
  const remount = (mode: 'ro' | 'rw') => run('mount', '-o', `remount,bind,${mode}`, folder)

  beforeEach(() => run('mount', '--bind', folder, folder))
  afterEach(() => run('umount', folder))

  it('a store opens for reading, refuses writes and a second store, and writes once the folder can be written', async () => {
    const first = await openEmbeddedStore({ folder })
    await first.append('bot-1', 0, newEvents(3))
    const { id } = first
    await first.close()
    remount('ro')
    const store = await openEmbeddedStore({ folder })
    expect(store.id).toBe(id)
    const recorder = new Recorder(store)
    await recorder.untilCaughtUp()
    expect(await revisions(store.read('bot-1'))).toEqual([1, 2, 3])
    await expect(store.append('bot-1', 3, newEvents(1))).rejects.toThrow(StoreReadOnly)
    await expect(store.probe()).rejects.toThrow(StoreReadOnly)
    remount('rw')
    await expect(openEmbeddedStore({ folder })).rejects.toThrow(/in use/)
    await store.append('bot-1', 3, newEvents(1))
    expect(await revisions(store.read('bot-1'))).toEqual([1, 2, 3, 4])
    await recorder.until(({ events }) => events.length === 4)
    await store.close()
  })

  it('reads events written before a crash', async () => {
    const writing = startWriting([folder, 1, 0])
    await writing.until(lines => lines.length > 20)
    writing.process.kill('SIGKILL')
    await writing.ended
    const acknowledged = Number(writing.lines.at(-1)?.split(' ')[2])
    remount('ro')
    const store = await openEmbeddedStore({ folder })
    expect((await revisions(store.read('bot-0'))).length).toBeGreaterThanOrEqual(acknowledged)
    await store.close()
  })

  it('no store is made', async () => {
    remount('ro')
    await expect(openEmbeddedStore({ folder })).rejects.toThrow(StoreReadOnly)
  })
})
