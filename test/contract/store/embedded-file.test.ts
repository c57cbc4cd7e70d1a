import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { networkName } from '#commands/store/embedded/folder-lock.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { StoreCorrupt, StoreUnavailable } from '#commands/store/port.ts'
import { isFull } from '#test/fixture/full.ts'
import { startWriting } from './child-process.ts'
import { newEvent, newEvents, revisions } from './event.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-store-'))
  file = join(folder, 'events.sqlite')
})
afterEach(() => rm(folder, { recursive: true }))

const fill = async (events = 400) => {
  const store = await openEmbeddedStore({ folder })
  await store.append('bot-1', 0, newEvents(events))
  await store.close()
}
const change = (sql: string) => {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}
const refusal = async () => {
  const error = await openEmbeddedStore({ folder }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StoreCorrupt)
  const { message } = error as StoreCorrupt
  expect(message).toContain(file)
  expect(message).not.toContain('\n')
  return message
}

describe('The file of the embedded store', () => {
  it('is the owner’s alone, in a folder that is the owner’s alone', async () => {
    const store = await openEmbeddedStore({ folder: join(folder, 'deep', 'data') })
    await store.append('bot-1', 0, newEvents(1))
    expect((await stat(join(folder, 'deep', 'data'))).mode & 0o777).toBe(0o700)
    for (const name of await readdir(join(folder, 'deep', 'data'))) {
      if (name.startsWith('events')) expect((await stat(join(folder, 'deep', 'data', name))).mode & 0o077).toBe(0)
    }
    await store.close()
  })

  it('of a newer version is refused', async () => {
    await fill()
    change('PRAGMA user_version=2')
    expect(await refusal()).toMatch(/newer Parley \(format 2, this one reads 1\)$/)
  })

  it('of another program is refused and left as it is', async () => {
    change('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)')
    const before = await readFile(file)
    expect(await refusal()).toMatch(/belongs to another program$/)
    expect(await readFile(file)).toEqual(before)
  })

  it('with other tables is refused', async () => {
    await fill()
    change('DROP INDEX event_id')
    expect(await refusal()).toMatch(/does not have the tables/)
  })

  it.each(['', 'no database at all', `no database at all${' '.repeat(200)}`])(
    'that is none is refused: "%s"',
    async text => {
      await writeFile(file, text)
      await refusal()
    },
  )

  it('that lost its end is refused', async () => {
    await fill()
    await truncate(file, Math.floor((await stat(file)).size / 2 / 4096) * 4096)
    await refusal()
  })

  it('that is missing while its log is there is refused', async () => {
    await fill()
    await copyFile(file, `${file}-wal`)
    await rm(file)
    expect(await refusal()).toMatch(/missing/)
  })

  it.each([1, 2, 3, 5, 8, 13])('with rubbish in page %i is refused', async page => {
    await fill()
    const bytes = await readFile(file)
    bytes.fill(0xa5, page * 4096, page * 4096 + 2048)
    await writeFile(file, bytes)
    await refusal()
  })

  it('is rebuilt when its creation was interrupted', async () => {
    await writeFile(`${file}.new`, 'half')
    await fill()
    expect(await readdir(folder)).not.toContain('events.sqlite.new')
  })

  it('on a network file system is refused', () => {
    expect([0x6969, 0xff534d42, 0xff534d42 | 0, 0xef53, 0x01021994].map(networkName)).toEqual([
      'NFS',
      'CIFS',
      'CIFS',
      undefined,
      undefined,
    ])
  })
})

describe('The folder of the embedded store', () => {
  it('is refused to a second store of the same process with one line, and free once the first is closed', async () => {
    const first = await openEmbeddedStore({ folder })
    const inUse = new StoreUnavailable(`The folder ${folder} is in use by process ${process.pid}`)
    await expect(openEmbeddedStore({ folder })).rejects.toThrow(inUse)
    await first.append('bot-1', 0, newEvents(1))
    await expect(openEmbeddedStore({ folder })).rejects.toThrow(inUse)
    await first.close()
    await (await openEmbeddedStore({ folder })).close()
  })

  it('is refused to a second process, and free once the first was killed, for any new owner of its id', async () => {
    const first = startWriting([folder, 1, 0])
    await first.until(lines => lines.length > 3)
    const second = startWriting([folder, 1, 1])
    await second.ended
    expect(second.lines).toEqual([`StoreUnavailable: The folder ${folder} is in use by process ${first.process.pid}`])
    expect(second.process.exitCode).toBe(1)
    first.process.kill('SIGKILL')
    await first.ended
    await writeFile(join(folder, 'store.pid'), `${process.pid}\n`)
    await (await openEmbeddedStore({ folder })).close()
  })

  it('keeps everything that was acknowledged through kill -9, again and again', async () => {
    const acknowledged = new Map<string, number>()
    for (let round = 0; round < (isFull ? 5 : 2); round++) {
      const writing = startWriting([folder, 8, 0])
      await writing.until(lines => lines.length > 50 + round * 37)
      writing.process.kill('SIGKILL')
      await writing.ended
      for (const line of writing.lines) {
        const [word, stream = '', revision] = line.split(' ')
        if (word === 'ack') acknowledged.set(stream, Number(revision))
      }
      const store = await openEmbeddedStore({ folder })
      for (const [stream, revision] of acknowledged) {
        const found = await revisions(store.read(stream))
        expect(found).toEqual(found.map((_, index) => index + 1))
        expect(found.length).toBeGreaterThanOrEqual(revision)
        expect(found.length % 2).toBe(0)
      }
      await store.close()
    }
    expect(acknowledged.size).toBe(8)
  })

  it('refuses calls once the store is closed, after writing what was asked before', async () => {
    const store = await openEmbeddedStore({ folder })
    const waiting = store.append('bot-1', 0, newEvents(2))
    await store.close()
    await expect(waiting).resolves.toMatchObject({ revision: 2 })
    await expect(store.append('bot-1', 2, newEvents(1))).rejects.toThrow(StoreUnavailable)
    await expect(store.head()).rejects.toThrow(StoreUnavailable)
  })

  it('lets one append with an id that is already in the log fail alone', async () => {
    const store = await openEmbeddedStore({ folder })
    const known = newEvent()
    await store.append('bot-1', 0, [known])
    const outcomes = await Promise.allSettled([
      store.append('bot-2', 0, newEvents(1)),
      store.append('bot-3', 0, [newEvent(), known]),
      store.append('bot-3', 0, newEvents(1)),
      store.append('bot-2', 1, newEvents(1)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { message: `Event id ${known.id} is already in the log` } })
    await store.close()
  })
})
