import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openFolderStorage } from './folder-storage.ts'
import { KeptBytes, keepWithin } from './kept-bytes.ts'
import { BotFilesFull, type FileStorage } from './storage-port.ts'

const MOST = 1_000
const bots: Readonly<Record<string, string>> = { 'c-1': 'bot', 'c-2': 'bot', 'c-3': 'other' }
const botOf = async (conversation: string) => bots[conversation]

const folder = await mkdtemp(join(tmpdir(), 'parley-kept-'))
afterAll(async () => rm(folder, { recursive: true, force: true }))

const open = async (root?: string, refused: () => void = () => undefined) => {
  const place = root ?? (await mkdtemp(join(folder, 'files-')))
  const plain = await openFolderStorage(place)
  const kept = new KeptBytes({ most: MOST, refused })
  await kept.connect({ storage: plain, botOf })
  return { place, plain, kept, storage: keepWithin(plain, kept) }
}

/** Number of files of conversations in a storage. */
const filesIn = async (storage: FileStorage): Promise<number> => {
  let count = 0
  for await (const _file of storage.owned()) count += 1
  return count
}

const send = async (storage: FileStorage, conversation: string, size: number, chunk = 100) => {
  const content = async function* () {
    for (let left = size; left > 0; left -= chunk) yield Buffer.alloc(Math.min(chunk, left), 'a')
  }
  const received = await storage.receive({ content: content(), name: 'a.txt', conversation })
  return received.store('text/plain', `chat ${conversation}`)
}

describe('bytes of files that one bot keeps', () => {
  test('refuses a file while it arrives once the bot is full, and stores no part of it [P-2000]', async () => {
    let refused = 0
    const { storage, kept, plain } = await open(undefined, () => {
      refused += 1
    })
    await send(storage, 'c-1', 600)
    let read = 0
    const endless = async function* () {
      for (;;) {
        read += 100
        yield Buffer.alloc(100, 'a')
      }
    }
    await expect(storage.receive({ content: endless(), name: 'a.txt', conversation: 'c-2' })).rejects.toThrow(
      BotFilesFull,
    )
    expect([read, refused, kept.of('bot')]).toEqual([500, 1, 600])
    await expect(
      storage.put({ content: Buffer.alloc(401), name: 'a.txt', type: 'text/plain', owner: 'chat c-1' }),
    ).rejects.toThrow(BotFilesFull)
    await send(storage, 'c-3', 1_000)
    await send(storage, 'c-1', 400)
    expect([kept.of('bot'), kept.of('other'), kept.total]).toEqual([1_000, 1_000, 2_000])
    expect(await filesIn(plain)).toBe(3)
  })

  test('counts files that arrive at the same time [P-2000]', async () => {
    const { storage, kept } = await open()
    const sent = await Promise.allSettled(Array.from({ length: 8 }, () => send(storage, 'c-1', 300)))
    expect(sent.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(3)
    expect(kept.of('bot')).toBe(300 * sent.filter(({ status }) => status === 'fulfilled').length)
  })

  test('gives the room back of files that break off, are discarded or are removed [P-2001]', async () => {
    const { storage, kept } = await open()
    const broken = async function* () {
      yield Buffer.alloc(900)
      throw new Error('broken off')
    }
    await expect(storage.receive({ content: broken(), name: 'a', conversation: 'c-1' })).rejects.toThrow('broken off')
    expect(kept.of('bot')).toBe(0)
    const whole = async function* () {
      yield Buffer.alloc(900, 'a')
    }
    const received = await storage.receive({ content: whole(), name: 'a', conversation: 'c-1' })
    expect(kept.of('bot')).toBe(900)
    await received.discard()
    expect(kept.of('bot')).toBe(0)
    await send(storage, 'c-1', 900)
    await storage.removeOf('c-1')
    expect(kept.of('bot')).toBe(0)
    await send(storage, 'c-2', 1_000)
  })

  test('counts files in the storage after a start, and again after a sweep [P-2001]', async () => {
    const first = await open()
    await send(first.storage, 'c-1', 700)
    const again = await open(first.place)
    expect(again.kept.of('bot')).toBe(700)
    await expect(send(again.storage, 'c-2', 301)).rejects.toThrow(BotFilesFull)
    await first.plain.removeOf('c-1')
    expect(await again.kept.recount()).toBe(0)
    await send(again.storage, 'c-2', 301)
    expect(again.kept.of('bot')).toBe(301)
  })

  test('adds files that other nodes store [P-2001]', async () => {
    const listeners = new Map<unknown, (sender: string, hint: never) => void>()
    const hintsOf = (own: unknown) => ({
      connected: true,
      listen: (_topic: string, listener: (sender: string, hint: never) => void) => {
        listeners.set(own, listener)
        return () => void listeners.delete(own)
      },
      send: (_topic: string, hint: unknown) => {
        for (const [node, listener] of listeners) if (node !== own) listener('node', hint as never)
      },
    })
    const place = await mkdtemp(join(folder, 'files-'))
    const plain = await openFolderStorage(place)
    const nodes = [new KeptBytes({ most: MOST }), new KeptBytes({ most: MOST })]
    for (const node of nodes) await node.connect({ storage: plain, botOf, hints: hintsOf(node) as never })
    const [one, two] = nodes.map(node => keepWithin(plain, node))
    if (one === undefined || two === undefined) throw new Error('two nodes')
    await send(one, 'c-1', 800)
    await expect(send(two, 'c-2', 300)).rejects.toThrow(BotFilesFull)
    await send(two, 'c-2', 200)
    expect(nodes.map(node => node.of('bot'))).toEqual([1_000, 1_000])
    for (const node of nodes) node.close()
    expect(listeners.size).toBe(0)
  })

  test('does not count files of people of the console [P-2000]', async () => {
    const { storage, kept } = await open()
    await storage.put({ content: Buffer.alloc(5_000), name: 'a.txt', type: 'text/plain', owner: 'ana' })
    expect(kept.total).toBe(0)
  })
})
