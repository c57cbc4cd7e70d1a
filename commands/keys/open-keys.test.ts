import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreCorrupt, StoreReadOnly } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { permitted } from '#test/contract/store/permitted.ts'
import { KeyRing, type KeysReader, openKeysReader, userBinding } from './key-ring.ts'
import { newMasterKey } from './master-key.ts'
import { type FileKeys, openKeys } from './open-keys.ts'
import { encrypt, KeyRefused, SealBroken, UserForgotten } from './secret.ts'

let folder: string
let opened: KeysReader[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-keys-'))
  opened = []
})
afterEach(async () => {
  for (const keys of opened) keys.close()
  await rm(folder, { recursive: true })
})

const open = (options: Partial<Parameters<typeof openKeys>[0]> = {}): FileKeys => {
  const keys = openKeys({ folder, ...options })
  opened.push(keys)
  return keys
}
const openReader = (): KeysReader => {
  const reader = openKeysReader({ folder })
  opened.push(reader)
  return reader
}
const closeAll = () => {
  for (const keys of opened.splice(0)) keys.close()
}
const keyFile = () => join(folder, 'keys.sqlite')

describe('the keys of people', () => {
  it('are kept apart from the pool of buffers, 8 kB of which each would keep in memory [P-2966]', () => {
    const [wrapping, key] = [randomBytes(32), randomBytes(32)]
    const table = { changes: () => 1, userKey: (user: string) => encrypt(wrapping, key, userBinding(user)) }
    const kept = new KeyRing(table as never, wrapping).userKey('ana')
    expect(kept).toEqual(key)
    expect(kept?.buffer.byteLength).toBe(32)
  })
})

describe('the key of the data folder', () => {
  it('is made on the first start, mode 600, and opens what it sealed later', async () => {
    const sealed = open().secret.encrypt('token', 'variable-1.value')
    closeAll()
    expect(((await stat(join(folder, 'parley.key'))).mode & 0o777).toString(8)).toBe('600')
    expect(((await stat(keyFile())).mode & 0o777).toString(8)).toBe('600')
    expect(open().secret.decrypt(sealed, 'variable-1.value')).toBe('token')
  })

  it('may be given in base64 or hexadecimal, and then no key file is made', async () => {
    const key = randomBytes(32)
    const sealed = open({ key: key.toString('base64') }).secret.encrypt(1, 'a')
    closeAll()
    expect(open({ key: key.toString('hex') }).secret.decrypt(sealed, 'a')).toBe(1)
    expect(await readdir(folder)).not.toContain('parley.key')
  })

  it('is refused with one line that does not show it when it is malformed or another one', () => {
    expect(() => open({ key: 'too short' })).toThrow(new KeyRefused('PARLEY_KEY must be 32 bytes in base64'))
    open({ key: newMasterKey() })
    closeAll()
    const other = 'PARLEY_KEY is another one than the data was encrypted with'
    expect(() => open({ key: newMasterKey() })).toThrow(new KeyRefused(other))
    expect(() => openKeysReader({ folder, key: newMasterKey() })).toThrow(new KeyRefused(other))
  })

  it('is not recreated when its file is lost, nor are the keys when data exists', async () => {
    open()
    closeAll()
    await rm(join(folder, 'parley.key'))
    expect(() => open()).toThrow(new KeyRefused(`The key file of ${folder} is missing`))
    await rm(keyFile())
    expect(() => open({ create: false })).toThrow(KeyRefused)
  })

  it('is not asked of a file that is damaged or of another program', async () => {
    await writeFile(keyFile(), 'not a database, and longer than a hundred bytes'.repeat(3))
    expect(() => open()).toThrow(StoreCorrupt)
    await writeFile(keyFile(), '')
    expect(() => open()).toThrow(StoreCorrupt)
  })

  it.each([false, true])('can be replaced: everything opens with the new one alone (given: %s)', async given => {
    const key = given ? newMasterKey() : undefined
    const keys = open({ key })
    const secret = keys.secret.encrypt('s', 'a')
    const personal = keys.personal.encrypt('ana', 'p', 'b')
    const hmac = keys.index.hmac('name')
    const next = newMasterKey()
    keys.rewrap(next)
    expect(keys.secret.decrypt(secret, 'a')).toBe('s')
    closeAll()
    if (given) expect(() => open({ key })).toThrow(KeyRefused)
    const again = open({ key: given ? next : undefined })
    expect(again.secret.decrypt(secret, 'a')).toBe('s')
    expect(again.personal.decrypt('ana', personal, 'b')).toBe('p')
    expect(again.index.hmac('name')).toBe(hmac)
    if (!given) expect((await readFile(join(folder, 'parley.key'), 'utf8')).trim()).toBe(next)
  })
})

describe.skipIf(!permitted('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'))('in a read-only folder', () => {
  const mount = (...args: string[]) => execFileSync('mount', [...args, folder])
  beforeEach(() => mount('--bind', folder))
  afterEach(() => {
    closeAll()
    execFileSync('umount', [folder])
  })

  it('keys open what was sealed, seal under keys that are there, and make new ones once it can be written', () => {
    const first = open()
    const sealed = first.personal.encrypt('ana', 'Ana', 'a')
    closeAll()
    mount('-o', 'remount,bind,ro')
    const keys = open()
    const reader = openReader()
    expect([keys, reader].map(each => each.personal.decrypt('ana', sealed, 'a'))).toEqual(['Ana', 'Ana'])
    expect(keys.secret.decrypt(keys.secret.encrypt('s', 'b'), 'b')).toBe('s')
    expect(() => keys.personal.encrypt('bia', 'Bia', 'a')).toThrow(StoreReadOnly)
    expect(() => keys.personal.forget('ana')).toThrow(StoreReadOnly)
    mount('-o', 'remount,bind,rw')
    expect(keys.personal.decrypt('bia', keys.personal.encrypt('bia', 'Bia', 'a'), 'a')).toBe('Bia')
    keys.personal.forget('ana')
    expect(keys.personal.decrypt('ana', sealed, 'a')).toBeUndefined()
  })
})

describe('a secret', () => {
  it('encrypts any JSON value without revealing it', () => {
    const keys = open()
    for (const value of ['senha', '', 0, false, null, ['a', { b: 'ç' }]]) {
      const sealed = keys.secret.encrypt(value, 'c')
      expect(keys.secret.decrypt(sealed, 'c')).toEqual(value)
      expect(Object.keys(sealed)).toEqual(['$secret'])
    }
    expect(JSON.stringify(keys.secret.encrypt('senha', 'c'))).not.toContain(Buffer.from('senha').toString('base64url'))
    expect(keys.secret.encrypt('senha', 'c')).not.toEqual(keys.secret.encrypt('senha', 'c'))
  })

  it('opens nowhere else than in the place it was made for, and not when it was changed', () => {
    const { secret, personal } = open()
    const sealed = secret.encrypt('senha', 'variable-1.value')
    const text = String(sealed.$secret)
    const other = (letter: string) => (letter === 'A' ? 'B' : 'A')
    const broken: JsonObject[] = [
      { $secret: text.replace(/(?<=:)[^:](?=[^:]*$)/, other) },
      { $secret: text.replace('v1:', 'v2:') },
      { $secret: text.replace(/^v1:[^:]*/, 'v1:000000000000') },
      { $secret: 'v1:a' },
      { $secret: 7 },
      { $personal: text },
      {},
    ]
    expect(() => secret.decrypt(sealed, 'variable-2.value')).toThrow(SealBroken)
    for (const envelope of broken) expect(() => secret.decrypt(envelope, 'variable-1.value')).toThrow(SealBroken)
    personal.encrypt('ana', 'x', 'y')
    expect(() => personal.decrypt('ana', { $personal: text }, 'variable-1.value')).toThrow(SealBroken)
  })

  it('has a new key after a rotation while older ones stay readable, in an open reader too', () => {
    const keys = open()
    const reader = openReader()
    const before = keys.secret.encrypt('old', 'a')
    expect(reader.secret.decrypt(before, 'a')).toBe('old')
    keys.rotate()
    const after = keys.secret.encrypt('new', 'a')
    const keyId = (sealed: JsonObject) => String(sealed.$secret).split(':')[1]
    expect(keyId(after)).not.toBe(keyId(before))
    for (const each of [keys, reader]) {
      expect([each.secret.decrypt(before, 'a'), each.secret.decrypt(after, 'a')]).toEqual(['old', 'new'])
    }
  })
})

describe('personal data', () => {
  it('opens for the user it is about alone, also after opening again', () => {
    const sealed = open().personal.encrypt('ana', 'Ana Souza', 'user-ana.name')
    closeAll()
    const { personal } = open()
    personal.encrypt('bia', 'Bia', 'user-bia.name')
    expect(personal.decrypt('ana', sealed, 'user-ana.name')).toBe('Ana Souza')
    expect(() => personal.decrypt('bia', sealed, 'user-ana.name')).toThrow(SealBroken)
    expect(() => personal.decrypt('ana', sealed, 'user-ana.mail')).toThrow(SealBroken)
  })

  it('becomes unreadable at once in every process when the user is forgotten', () => {
    const keys = open()
    const reader = openReader()
    const sealed = keys.personal.encrypt('ana', 'Ana', 'a')
    const other = keys.personal.encrypt('bia', 'Bia', 'a')
    expect(reader.personal.decrypt('ana', sealed, 'a')).toBe('Ana')
    keys.personal.forget('ana')
    keys.personal.forget('ana')
    for (const each of [keys, reader]) {
      expect(each.personal.decrypt('ana', sealed, 'a')).toBeUndefined()
      expect(each.personal.decrypt('bia', other, 'a')).toBe('Bia')
    }
    expect(() => keys.personal.encrypt('ana', 'Ana', 'a')).toThrow(UserForgotten)
    expect([...keys.personal.forgotten()]).toEqual(['ana'])
    closeAll()
    expect(open().personal.decrypt('ana', sealed, 'a')).toBeUndefined()
  })

  it('is seen by an open reader as soon as the user has a key', () => {
    const keys = open()
    const reader = openReader()
    for (const user of ['ana', 'bia']) {
      const sealed = keys.personal.encrypt(user, user, 'a')
      expect(reader.personal.decrypt(user, sealed, 'a')).toBe(user)
    }
  })

  it('leaves no byte of a forgotten user’s key in any file', async () => {
    const keys = open()
    const users = Array.from({ length: 400 }, () => randomUUID())
    for (const user of users) keys.personal.encrypt(user, 'x', 'a')
    closeAll()
    const wrapped = wrappedKeys(await readFile(keyFile()))
    const again = open()
    openReader().personal.decrypt(users[0] ?? '', again.personal.encrypt(users[0] ?? '', 1, 'a'), 'a')
    for (const user of users.slice(0, 5)) again.personal.forget(user)
    const files = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name))))
    const left = [...wrapped].filter(([, key]) => files.some(file => file.includes(key))).map(([user]) => user)
    expect(left.toSorted()).toEqual(users.slice(5).toSorted())
  })

  it('is forgotten again when a backup from before is restored', async () => {
    const keys = open()
    const sealed = keys.personal.encrypt('ana', 'Ana', 'a')
    const other = keys.personal.encrypt('bia', 'Bia', 'a')
    closeAll()
    await copyFile(keyFile(), `${keyFile()}.backup`)
    open().personal.forget('ana')
    closeAll()
    await copyFile(`${keyFile()}.backup`, keyFile())
    await rm(`${keyFile()}.backup`)
    const { personal } = open()
    expect(personal.decrypt('ana', sealed, 'a')).toBeUndefined()
    expect(personal.decrypt('bia', other, 'a')).toBe('Bia')
    expect([...personal.forgotten()]).toEqual(['ana'])
  })
})

describe('the index key', () => {
  it('gives the same digest for the same text, for ever, and another one in another folder', async () => {
    const keys = open()
    const digest = keys.index.hmac('bot/ana')
    keys.rotate()
    expect(digest).toMatch(/^[\da-f]{64}$/)
    expect(keys.index.hmac('bot/ana')).toBe(digest)
    expect(openReader().index.hmac('bot/ana')).toBe(digest)
    expect(keys.index.hmac('bot/Ana')).not.toBe(digest)
    await rm(join(folder, 'elsewhere'), { force: true, recursive: true })
    expect(open({ folder: join(folder, 'elsewhere') }).index.hmac('bot/ana')).not.toBe(digest)
  })
})

/** User id → wrapped key, found by their form in the file. */
function wrappedKeys(file: Buffer): Map<string, string> {
  const pattern = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})([\w-]{16}:[\w-]{22}:[\w-]{43})/g
  return new Map([...file.toString('latin1').matchAll(pattern)].map(([, user = '', key = '']) => [user, key]))
}
