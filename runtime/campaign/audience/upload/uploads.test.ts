import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { FileNotRead } from '../../../isolation/pooled-work.ts'
import type { WorkResult } from '../../../isolation/work.ts'
import { Uploads } from './uploads.ts'

const RULES = { pre: '', schema: '', post: '', partial: false }
const BUSY = { ok: false, code: 'work.busy', ms: 0, waited: 20_000 } as const
const EMPTY = {
  ok: true,
  value: { error: { path: '', code: 'format', params: { rule: 'uploadempty' } } },
  ms: 1,
  waited: 0,
} as const

const openUploads = async (results: readonly WorkResult<unknown>[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-uploads-'))
  const store = await openEmbeddedStore({ folder })
  const change = vi.fn(async (_upload: object, _fields: object) => '1')
  const left = [...results]
  const uploads = new Uploads({
    store,
    record: { create: async () => '1', change },
    audience: {
      sealBytes: async () => Buffer.from('sealed'),
      openBytes: async () => Buffer.from('phone'),
      digest: () => 'd',
      reached: async () => undefined,
      index: { addedBy: () => 0 },
    },
    storage: { put: async () => ({ id: 'f' }), keep: async () => undefined, read: async () => ({ content: '' }) },
    read: { list: async () => ({ items: [] }), detail: async () => undefined },
    work: { run: async () => left.shift() },
    isAlone: true,
    busyMs: 1,
    failed: (error: unknown) => {
      throw error
    },
    textOf: ({ params }: { params?: { rule?: string } }) => params?.rule ?? '',
  } as never)
  const close = async () => {
    await uploads.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { uploads, change, close }
}
const FILE = { campaign: 'c', bytes: Buffer.from('phone'), rules: RULES }

test('a stored file waits while too many files are read', async () => {
  const { uploads, change, close } = await openUploads([BUSY, BUSY, EMPTY])
  await uploads.receive({ ...FILE, profile: null, level: 'l', name: 'a.csv', actor: null, language: 'en' })
  await vi.waitFor(() =>
    expect(change.mock.lastCall?.[1]).toMatchObject({ status: 'failed', error_message: 'uploadempty' }),
  )
  await close()
})

test('a file that is only tried is refused while too many files are read', async () => {
  const { uploads, close } = await openUploads([BUSY, EMPTY])
  await expect(uploads.try({ ...FILE, signal: new AbortController().signal })).rejects.toThrow(FileNotRead)
  await close()
})
