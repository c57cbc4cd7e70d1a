import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '#gateway/settings.ts'
import { WrongSetting } from '#schemas/settings.ts'
import { openStorage } from './open-storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'storage-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const UPLOAD = { content: Buffer.from('a'), name: 'a.txt', type: 'text/plain', owner: 'u' } as const

test('stores files in the data folder, or at STORAGE_URL', async () => {
  const elsewhere = join(folder, 'else where')
  const STORAGE_URL = pathToFileURL(elsewhere).href
  const { id } = await (await openStorage(readSettings({ STORAGE_URL }), folder)).put(UPLOAD)
  const byPath = await openStorage(readSettings({ STORAGE_URL: `file:${elsewhere}` }), folder)
  expect((await byPath.read(id))?.content).toEqual(UPLOAD.content)
  expect(await (await openStorage(readSettings({}), folder)).read(id)).toBeUndefined()
})

test.each(['s3://bucket/files', 'file://host/files', 'file:/dev/null/files'])(
  'the start is refused in one line with STORAGE_URL=%s',
  async STORAGE_URL => {
    const opened = openStorage(readSettings({ STORAGE_URL }), folder)
    await expect(opened).rejects.toThrow(WrongSetting)
    await expect(opened).rejects.toThrow(/^STORAGE_URL [^\n]+$/)
  },
)

test('a file in the way of the folder stops the start', async () => {
  await writeFile(join(folder, 'taken'), '')
  const STORAGE_URL = `file:${join(folder, 'taken')}`
  await expect(openStorage(readSettings({ STORAGE_URL }), folder)).rejects.toThrow(WrongSetting)
})
