import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from './failure.ts'
import { fileUrl, http, sessionEnd } from './http.ts'

const BASE = '/botadmin/api'
const server = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  server.mockReset()
  vi.stubGlobal('fetch', server)
  vi.stubGlobal('document', { documentElement: { lang: 'es' } })
})
afterEach(() => vi.unstubAllGlobals())

const answers = (body: unknown, status = 200, headers = {}) =>
  server.mockResolvedValueOnce(new Response(status === 204 ? null : JSON.stringify(body), { status, headers }))

const sent = () => {
  const [url, init] = server.mock.calls[0] ?? []
  return { url, ...init, headers: new Headers(init?.headers) }
}

const problemOf = (call: Promise<unknown>): Promise<Problem> =>
  call.then(
    () => Promise.reject(new Error('The call was not refused')),
    error => (error instanceof Problem ? error : Promise.reject(error)),
  )

test('fills the path and leaves out empty query parameters [P-180]', async () => {
  answers({ items: [], total: 0 })
  await http.get('/{entity}', { params: { entity: 'a/b' }, query: { search: '', page: 2, bot: undefined } })
  expect(sent()).toMatchObject({ url: `${BASE}/a%2Fb?page=2`, method: 'GET', body: null, credentials: 'same-origin' })
  expect(sent().headers.get('accept-language')).toBe('es')
  expect(sent().headers.get('idempotency-key')).toBeNull()
  expect(fileUrl('/audit/export', { query: { format: 'jsonl' } })).toBe(`${BASE}/audit/export?format=jsonl`)
})

test('sends a change with its revision and its key [P-180]', async () => {
  answers({ id: 'a', revision: 4 })
  const changed = await http.patch('/{entity}/{id}', {
    params: { entity: 'role', id: 'a' },
    body: { name: 'b' },
    revision: 3,
    key: 'k',
  })
  expect(changed).toEqual({ id: 'a', revision: 4 })
  expect(sent()).toMatchObject({ url: `${BASE}/role/a`, method: 'PATCH', body: '{"name":"b"}' })
  expect(Object.fromEntries(sent().headers)).toMatchObject({
    'content-type': 'application/json',
    'if-match': '"3"',
    'idempotency-key': 'k',
  })
})

test('sends If-Match: * for a write that replaces any revision [P-1784]', async () => {
  answers({ revision: 2, unknown: [] })
  const body = { format: 'parley-flow', version: 1, operators: {}, links: {} } as const
  await http.put('/{kind}/{id}/flow', { params: { kind: 'dialog', id: 'a' }, body, revision: '*' })
  expect(Object.fromEntries(sent().headers)).toMatchObject({ 'if-match': '*' })
})

test('answers nothing for a 204 [P-180]', async () => {
  answers(undefined, 204)
  expect(await http.post('/auth/logout')).toBeUndefined()
})

test('uploads a file as a form, and a text with its own type [P-180]', async () => {
  answers({}, 201)
  await http.upload('/version/upload', new File(['{}'], 'a.json'), { query: { bot: 'b' } })
  const form = sent().body
  expect(sent()).toMatchObject({ url: `${BASE}/version/upload?bot=b`, method: 'POST' })
  expect(sent().headers.get('content-type')).toBeNull()
  expect(form instanceof FormData && form.get('file')).toMatchObject({ name: 'a.json', size: 2 })
  server.mockClear()
  answers({ rows: 1 })
  const text = new Blob(['name'], { type: 'text/csv' })
  await http.sendText('/{entity}/import', text, { params: { entity: 'role' }, query: { dryrun: true } })
  expect(sent()).toMatchObject({ url: `${BASE}/role/import?dryrun=true`, body: text })
  expect(sent().headers.get('content-type')).toBeNull()
})

test('reads a file, and rejects instead of saving a refusal [P-180]', async () => {
  server.mockResolvedValueOnce(new Response('a,b'))
  expect(await (await http.file('/{entity}/export', { params: { entity: 'role' } })).text()).toBe('a,b')
  answers({ code: 'access.forbidden', detail: 'No' }, 403)
  expect(await problemOf(http.file('/audit/export'))).toMatchObject({ status: 403, code: 'access.forbidden' })
})

test('rejects with the field errors of a refusal [P-180]', async () => {
  const errors = [{ path: 'name', code: 'required', message: 'Missing' }]
  answers({ code: 'validation.failed', errors }, 422, { 'x-correlation-id': 'c' })
  const problem = await problemOf(http.post('/{entity}', { params: { entity: 'role' }, body: {} }))
  expect(problem).toMatchObject({ status: 422, code: 'validation.failed', errors, correlation: 'c' })
})

test('emits the end of the session for a 401 that asks to sign in, and for no other refusal [P-180]', async () => {
  const ended = vi.fn()
  sessionEnd.addEventListener('end', ended)
  answers({ code: 'auth.credentials' }, 401)
  await problemOf(http.get('/home'))
  expect(ended).not.toHaveBeenCalled()
  answers({ code: 'auth.required' }, 401)
  expect(await problemOf(http.get('/home'))).toMatchObject({ status: 401 })
  expect(ended).toHaveBeenCalledOnce()
  sessionEnd.removeEventListener('end', ended)
})

test('rejects with status 0 when the server does not answer, and with the reason of an abort [P-180]', async () => {
  server.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  expect(await problemOf(http.get('/home'))).toMatchObject({ status: 0, code: 'network' })
  const reason = new DOMException('Left', 'AbortError')
  server.mockRejectedValueOnce(reason)
  await expect(http.get('/home', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('rejects with the status alone when a proxy answers without a problem [P-180]', async () => {
  server.mockResolvedValueOnce(new Response('<html>', { status: 502 }))
  expect(await problemOf(http.get('/home'))).toMatchObject({ status: 502, errors: [] })
})
