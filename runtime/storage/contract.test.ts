import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { StoreUnavailable } from '#commands/store/port.ts'
import { readSettings } from '#gateway/settings.ts'
import { WrongSetting } from '#schemas/settings.ts'
import { S3_KEYS, startS3Server } from '#test/doubles/s3-server.ts'
import { createFileSweep } from '../conversation/privacy/retention.ts'
import { openFolderStorage } from './folder-storage.ts'
import { openStorage, s3PlaceOf } from './open-storage.ts'
import { openS3Storage } from './s3-storage.ts'
import type { FileStorage } from './storage-port.ts'

const DAY_MS = 86_400_000
const UPLOAD = { content: Buffer.from([0, 255, 10, 13]), name: 'ação.txt', type: 'text/plain', owner: 'u' } as const

const folder = await mkdtemp(join(tmpdir(), 'parley-storage-'))
const server = await startS3Server()
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

interface Kept {
  readonly storage: FileStorage
  /** Makes an upload older, by ms. */
  age(id: string, ms: number): Promise<void>
  /** Paths or keys of everything that is there. */
  names(): Promise<readonly string[]>
}

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const inFolder = async (): Promise<Kept> => {
  const root = await mkdtemp(join(folder, 'files-'))
  return {
    storage: await openFolderStorage(root),
    names: async () =>
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter(entry => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name)),
    age: async (id, ms) => {
      const then = new Date(Date.now() - ms)
      for (const end of ['', '.json']) await utimes(join(root, id.slice(0, 2), `${id}${end}`), then, then)
    },
  }
}
const addressOf = (path = 'files') => `s3://parley/${path}?region=sa-east-1&endpoint=${server.endpoint}`
const inBucket = async (): Promise<Kept> => {
  const prefix = `f${Math.random().toString(36).slice(2)}`
  return {
    storage: await openS3Storage(s3PlaceOf(addressOf(prefix), S3_KEYS)),
    names: async () => [...server.objects.keys()].filter(key => key.startsWith(`/parley/${prefix}/`)),
    age: async (id, ms) => {
      for (const [key, object] of server.objects) if (key.includes(id)) object.modified = new Date(Date.now() - ms)
    },
  }
}

describe.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
] as const)('files in %s [P-321]', (_, open) => {
  test('come back as they were given', async () => {
    const { storage } = await open()
    const file = await storage.put(UPLOAD)
    expect(file).toMatchObject({ name: 'ação.txt', type: 'text/plain', size: 4, owner: 'u' })
    expect(await storage.read(file.id)).toEqual({ file, content: UPLOAD.content })
    expect(await storage.find(file.id)).toEqual(file)
    expect((await storage.put(UPLOAD)).id).not.toBe(file.id)
  })

  test.each([
    ['empty', 0],
    ['small', 100_000],
    ['of several parts', 12_000_000],
  ])('are taken while they arrive: %s [P-1640]', async (_size, size) => {
    const { storage } = await open()
    const content = Buffer.alloc(size, 'olá ')
    const chunks = async function* () {
      for (let at = 0; at < size; at += 65_536) yield content.subarray(at, at + 65_536)
    }
    const received = await storage.receive({ content: chunks(), name: 'nota.txt' })
    expect(received).toMatchObject({ size, type: 'text/plain', hash: hash('sha256', content) })
    const file = await received.store('text/plain', 'u')
    expect(file).toMatchObject({ name: 'nota.txt', size, owner: 'u' })
    const opened = await storage.open(file.id)
    expect(opened?.file).toEqual(file)
    expect(Buffer.concat((await opened?.content.toArray()) ?? []).equals(content)).toBe(true)
  })

  test('that break off or are discarded leave nothing behind [P-1640]', async () => {
    const { storage, names } = await open()
    const broken = async function* () {
      yield Buffer.alloc(6_000_000)
      throw new Error('broken off')
    }
    await expect(storage.receive({ content: broken(), name: 'a.txt' })).rejects.toThrow('broken off')
    const whole = async function* () {
      yield Buffer.alloc(6_000_000, 'a')
    }
    await (await storage.receive({ content: whole(), name: 'a.txt' })).discard()
    expect(await names()).toEqual([])
  })

  test('of a conversation are removed together, with their names [P-1641]', async () => {
    const { storage, names } = await open()
    const one = await storage.put({ ...UPLOAD, owner: 'chat c-1' })
    await storage.keep(one.id)
    await storage.put({ ...UPLOAD, owner: 'chat c-1' })
    const other = await storage.put({ ...UPLOAD, owner: 'chat c-2' })
    expect((await all(storage.conversations())).toSorted()).toEqual(['c-1', 'c-2'])
    await storage.removeOf('c-1')
    await storage.removeOf('c-1')
    expect(await storage.read(one.id)).toBeUndefined()
    expect(await storage.read(other.id)).toBeDefined()
    expect((await names()).filter(name => !name.includes(other.id))).toEqual([])
    expect(await all(storage.conversations())).toEqual(['c-2'])
  })

  test('of conversations are counted with their bytes; unused ones that are swept are not [P-2001]', async () => {
    const { storage, names, age } = await open()
    const one = await storage.put({ ...UPLOAD, owner: 'chat c-1' })
    await storage.keep(one.id)
    const two = await storage.put({ ...UPLOAD, content: Buffer.alloc(9), owner: 'chat c-1' })
    await storage.put({ ...UPLOAD, owner: 'u' })
    const owned = () => all(storage.owned())
    expect((await owned()).toSorted((a, b) => a.bytes - b.bytes)).toEqual([
      { conversation: 'c-1', bytes: 4 },
      { conversation: 'c-1', bytes: 9 },
    ])
    await age(two.id, DAY_MS + 3_700_000)
    await storage.sweep()
    expect(await owned()).toEqual([{ conversation: 'c-1', bytes: 4 }])
    expect((await names()).filter(name => name.includes(two.id))).toEqual([])
  })

  test('of conversations that have not been there for a day are swept [P-1642]', async () => {
    const { storage, names } = await open()
    const here = new Set(['c-1'])
    let time = 0
    const sweep = createFileSweep(
      storage,
      async id => here.has(id),
      () => time,
    )
    const [kept, late] = [
      await storage.put({ ...UPLOAD, owner: 'chat c-1' }),
      await storage.put({ ...UPLOAD, owner: 'chat c-2' }),
    ]
    await storage.keep(late.id)
    expect(await sweep()).toBe(0)
    time = 23 * 3_600_000
    expect(await sweep()).toBe(0)
    time = 24 * 3_600_000
    expect(await sweep()).toBe(1)
    expect((await names()).filter(name => !name.includes(kept.id))).toEqual([])
    expect(await storage.read(kept.id)).toBeDefined()
  })

  test('that never existed are undefined, for any id', async () => {
    const { storage } = await open()
    for (const id of ['0'.repeat(64), '', '../x', 'a'.repeat(63)]) {
      expect(await storage.read(id)).toBeUndefined()
      expect(await storage.find(id)).toBeUndefined()
    }
  })

  test('that nothing uses are found for a day and swept an hour later; used ones stay', async () => {
    const { storage, age } = await open()
    const [unused, used, fresh] = [await storage.put(UPLOAD), await storage.put(UPLOAD), await storage.put(UPLOAD)]
    await storage.keep(used.id)
    await storage.keep(used.id)
    await age(unused.id, DAY_MS + 1000)
    await age(used.id, 3 * DAY_MS)
    expect(await storage.find(unused.id)).toBeUndefined()
    expect(await storage.find(used.id)).toEqual(used)
    expect(await storage.sweep()).toBe(0)
    await age(unused.id, DAY_MS + 3_700_000)
    expect(await storage.sweep()).toBe(1)
    expect(await storage.read(unused.id)).toBeUndefined()
    expect(await storage.read(used.id)).toBeDefined()
    expect(await storage.read(fresh.id)).toBeDefined()
  })
})

describe('a bucket that misbehaves [P-321]', () => {
  test('is asked again after 500 and 503, and given up after three answers', async () => {
    const { storage } = await inBucket()
    const file = await storage.put(UPLOAD)
    server.faults.push(503, 500)
    expect((await storage.read(file.id))?.content).toEqual(UPLOAD.content)
    server.faults.push(500, 500, 500)
    await expect(storage.read(file.id)).rejects.toThrow(StoreUnavailable)
  })

  test('that cuts a file short gives no part of it', async () => {
    const { storage } = await inBucket()
    const file = await storage.put(UPLOAD)
    server.faults.push('cut')
    await expect(storage.read(file.id)).rejects.toThrow(StoreUnavailable)
    expect((await storage.read(file.id))?.content).toEqual(UPLOAD.content)
  })

  test.each(['silent', 'stalled'] as const)('is given up when it is %s for longer than the limit', async fault => {
    const storage = await openS3Storage(s3PlaceOf(addressOf('slow'), S3_KEYS), Date.now, 1500)
    const file = await storage.put(UPLOAD)
    server.faults.push(fault)
    await expect(storage.read(file.id)).rejects.toThrow(StoreUnavailable)
  })

  test('that answers the end of an upload without completing it keeps nothing and says so', async () => {
    const { storage } = await inBucket()
    const received = await storage.receive({
      content: (async function* () {
        yield Buffer.alloc(6_000_000, 'a')
      })(),
      name: 'a.txt',
    })
    server.faults.push(200)
    await expect(received.store('text/plain', 'ana')).rejects.toThrow(StoreUnavailable)
  })

  test('that refuses a write keeps nothing and says why', async () => {
    const { storage } = await inBucket()
    server.faults.push(403)
    await expect(storage.put(UPLOAD)).rejects.toThrow(/answers PUT with 403/u)
  })

  test.each([
    ['s3://parley/files', S3_KEYS, /403|does not answer/u],
    ['s3://other/files', S3_KEYS, /does not exist/u],
    ['s3://parley/files', { ...S3_KEYS, AWS_SECRET_ACCESS_KEY: 'wrong' }, /403/u],
    ['s3://parley/files', {}, /needs AWS_ACCESS_KEY_ID/u],
    ['s3://A_b/files', S3_KEYS, /s3:\/\/bucket/u],
    ['s3://parley/fi%20les', S3_KEYS, /prefix/u],
  ] as const)('stops the start in one line: %s', async (address, keys, message) => {
    const region = message.source.startsWith('403|') ? 'us-east-1' : 'sa-east-1'
    const STORAGE_URL = `${address}?region=${region}&endpoint=${server.endpoint}`
    const opened = openStorage(readSettings({ STORAGE_URL, ...keys }), folder)
    await expect(opened).rejects.toThrow(WrongSetting)
    await expect(opened).rejects.toThrow(message)
    await expect(opened).rejects.toThrow(/^STORAGE_URL [^\n]+$/u)
  })

  test('has no other parameter than region and endpoint', () => {
    expect(() => s3PlaceOf('s3://parley/x?key=1', S3_KEYS)).toThrow(WrongSetting)
    expect(s3PlaceOf('s3://parley', S3_KEYS)).toMatchObject({
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      prefix: '',
    })
  })
})
