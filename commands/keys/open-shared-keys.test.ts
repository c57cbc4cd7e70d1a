import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbeddedStore } from '../store/embedded/open-embedded-store.ts'
import type { EventStore } from '../store/port.ts'
import { openSharedKeys } from './open-shared-keys.ts'
import { KeyRefused, SealBroken, UserForgotten } from './secret.ts'

const KEY = randomBytes(32).toString('base64')
const OTHER_KEY = randomBytes(32).toString('base64')
let folder: string
let store: EventStore

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-shared-keys-'))
  for (const node of ['one', 'two']) mkdirSync(join(folder, node))
  store = await openEmbeddedStore({ folder })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const open = (key: string, node = 'one') => openSharedKeys({ store, key, folder: join(folder, node) })

const textOfStore = async () => {
  let text = ''
  for await (const event of store.readAll()) text += `${event.stream} ${JSON.stringify(event.data)}\n`
  return text
}

describe('Keys in a shared store', () => {
  it('are the same on every node, also when several nodes start at once', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => open(KEY)))
    const [one, two, three] = nodes
    if (!one || !two || !three) throw new Error('three nodes')
    const secret = await one.secret.encrypt('open sesame', 'bot-1:token')
    expect(await two.secret.decrypt(secret, 'bot-1:token')).toBe('open sesame')
    const personal = await two.personal.encrypt('ana', 'Ana', 'user-ana:firstname')
    expect(await three.personal.decrypt('ana', personal, 'user-ana:firstname')).toBe('Ana')
    expect(one.index.hmac('x')).toBe(three.index.hmac('x'))
    await expect(three.secret.decrypt(secret, 'bot-2:token')).rejects.toThrow(SealBroken)
    for (const node of nodes) node.close()
  })

  it('are stored only in wrapped form', async () => {
    const keys = await open(KEY)
    await keys.personal.encrypt('ana', 'Ana', 'c')
    const text = await textOfStore()
    expect(text).toContain('userkey-ana')
    expect(text).not.toContain(KEY)
    keys.close()
  })

  it('are refused to a node with another PARLEY_KEY, in one line', async () => {
    const keys = await open(KEY)
    await expect(open(OTHER_KEY)).rejects.toThrow(KeyRefused)
    await expect(open(OTHER_KEY)).rejects.toThrow(/^PARLEY_KEY is another one[^\n]+$/)
    await expect(open('short')).rejects.toThrow(/^PARLEY_KEY must be 32 bytes/)
    keys.close()
  })

  it('of a forgotten user stay destroyed on every node and after reopening', async () => {
    const [one, two] = await Promise.all([open(KEY), open(KEY)])
    const sealed = await one.personal.encrypt('ana', 'Ana', 'c')
    const other = await one.personal.encrypt('rui', 'Rui', 'c')
    await two.personal.forget('ana')
    await two.personal.forget('ana')
    expect(await two.personal.decrypt('ana', sealed, 'c')).toBeUndefined()
    await expect(two.personal.encrypt('ana', 'Ana', 'c')).rejects.toThrow(UserForgotten)
    expect([...(await one.personal.forgotten())]).toEqual(['ana'])
    expect(await textOfStore()).not.toContain('userkey-ana')
    const again = await open(KEY)
    expect(await again.personal.decrypt('ana', sealed, 'c')).toBeUndefined()
    expect(await again.personal.decrypt('rui', other, 'c')).toBe('Rui')
    for (const node of [one, two, again]) node.close()
  })

  it('of a user listed as forgotten on a node are destroyed again after the store is restored', async () => {
    const keys = await open(KEY)
    const sealed = await keys.personal.encrypt('ana', 'Ana', 'c')
    writeFileSync(join(folder, 'two', 'forgotten.txt'), '\nana\n')
    const again = await open(KEY, 'two')
    expect(await again.personal.decrypt('ana', sealed, 'c')).toBeUndefined()
    expect([...(await keys.personal.forgotten())]).toEqual(['ana'])
    for (const node of [keys, again]) node.close()
  })

  it('are rotated and rewrapped: old values stay readable, the old PARLEY_KEY opens nothing', async () => {
    const [one, two] = await Promise.all([open(KEY), open(KEY)])
    const old = await one.secret.encrypt('old', 'c')
    const personal = await one.personal.encrypt('ana', 'Ana', 'c')
    await one.rotate()
    const fresh = await one.secret.encrypt('new', 'c')
    expect(await two.secret.decrypt(fresh, 'c')).toBe('new')
    await one.rewrap(OTHER_KEY)
    await expect(open(KEY)).rejects.toThrow(KeyRefused)
    const again = await open(OTHER_KEY)
    expect(await again.secret.decrypt(old, 'c')).toBe('old')
    expect(await again.secret.decrypt(fresh, 'c')).toBe('new')
    expect(await again.personal.decrypt('ana', personal, 'c')).toBe('Ana')
    expect((await textOfStore()).match(/parley-key/g)).toHaveLength(1)
    for (const node of [one, two, again]) node.close()
  })
})
