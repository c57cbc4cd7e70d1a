import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createCall, type OutboundRequest } from './call.ts'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

let answering: Answering
let seen: { readonly url: string; readonly method: string; readonly headers: IncomingMessage['headers'] }[] = []

const server = createServer((request, response) => {
  seen.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers })
  request.resume()
  request.on('end', () => answering(request, response))
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const port = (server.address() as AddressInfo).port
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
  answering = (_request, response) => response.end('ok')
})

/** Resolves every name to this computer. */
const anywhere = createCall({ allowPrivate: true, resolve: async () => ['127.0.0.1'] })
const ask = (more: Partial<OutboundRequest> = {}) =>
  anywhere({ method: 'GET', url: `http://one.example:${port}/`, headers: [], timeout: 15_000, most: 1000, ...more })
const textOf = async (answered: ReturnType<typeof ask>) => {
  const answer = await answered
  return answer.ok ? Buffer.from(answer.value.body).toString() : answer.refusal.code
}
const code = async (answered: ReturnType<typeof ask>) => {
  const answer = await answered
  return answer.ok ? answer.value.status : answer.refusal.code
}

describe('a call', () => {
  test('is sent as it is written, to the address that its name had when it was asked for', async () => {
    const asked: string[] = []
    const once = createCall({
      allowPrivate: true,
      resolve: async host => {
        asked.push(host)
        return ['127.0.0.1']
      },
    })
    const url = `http://rebound.example:${port}/a?b=c`
    const answer = await once({ method: 'POST', url, headers: [['X-Key', 'k']], body: 'ä', timeout: 15_000, most: 99 })
    expect(answer).toMatchObject({ ok: true, value: { status: 200, redirects: 0, truncated: false, url } })
    expect(asked).toEqual(['rebound.example'])
    expect(seen).toMatchObject([
      {
        url: '/a?b=c',
        method: 'POST',
        headers: { host: `rebound.example:${port}`, 'x-key': 'k', 'content-length': '2' },
      },
    ])
  })

  test('sends the same bytes of a header with any method and body', async () => {
    for (const request of [
      { method: 'GET' },
      { method: 'POST', body: 'ç' },
      { method: 'POST', bytes: Buffer.from('ç') },
    ])
      await ask({ ...request, headers: [['X-Name', 'Zé']] })
    expect(seen.map(({ headers }) => headers['x-name'])).toEqual(['Zé', 'Zé', 'Zé'])
  })

  test('never reaches this computer or its network, by an address, a name or a redirect', async () => {
    answering = (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end()
    const outside = createCall({ allowPrivate: false, resolve: async () => ['127.0.0.1'] })
    const request = { method: 'GET', headers: [], timeout: 15_000, most: 99 }
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])
      expect(await code(outside({ ...request, url: `http://${host}:${port}/` }))).toBe('outbound.private')
    for (const host of ['inside.example', 'localhost'])
      expect(await code(outside({ ...request, url: `http://${host}:${port}/` }))).toBe('outbound.unknown')
    expect(seen).toEqual([])
  })

  test('refuses a private name and a name that does not resolve in the same way', async () => {
    const names: Readonly<Record<string, readonly string[]>> = {
      'private.example': ['10.0.0.1'],
      'mapped.example': ['::ffff:10.0.0.1'],
      'mixed.example': ['1.1.1.1', '10.0.0.1'],
      'empty.example': [],
    }
    const resolve = async (host: string) => {
      const addresses = names[host]
      if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return addresses
    }
    const request = { method: 'GET', headers: [], timeout: 15_000, most: 99 }
    const outside = createCall({ allowPrivate: false, resolve })
    const hosts = [
      'private.example',
      'private.example:22',
      'mapped.example',
      'mixed.example',
      'empty.example',
      'no.example',
    ]
    const results = await Promise.all(
      hosts.map(async host => {
        const started = performance.now()
        const result = await outside({ ...request, url: `http://${host}/` })
        return { result, isPadded: performance.now() - started >= 490 }
      }),
    )
    const same = { result: { ok: false, refusal: { code: 'outbound.unknown' } }, isPadded: true }
    expect(results).toEqual(hosts.map(() => same))
  })

  test('checks each redirect again', async () => {
    answering = (_request, response) => response.writeHead(302, { location: 'http://inner.example/' }).end()
    const hosts: string[] = []
    const watching = createCall({
      allowPrivate: true,
      resolve: async host => {
        hosts.push(host)
        return host === 'inner.example' ? [] : ['127.0.0.1']
      },
    })
    const url = `http://outer.example:${port}/`
    expect(await code(watching({ method: 'GET', url, headers: [], timeout: 15_000, most: 99 }))).toBe(
      'outbound.unknown',
    )
    expect(hosts).toEqual(['outer.example', 'inner.example'])
    for (const [location, refusal] of [
      ['file:///etc/passwd', 'outbound.address'],
      ['http://name:word@one.example/', 'outbound.credentials'],
    ] as const) {
      answering = (_request, response) => response.writeHead(301, { location }).end()
      expect(await code(ask())).toBe(refusal)
    }
  })

  test('follows five redirects and no more, and takes no secret and no body to another site', async () => {
    answering = ({ url }, response) => {
      const step = Number(url?.slice(1))
      if (step < 5) response.writeHead(303, { location: `http://two.example:${port}/${step + 1}` }).end()
      else response.end('there')
    }
    const headers = [
      ['Authorization', 'Bearer s'],
      ['X-Api-Key', 's'],
      ['Accept', 'text/plain'],
    ] as const
    const answer = await ask({ method: 'POST', body: 'x', url: `http://one.example:${port}/0`, headers })
    expect(answer).toMatchObject({ ok: true, value: { redirects: 5, url: `http://two.example:${port}/5` } })
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET', 'GET'])
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer s', 'x-api-key': 's' })
    expect(Object.keys(seen[1]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
    answering = (_request, response) => response.writeHead(307, { location: '/again' }).end()
    expect(await code(ask())).toBe('outbound.redirects')
  })

  test('keeps its secrets on the same site', async () => {
    answering = ({ url }, response) => {
      if (url === '/') response.writeHead(308, { location: '/next' }).end()
      else response.end()
    }
    await ask({ method: 'PUT', body: 'x', headers: [['Authorization', 'Bearer s']] })
    expect(seen[1]).toMatchObject({ url: '/next', method: 'PUT', headers: { authorization: 'Bearer s' } })
  })

  test('cuts a body off where it is too long, packed or not, however much would come of it', async () => {
    expect(await textOf(ask())).toBe('ok')
    const long = 'a'.repeat(5_000_000)
    for (const [encoding, packed] of [
      ['gzip', gzipSync(long)],
      ['br', brotliCompressSync(long)],
      ['identity', Buffer.from('a'.repeat(5000))],
    ] as const) {
      answering = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(packed)
      const answer = await ask()
      expect(answer, encoding).toMatchObject({ ok: true, value: { truncated: true } })
      expect(answer.ok && answer.value.body.length, encoding).toBe(1000)
    }
    answering = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('small'))
    expect(await textOf(ask())).toBe('small')
    for (const encoding of ['gzip', 'gzip, gzip', 'toString']) {
      answering = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end('not packed')
      expect(await code(ask()), encoding).toBe('outbound.answer')
    }
  })

  test('ends in time, whether the name, the answer or its end is what never comes', async () => {
    const timeout = 50
    const nameless = createCall({ allowPrivate: false, resolve: () => new Promise(() => undefined) })
    const url = 'http://never.example/'
    expect(await code(nameless({ method: 'GET', url, headers: [], timeout, most: 9 }))).toBe('outbound.timeout')
    answering = () => undefined
    expect(await code(ask({ timeout }))).toBe('outbound.timeout')
    answering = (_request, response) => response.write('begun')
    expect(await code(ask({ timeout }))).toBe('outbound.timeout')
  })

  test('says what is wrong with the other side', async () => {
    answering = (_request, response) => response.writeHead(200, { big: 'x'.repeat(17_000) }).end()
    expect(await code(ask())).toBe('outbound.headers')
    answering = (_request, response) => response.socket?.end('this is not HTTP\r\n\r\n')
    expect(await code(ask())).toBe('outbound.answer')
    answering = (_request, response) => response.socket?.destroy()
    expect(await code(ask())).toBe('outbound.unreachable')
    expect(await code(ask({ url: `https://one.example:${port}/` }))).toBe('outbound.certificate')
  })

  test('uses a connection and its addresses again for frequent calls alone, and after an idle time a new one [P-2960]', async () => {
    const ports = new Set<number | undefined>()
    answering = ({ socket }, response) => {
      ports.add(socket.remotePort)
      response.end('ok')
    }
    let asked = 0
    const counting = createCall({
      allowPrivate: true,
      resolve: async () => {
        asked += 1
        return ['127.0.0.1']
      },
    })
    const url = `http://frequent.example:${port}/`
    const request = { method: 'POST', url, headers: [], body: 'x', timeout: 15_000, most: 99 } as const
    for (let n = 0; n < 3; n += 1) expect(await code(counting({ ...request, isFrequent: true }))).toBe(200)
    expect([ports.size, asked]).toEqual([1, 1])
    for (let n = 0; n < 2; n += 1) expect(await code(counting(request))).toBe(200)
    expect([ports.size, asked]).toEqual([3, 3])
    await new Promise(resolve => setTimeout(resolve, 2500))
    expect(await code(counting({ ...request, isFrequent: true }))).toBe(200)
    expect([ports.size, asked]).toEqual([4, 3])
  })

  test('refuses a frequent call to a host that is not public, each time', async () => {
    const outside = createCall({ allowPrivate: false, resolve: async () => ['127.0.0.1'] })
    const request = { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: [], timeout: 15_000, most: 99 }
    for (let n = 0; n < 2; n += 1)
      expect(await code(outside({ ...request, isFrequent: true }))).toBe('outbound.private')
    expect(seen).toEqual([])
  })

  test.each([
    ['host', 'x'],
    ['Content-Length', '9'],
    ['transfer-encoding', 'chunked'],
    ['a b', 'x'],
    ['a', 'x\r\ny: z'],
    ['a', 'ł'],
    ['a', 'x'.repeat(8_001)],
  ])('does not send the header %s', async (name, value) => {
    expect(await code(ask({ headers: [[name, value]] }))).toBe('outbound.header')
    expect(seen).toEqual([])
  })
})
