import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReadModels } from '#projections/port.ts'
import { openFolderStorage } from '#runtime/storage/folder-storage.ts'
import { openBench } from '../fixture.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')
const BASE = '/botadmin/api'
const AUTHORIZED = { authorization: 'Bearer token' }

const root = await mkdtemp(join(tmpdir(), 'files-'))
const storage = await openFolderStorage(root)
const bench = await openBench({ storage, read: { fileHolders: async () => undefined } })
afterAll(async () => {
  await bench.app.close()
  await rm(root, { recursive: true, force: true })
})

const BOUNDARY = 'b0undary'
const formOf = (content: Buffer, filename: string, field = 'file') =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: image/svg+xml\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

const upload = async (content: Buffer, filename: string, on = bench, field?: string) => {
  const answer = await on.app.inject({
    method: 'POST',
    url: `${BASE}/file`,
    headers: { ...AUTHORIZED, 'accept-language': 'en', 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: formOf(content, filename, field),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const get = (id: string, on = bench, headers = {}) =>
  on.app.inject({ method: 'GET', url: `${BASE}/file/${id}`, headers: { ...AUTHORIZED, ...headers } })

describe('an upload', () => {
  test('answers the value of a file field, its type by its content [P-120]', async () => {
    const { status, body } = await upload(PNG, 'logo.svg')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[\da-f]{64}$/),
      name: 'logo.svg',
      type: 'image/png',
      size: PNG.length,
    })
    expect((await upload(PNG, 'logo.svg')).body.id).not.toBe(body.id)
  })

  test.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\\\temp\\\\a.png', 'a.png'],
    ['%2e%2e%2f%2e%2e%2fx', '%2e%2e%2f%2e%2e%2fx'],
    ['..', 'file'],
  ])('named %s stays in its folder and is shown as %s [P-121]', async (given, shown) => {
    const { status, body } = await upload(PNG, given)
    expect(status).toBe(201)
    expect(body.name).toBe(shown)
    expect(await readdir(join(root, body.id.slice(0, 2)))).toContain(body.id)
    expect((await readdir(root)).every(name => /^[\da-f]{2}$/.test(name))).toBe(true)
    expect((await stat(join(root, body.id.slice(0, 2), body.id))).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['logo.svg', '  <svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['logo.png', '<?xml version="1.0"?><svg/>'],
    ['program.png', 'MZ\u0000\u0001'],
    ['data.json', '{"a":'],
  ])('of %s is refused by its content [P-121]', async (name, text) => {
    expect(await upload(Buffer.from(text), name)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'file', code: 'option' }] },
    })
  })

  test('of more than 1 MB is refused [C-5.19]', async () => {
    for (const size of [1_048_577, 2_000_000]) {
      const { status, body } = await upload(Buffer.concat([PNG, Buffer.alloc(size - PNG.length)]), 'large.png')
      expect(status).toBe(413)
      expect(body).toMatchObject({ code: 'request.toolarge', detail: 'File is too big , max is 1MB' })
    }
    const largest = await upload(Buffer.concat([PNG, Buffer.alloc(1_048_576 - PNG.length)]), 'large.png')
    expect(largest.status).toBe(201)
  })

  test('without content, or of another field, is refused', async () => {
    expect(await upload(Buffer.alloc(0), 'a.txt')).toMatchObject({ status: 422 })
    expect(await upload(PNG, 'a.png', bench, 'other')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'file', code: 'required' }] },
    })
    const json = await bench.app.inject({ method: 'POST', url: `${BASE}/file`, headers: AUTHORIZED, payload: {} })
    expect(json.statusCode).toBe(415)
  })

  test('with the name of a program is refused, for any content [P-1864]', async () => {
    for (const name of ['x.exe', 'run.BAT', 'a.txt.cmd', 'page.hta.', 'script.ps1 '])
      expect(await upload(Buffer.from('plain words'), name), name).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'file', code: 'option' }] },
      })
    expect((await upload(Buffer.from('plain words'), 'exe.txt')).status).toBe(201)
  })

  test('needs a session', async () => {
    const answer = await bench.app.inject({ method: 'POST', url: `${BASE}/file`, payload: formOf(PNG, 'a.png') })
    expect(answer.statusCode).toBe(401)
    const { body } = await upload(PNG, 'a.png')
    expect((await bench.app.inject({ method: 'GET', url: `${BASE}/file/${body.id}` })).statusCode).toBe(401)
  })
})

describe('a file', () => {
  test('is answered with headers that stop a browser from running it [P-121]', async () => {
    const { body } = await upload(PNG, 'ação "1".png')
    const answer = await get(body.id)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload).toEqual(PNG)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox$/),
      'content-disposition': expect.stringMatching(/^inline; filename="[\w.-]+"; filename\*=UTF-8''a%C3%A7/),
    })
    expect((await get(body.id, bench, { 'if-none-match': answer.headers.etag })).statusCode).toBe(304)
    const text = await upload(Buffer.from('a;b\r\n1;2'), 'a.csv')
    expect((await get(text.body.id)).headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; /),
    })
  })

  test.each(['..%2f..%2fetc%2fpasswd', 'a'.repeat(64), 'x', `${'a'.repeat(64)}.json`])(
    'that is named %s is not there',
    async id => expect((await get(id)).statusCode).toBe(404),
  )

  test('is answered to readers of the thing that holds it, else to its uploader alone [P-122]', async () => {
    const { body } = await upload(PNG, 'a.png')
    const statusFor = async (fileHolders: ReadModels['fileHolders'], user = 'u1') => {
      const other = await openBench({ storage, read: { fileHolders }, access: { user } })
      const { statusCode } = await get(body.id, other)
      await other.app.close()
      return statusCode
    }
    expect(await statusFor(async () => undefined)).toBe(200)
    expect(await statusFor(async () => undefined, 'u2')).toBe(404)
    expect(await statusFor(async () => [{ entity: 'codesample', id: 'c' }], 'u2')).toBe(200)
    expect(await statusFor(async () => [{ entity: 'bot', id: 'b' }], 'u1')).toBe(404)
    expect(await statusFor(async () => [], 'u1')).toBe(404)
  })
})

describe('the sweep', () => {
  test('removes only uploads that are unused after a day [P-123]', async () => {
    const HOURS = 3_600_000
    const folder = await mkdtemp(join(tmpdir(), 'files-'))
    const later = await openFolderStorage(folder, () => Date.now() + 26 * HOURS)
    const here = await openFolderStorage(folder)
    const put = () => here.put({ content: PNG, name: 'a.png', type: 'image/png', owner: 'u1' })
    const [unused, used, young] = [await put(), await put(), await put()]
    await here.keep(used.id)
    const now = new Date(Date.now() + 24.5 * HOURS)
    for (const name of ['', '.json']) await utimes(join(folder, young.id.slice(0, 2), young.id + name), now, now)
    expect(await later.find(unused.id)).toBeUndefined()
    expect(await later.find(used.id)).toMatchObject({ owner: 'u1' })
    expect(await later.sweep()).toBe(1)
    expect(await here.read(unused.id)).toBeUndefined()
    expect(await here.read(used.id)).toBeDefined()
    expect(await here.read(young.id)).toBeDefined()
    await rm(folder, { recursive: true, force: true })
  })
})
