import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { isMediaAddress, openTemplateMedia } from './template-media.ts'

const DAY_MS = 86_400_000
const FILE = { id: 'f1', name: 'a.png', type: 'image/png', size: 3, owner: '' } as const
const sign = (text: string) => `signed(${text})`

const folder = mkdtempSync(join(tmpdir(), 'parley-media-'))
const store = await openEmbeddedStore({ folder })
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (clock: { now: number }, content = 'png') =>
  openTemplateMedia({
    storage: { find: async () => FILE, read: async () => ({ file: FILE, content: Buffer.from(content) }) },
    store: async () => store,
    baseUrl: () => 'https://bots.example.com',
    sign,
    now: () => clock.now,
  })

test('uploads a content once per number, on every node, and again after 25 days [P-2507]', async () => {
  const clock = { now: Date.parse('2026-11-01T00:00:00Z') }
  let uploads = 0
  const upload = async () => {
    uploads += 1
    return accepted(`media-${uploads}`)
  }
  const first = open(clock)
  const [one, two] = await Promise.all([first.uploaded('n1', 'f1', upload), first.uploaded('n1', 'f1', upload)])
  expect([one, two, uploads]).toMatchObject([{ value: { source: { id: 'media-1' } } }, one, 1])
  // Another node, and another file of the same content.
  expect(await open(clock).uploaded('n1', 'f2', upload)).toMatchObject({ value: { source: { id: 'media-1' } } })
  expect(await first.uploaded('n2', 'f1', upload)).toMatchObject({ value: { source: { id: 'media-2' } } })
  expect(await open(clock, 'other').uploaded('n1', 'f1', upload)).toMatchObject({
    value: { source: { id: 'media-3' } },
  })
  clock.now += 24 * DAY_MS
  expect(await first.uploaded('n1', 'f1', upload)).toMatchObject({ value: { source: { id: 'media-1' } } })
  clock.now += 2 * DAY_MS
  expect(await first.uploaded('n1', 'f1', upload)).toMatchObject({ value: { source: { id: 'media-4' } } })
})

test('an upload that failed is tried again by the next message [P-2507]', async () => {
  const media = open({ now: Date.now() }, 'third')
  expect(await media.uploaded('n3', 'f1', async () => refused('channel.media'))).toMatchObject({ ok: false })
  expect(await media.uploaded('n3', 'f1', async () => accepted('m'))).toMatchObject({ ok: true })
})

test('an address is valid for seven days, for its own file and content alone [P-2507]', async () => {
  const clock = { now: Date.parse('2026-11-01T00:00:00Z') }
  const media = open(clock)
  const made = await media.link('f1')
  const source = made.ok && made.value.source.from === 'link' ? made.value.source.url : expect.fail('no address')
  const { pathname, searchParams } = new URL(source)
  const asked = {
    hash: pathname.replace('/media/', ''),
    file: searchParams.get('file') ?? '',
    until: Number(searchParams.get('until')),
    key: searchParams.get('key') ?? '',
  }
  expect(isMediaAddress(asked, sign, clock.now)).toBe(true)
  expect(isMediaAddress({ ...asked, file: 'f2' }, sign, clock.now)).toBe(false)
  // A query names a parameter twice.
  const twice = [asked.key, asked.key] as unknown as string
  expect(isMediaAddress({ ...asked, key: twice }, sign, clock.now)).toBe(false)
  expect(isMediaAddress({ ...asked, until: asked.until + 1 }, sign, clock.now)).toBe(false)
  expect(isMediaAddress(asked, sign, clock.now + 7 * DAY_MS)).toBe(false)
  expect(await media.link('f1')).toEqual(made)
  clock.now += 4 * DAY_MS
  expect(await media.link('f1')).not.toEqual(made)
})
