import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openFolderStorage } from '#runtime/storage/folder-storage.ts'
import { type Client, type ParleyProcess, startParley } from '../api/harness.ts'
import { Folders, PERSON, parley } from './parley.ts'

// Each restoration is a run of several processes.
vi.setConfig({ testTimeout: 60_000 })

const folders = new Folders()
const data = folders.next()
const archive = `${folders.next()}.tar`
const kept = `${archive}.seals`
const QUICK = { SEAL_EVENTS: '20' }

let person: string
let sample: string
let file: string
const FILE = Buffer.from('an uploaded file')
const running: ParleyProcess[] = []

const start = async (folder: string, env: Record<string, string> = {}): Promise<Client> => {
  const gateway = await startParley({ folder, env: { ...QUICK, ...env } })
  running.push(gateway)
  return gateway.signIn()
}
const stop = async () => {
  for (const gateway of running.splice(0)) await gateway.end()
}

/** A gateway backed up during work; then a user is forgotten. */
beforeAll(async () => {
  const storage = await openFolderStorage(join(data, 'files'))
  file = (await storage.put({ content: FILE, name: 'a.txt', type: 'text/plain', owner: 'u' })).id
  await storage.keep(file)
  const admin = await start(data)
  person = (await admin.post('/user', PERSON)).body.id
  sample = (await admin.post('/codesample', { name: 'kept' })).body.id
  let isOver = false
  const writing = (async () => {
    for (let n = 0; !isOver; n++) await admin.post('/codesample', { name: `while it is backed up ${n}` })
  })()
  await pause(200)
  await parley(['seals', 'export', '--output', kept], { PARLEY_DATA: data })
  const backed = await parley(['backup', archive], { PARLEY_DATA: data })
  isOver = true
  await writing
  expect(backed).toMatchObject({ code: 0, output: expect.stringContaining('It holds the key as well') })
  await admin.post(`/user/${person}/forget`, { confirm: 'CONFIRM' })
  await stop()
}, 60_000)
afterEach(stop)
afterAll(() => folders.clear())

test('keeps the chain intact after a person is forgotten', async () => {
  const verified = await parley(['verify', '--seal', kept], { PARLEY_DATA: data })
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The chain holds.') })
})

test('a backup of a running gateway comes back whole: chain, seals kept elsewhere, secrets, people and read models', async () => {
  const folder = folders.next()
  const restored = await parley(['restore', archive], { PARLEY_DATA: folder })
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('The chain holds.') })
  expect(existsSync(join(folder, 'projections', 'current'))).toBe(true)
  expect((await parley(['verify', '--seal', kept], { PARLEY_DATA: folder })).code).toBe(0)
  expect((await (await openFolderStorage(join(folder, 'files'))).read(file))?.content).toEqual(FILE)
  const admin = await start(folder)
  expect((await admin.get(`/user/${person}`)).body).toMatchObject({ username: 'bia', firstname: 'Beatriz' })
  expect((await admin.get(`/codesample/${sample}`)).body).toMatchObject({ name: 'kept', revision: 1 })
})

test('keeps people forgotten since the backup, by the list in place or a given list', async () => {
  const list = join(data, 'forgotten.txt')
  const left = folders.next()
  mkdirSync(left, { recursive: true })
  writeFileSync(join(left, 'forgotten.txt'), readFileSync(list))
  expect((await parley(['restore', archive], { PARLEY_DATA: left })).code).toBe(0)
  const given = folders.next()
  expect((await parley(['restore', archive, '--forgotten', list], { PARLEY_DATA: given })).code).toBe(0)
  for (const folder of [left, given]) {
    expect(readFileSync(join(folder, 'forgotten.txt'), 'utf8')).toContain(person)
    const admin = await start(folder)
    const { text, body } = await admin.get(`/user/${person}`)
    expect(body).toMatchObject({ id: person, username: null, forgotten: true })
    for (const value of ['bia', 'Beatriz', 'Souza']) expect(text).not.toContain(value)
    await stop()
    expect((await parley(['verify', '--seal', kept], { PARLEY_DATA: folder })).code).toBe(0)
  }
})

test('a backup into a folder is the owner’s alone, and tells when it was changed', async () => {
  const folder = folders.next()
  expect((await parley(['backup', folder], { PARLEY_DATA: data })).code).toBe(0)
  expect(readdirSync(folder).sort()).toEqual([
    'backup.json',
    'events.sqlite',
    'files.tar',
    'forgotten.txt',
    'keys.sqlite',
    'parley.key',
  ])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(await parley(['backup', folder], { PARLEY_DATA: data })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/is there already\n$/),
  })
  expect((await parley(['restore', folder], { PARLEY_DATA: folders.next() })).code).toBe(0)
  const bytes = readFileSync(join(folder, 'events.sqlite'))
  bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1
  writeFileSync(join(folder, 'events.sqlite'), bytes)
  const target = folders.next()
  const damaged = await parley(['restore', folder], { PARLEY_DATA: target })
  expect(damaged).toMatchObject({ code: 1, errors: expect.stringContaining('events.sqlite of the backup is damaged') })
  expect(readdirSync(target)).toEqual([])
})

test('refuses an invalid or truncated backup, or a target with files, with one line', async () => {
  const over = await parley(['restore', archive], { PARLEY_DATA: data })
  expect(over).toMatchObject({ code: 1, errors: expect.stringMatching(/is not empty: \S+ is in it\n$/) })
  const none = await parley(['restore', kept], { PARLEY_DATA: folders.next() })
  expect(none).toMatchObject({ code: 1, errors: expect.stringMatching(/is not a backup, or damaged\n$/) })
  const cut = `${folders.next()}.tar`
  writeFileSync(cut, readFileSync(archive).subarray(0, 20_000))
  const short = await parley(['restore', cut], { PARLEY_DATA: folders.next() })
  expect(short).toMatchObject({ code: 1, errors: expect.stringMatching(/is cut off\n$/) })
})

test('the audit leaves as JSON Lines, beside a running gateway and without one, with the filters of the API', async () => {
  const linesOf = (output: string) =>
    output
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  const alone = await parley(['export', '--entity', 'codesample', '--entityid', sample], { PARLEY_DATA: data })
  expect(linesOf(alone.output)).toMatchObject([{ entity: 'codesample', entityid: sample, action: 'created' }])
  const admin = await start(data)
  await admin.patch(`/codesample/${sample}`, { code: 'x' }, 1)
  const beside = await parley(['export', '--entityid', sample], { PARLEY_DATA: data })
  expect(linesOf(beside.output)).toMatchObject([{ action: 'changed' }, { action: 'created' }])
  const file = `${folders.next()}.jsonl`
  await parley(['export', '--output', file], { PARLEY_DATA: data })
  const { total } = (await admin.get('/audit?size=1')).body
  expect(linesOf(readFileSync(file, 'utf8'))).toHaveLength(total)
  expect(await parley(['export', '--colour', 'red'], { PARLEY_DATA: data })).toMatchObject({ code: 2 })
  expect(await parley(['export', '--from', 'yesterday'], { PARLEY_DATA: data })).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--from is not understood'),
  })
})

test('rebuilds read models, but never under a running gateway', async () => {
  const rebuilt = await parley(['rebuild'], { PARLEY_DATA: data })
  expect(rebuilt).toMatchObject({ code: 0, output: 'The read models were rebuilt.\n' })
  const admin = await start(data)
  expect((await admin.get('/codesample?search=kept')).body.total).toBe(1)
  expect(await parley(['rebuild'], { PARLEY_DATA: data })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/is in use by .*\n$/),
  })
})

test('a rotated key opens everything and the old one nothing, in a file or in PARLEY_KEY [P-1560]', async () => {
  const folder = folders.next()
  await parley(['restore', archive], { PARLEY_DATA: folder })
  const before = readFileSync(join(folder, 'parley.key'), 'utf8')
  expect((await parley(['key', 'rotate'], { PARLEY_DATA: folder })).code).toBe(0)
  const inFile = readFileSync(join(folder, 'parley.key'), 'utf8')
  expect(inFile).not.toBe(before)
  rmSync(join(folder, 'parley.key'))
  const rotated = await parley(['key', 'rotate'], { PARLEY_DATA: folder, PARLEY_KEY: inFile.trim() })
  const given = rotated.output.split('\n')[1] ?? ''
  expect(Buffer.from(given, 'base64')).toHaveLength(32)
  const old = await parley(['seals', 'key'], { PARLEY_DATA: folder, PARLEY_KEY: inFile.trim() })
  expect(old).toMatchObject({ code: 1, errors: 'PARLEY_KEY is another one than the data was encrypted with\n' })
  const chosen = Buffer.alloc(32, 7).toString('base64')
  const [PARLEY_KEY_FILE, PARLEY_NEW_KEY_FILE] = [join(folder, 'old'), join(folder, 'new')]
  writeFileSync(PARLEY_KEY_FILE, `${given}\n`)
  writeFileSync(PARLEY_NEW_KEY_FILE, `${chosen}\n`)
  const env = { PARLEY_DATA: folder, PARLEY_KEY_FILE, PARLEY_NEW_KEY_FILE }
  expect(await parley(['key', 'rotate'], { ...env, PARLEY_KEY: given })).toMatchObject({
    code: 1,
    errors: 'PARLEY_KEY and PARLEY_KEY_FILE must not both be given\n',
  })
  const turned = await parley(['key', 'rotate'], env)
  expect(turned).toMatchObject({ code: 0, errors: '' })
  expect(turned.output).not.toContain(chosen)
  expect((await parley(['verify', '--seal', kept], { PARLEY_DATA: folder })).code).toBe(0)
  const admin = await start(folder, { PARLEY_KEY: chosen })
  expect((await admin.get(`/user/${person}`)).body).toMatchObject({ username: 'bia' })
})
