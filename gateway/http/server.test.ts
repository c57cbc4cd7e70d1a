import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { StoreReadOnly, StoreUnavailable } from '#commands/store/port.ts'
import { type Bench, openBench } from '../fixture.ts'

const BASE = '/botadmin/api'
const BEARER = { authorization: 'Bearer token' }
const JSON_TYPE = { 'content-type': 'application/json' }

let bench: Bench
afterEach(() => bench.app.close())

type Given = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
const ask = async (path: string, { method = 'GET', headers = {}, body }: Given = {}) => {
  const answer = await bench.app.inject({
    method: method as 'GET',
    url: path.startsWith('/botadmin') ? path : BASE + path,
    headers: { 'accept-language': 'en', ...BEARER, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, problem: parsed(answer.body) }
}
const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  ask('/codesample', { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } })

describe('refusals of the HTTP side', () => {
  test('every refusal is problem+json with type, title, status, code and detail', async () => {
    bench = await openBench({})
    const { status, headers, problem } = await ask('/codesample/x')
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(problem).toEqual({
      type: 'urn:parley:problem:entity.notfound',
      title: 'Not Found',
      status: 404,
      code: 'entity.notfound',
      detail: 'This does not exist',
    })
  })

  test('the detail is in the language asked for, else the default', async () => {
    bench = await openBench({})
    const detail = async (language: string) =>
      (await ask('/codesample/x', { headers: { 'accept-language': language } })).problem.detail
    expect(await detail('es-MX,es;q=0.9,en;q=0.5')).toBe('Esto no existe')
    expect(await detail('fr, pt;q=0.2, en;q=0.1')).toBe('Isto não existe')
    expect(await detail('fr')).toBe('Isto não existe')
  })

  test('400: invalid JSON or UTF-8', async () => {
    bench = await openBench({})
    for (const body of [
      '{"name":',
      'nonsense',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      '['.repeat(1000),
    ])
      expect((await post(body)).problem).toMatchObject({ status: 400, code: 'request.unreadable' })
    expect((await ask('/codesample?search=%ff')).problem.code).toBe('request.unreadable')
    expect((await ask('/codesample/%ff')).problem.code).toBe('request.unreadable')
    expect((await post('{}', { 'idempotency-key': 'a b' })).problem.code).toBe('request.unreadable')
    expect(bench.commands).toEqual([])
  })

  test('401 without a session, with an ended one, and with half a token', async () => {
    bench = await openBench({})
    for (const authorization of ['', 'Bearer ended', 'Bearer ', 'Basic dG9rZW4='])
      expect((await ask('/codesample', { headers: { authorization } })).problem.code).toBe('auth.required')
    const answer = await ask('/codesample', { headers: { authorization: 'Bearer x', cookie: 'parley=token' } })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test('403 for a kind of thing that the caller may not touch, before the body is looked at', async () => {
    bench = await openBench({ access: { permissions: new Set(['readcodesample']) } })
    expect((await post('{"name":')).problem.code).toBe('access.forbidden')
    expect((await ask('/bot')).problem).toMatchObject({ status: 403, detail: 'You are not authorized!!!' })
    expect(bench.commands).toEqual([])
  })

  test('403 for a write by cookie from elsewhere or without an Origin', async () => {
    bench = await openBench({})
    const write = async (headers: Record<string, string>) => {
      const answer = await bench.app.inject({
        method: 'POST',
        url: `${BASE}/codesample`,
        headers: { cookie: 'parley=token', ...JSON_TYPE, ...headers },
        payload: '{"name":"a"}',
      })
      return answer.statusCode
    }
    expect(await write({})).toBe(403)
    expect(await write({ origin: 'https://evil.example' })).toBe(403)
    expect(await write({ origin: 'null' })).toBe(403)
    expect(await write({ origin: 'http://127.0.0.1:3000' })).toBe(201)
  })

  test('404 for paths nobody knows, in the API and beside it', async () => {
    bench = await openBench({})
    for (const path of ['/nothing', '/codesample/a/b/c', '/botadmin/t/none', '/__proto__', '/constructor'])
      expect((await ask(path)).problem).toMatchObject({ status: 404, code: 'entity.notfound' })
  })

  test('405 with Allow where the path is known', async () => {
    bench = await openBench({})
    const { problem, headers } = await ask('/codesample/x', { method: 'PUT', body: '{}', headers: JSON_TYPE })
    expect(problem).toMatchObject({ status: 405, code: 'request.method' })
    expect(headers.allow).toBe('DELETE, GET, HEAD, PATCH')
    expect((await ask('/audit', { method: 'DELETE' })).headers.allow).toBe('GET, HEAD')
  })

  test('413 above a megabyte', async () => {
    bench = await openBench({})
    expect((await post(`{"name":"${'a'.repeat(1_000_001)}"}`)).problem.code).toBe('request.toolarge')
  })

  test('415 for another content type, another charset, or none', async () => {
    bench = await openBench({})
    for (const type of ['text/plain', 'application/xml', 'application/json; charset=latin1'])
      expect((await post('{}', { 'content-type': type })).problem.code).toBe('request.mediatype')
    expect(await post('{}', { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 })
  })

  test('422 with errors for what a query or a body holds beyond the contract', async () => {
    bench = await openBench({})
    const code = async (query: string) => (await ask(`/codesample?${query}`)).problem?.errors?.[0]
    expect(await code('colour=red')).toMatchObject({ path: 'colour', code: 'unknown' })
    expect(await code('size=101')).toMatchObject({ path: 'size', code: 'toolarge' })
    expect(await code('page=0')).toMatchObject({ path: 'page', code: 'toosmall' })
    expect(await code('page=x')).toMatchObject({ path: 'page', code: 'format' })
    expect(await code('sort=colour')).toMatchObject({ path: 'sort', code: 'option' })
    expect(await code('name=a&name=b')).toMatchObject({ path: 'name', code: 'type' })
    expect((await post('[]')).problem.code).toBe('validation.failed')
    expect((await post('{"__proto__":{"admin":true}}')).problem.errors[0]).toMatchObject({ path: '__proto__' })
    expect((await post('{"name":"\\ud800"}')).problem.errors[0]).toMatchObject({ path: 'name', code: 'characters' })
    expect(bench.commands).toEqual([])
  })

  test('428 without If-Match, 412 with one that is no revision', async () => {
    bench = await openBench({})
    const patch = async (headers: Record<string, string>) =>
      (await ask('/codesample/x', { method: 'PATCH', body: '{}', headers: { ...JSON_TYPE, ...headers } })).problem
    expect(await patch({})).toMatchObject({ status: 428, code: 'request.precondition' })
    expect(await patch({ 'if-match': '"abc"' })).toMatchObject({ status: 412, code: 'entity.revision' })
  })

  test('500 tells nothing of what went wrong', async () => {
    bench = await openBench({ outcome: () => Promise.reject(new Error('the inside')) })
    const { problem, text } = await post('{"name":"a"}')
    expect(problem).toMatchObject({ status: 500, code: 'server.error', detail: 'Server Error!!' })
    expect(text).not.toContain('inside')
  })

  test('503 with Retry-After while draining and without the store; reads continue', async () => {
    bench = await openBench({ outcome: () => Promise.reject(new StoreReadOnly('full')) })
    const { problem, headers } = await post('{"name":"a"}')
    expect(problem).toMatchObject({ status: 503, code: 'store.readonly' })
    expect(headers['retry-after']).toBe('5')
    await bench.app.close()
    bench = await openBench({ outcome: () => Promise.reject(new StoreUnavailable('gone')) })
    expect((await post('{"name":"a"}')).problem.code).toBe('store.unavailable')
    bench.parts.readiness.drain()
    expect((await post('{"name":"a"}')).problem.code).toBe('server.draining')
    expect((await ask('/health/ready')).status).toBe(503)
    expect((await ask('/codesample/x')).status).toBe(404)
  })

  test('a node that drains ends with the requests that are under way, and keeps no connection for others [P-1502]', async () => {
    bench = await openBench({})
    await bench.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = bench.app.server.address() as AddressInfo
    const agent = new Agent({ keepAlive: true })
    const headers = { ...JSON_TYPE, ...BEARER, 'content-length': '2' }
    const sent = request({ port, host: '127.0.0.1', agent, method: 'POST', path: `${BASE}/codesample`, headers })
    const answered = once(sent, 'response')
    const arrived = once(bench.app.server, 'request')
    sent.write('{')
    await arrived
    bench.parts.readiness.drain()
    const closed = bench.app.close()
    sent.end('}')
    const [answer] = (await answered) as [IncomingMessage]
    expect(answer.headers.connection).toBe('close')
    answer.resume()
    // Fastify keeps a connection for 72 s.
    await closed
    agent.destroy()
  })

  test('returns a problem for a malformed request', async () => {
    bench = await openBench({})
    for (const path of ['/botadmin/api/%', '/botadmin/api/codesample/%E0%A4%A'])
      expect((await ask(path)).problem.status).toBe(400)
  })
})

describe('writes over HTTP', () => {
  test('a command carries the caller, the correlation and the key with the hash of its body', async () => {
    bench = await openBench({})
    const { status, headers, text } = await post('{"name":"a","name":"b"}', { 'idempotency-key': 'k1' })
    expect({ status, text }).toEqual({ status: 201, text: '{"id":"c1","revision":1}' })
    expect(headers).toMatchObject({ etag: '"1"', location: `${BASE}/codesample/c1` })
    const [command] = bench.commands
    expect(command).toMatchObject({
      entity: 'codesample',
      action: 'create',
      input: { name: 'b' },
      key: { value: 'k1', method: 'POST', path: `${BASE}/codesample` },
    })
    expect(command?.caller.subtree).toEqual(new Set(['root']))
  })

  test('the hash of a body does not depend on the order of its members', async () => {
    bench = await openBench({})
    await post('{"name":"a","code":"b"}', { 'idempotency-key': 'k' })
    await post('{"code":"b", "name":"a"}', { 'idempotency-key': 'k' })
    expect(bench.commands[0]?.key?.body).toBe(bench.commands[1]?.key?.body)
  })

  test('a write that this node does not show in time succeeds, says so, and makes the node unready', async () => {
    bench = await openBench({
      outcome: { ok: true, id: 'c1', revision: 1, position: '2' },
      read: { reached: async () => false },
    })
    const { status, headers } = await post('{"name":"a"}')
    expect(status).toBe(201)
    expect(headers['parley-projection']).toBe('behind')
    expect((await ask('/health/ready')).text).toBe('the read models are behind\n')
  })

  test('an ended process is answered once this node shows what it wrote [P-1508]', async () => {
    const awaited: string[] = []
    bench = await openBench({
      read: {
        reached: async position => {
          awaited.push(position)
          return true
        },
      },
    })
    const ended = { entity: 'codesample', action: 'remove', done: 1, total: 1, written: [], refused: [] }
    let state = 'running'
    Object.assign(bench.parts, {
      store: { head: async () => '7' },
      commands: { processReport: async () => ({ state, ...ended }) },
    })
    expect((await ask('/process/p1')).status).toBe(200)
    expect(awaited).toEqual([])
    state = 'finished'
    expect((await ask('/process/p1')).status).toBe(200)
    expect(awaited).toEqual(['7'])
  })

  test('a dialog whose name is taken is refused in the words of the specification', async () => {
    bench = await openBench({
      outcome: { ok: false, refusal: { code: 'entity.name.taken', params: { name: 'a' } } },
      access: { permissions: new Set(['createdialog']) },
    })
    const { problem } = await ask('/dialog', { method: 'POST', body: '{"name":"a"}', headers: JSON_TYPE })
    expect(problem).toMatchObject({ status: 409, detail: 'Dialog already exists' })
  })
})

test('ends at once with connections that are open and sent nothing yet [P-2253]', async () => {
  bench = await openBench({})
  await bench.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = bench.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const ended = once(socket, 'close')
  await once(bench.app.server, 'connection')
  const began = performance.now()
  await bench.app.close()
  await ended
  expect(performance.now() - began).toBeLessThan(5_000)
})
