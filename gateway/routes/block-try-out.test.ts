import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import type { Row } from '#projections/port.ts'
import { type Bench, openBench } from '../fixture.ts'

const ROW = {
  hierarchylevel: 'root',
  created_at: '',
  modified_at: '',
  created_by: null,
  modified_by: null,
  revision: 1,
}
const ROWS: Readonly<Record<string, Row>> = {
  'dialog d1': { ...ROW, id: 'd1', dialogtask: 't1' },
  'dialogtask t1': { ...ROW, id: 't1', bot: 'b1' },
  'bot b1': { ...ROW, id: 'b1', expressionparser: 'ExprEval' },
  'dialog d2': { ...ROW, id: 'd2', dialogtask: 't2' },
  'dialogtask t2': { ...ROW, id: 't2', bot: 'b2' },
  'bot b2': { ...ROW, id: 'b2', expressionparser: 'JsonAta' },
}

const benchWith = (allow: string) =>
  openBench({
    access: { permissions: new Set(['updatedialog']) },
    read: { detail: async (_scope, entity, id) => ROWS[`${entity} ${id}`] as never },
    settings: { ALLOW_PRIVATE_ADDRESSES: allow },
  })
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url, headers } = request
    if (url === '/feed') {
      const item = '<item><title>Olá</title><link>https://example.com/</link></item>'
      const xml = `<?xml version="1.0" encoding="iso-8859-1"?><rss><channel>${item.repeat(9)}</channel></rss>`
      return response.end(Buffer.from(xml, 'latin1'))
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, key: headers['x-key'], body: String(Buffer.concat(chunks)) }))
  })
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const open = await benchWith('true')
const closed = await benchWith('false')
afterAll(async () => {
  await Promise.all([open.app.close(), closed.app.close()])
  server.close()
})

const attempt = async (bench: Bench, block: string, payload: object, id = 'd1', kind = 'dialog') => {
  const answer = await bench.app.inject({
    method: 'POST',
    url: `/botadmin/api/${kind}/${id}/try/${block}`,
    headers: { authorization: 'Bearer token', 'accept-language': 'en' },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

describe('trying a restservice block', () => {
  test('calls what its expressions say in its bot’s language, with the values at hand', async () => {
    const properties = {
      methodType: 'post',
      url: `${origin}/users/{id}?q={name || "-1"}`,
      headers: { 'X-Key': '{key}' },
      input: '{"name": "<name>", "total": <total * 2>, "at": <order>}',
      formData: [{ name: 'unused', value: 'x' }],
    }
    const values = { id: 7, name: 'ana', key: 'k-1', total: 21, order: { items: [1] } }
    const { status, body } = await attempt(open, 'call', { properties, values })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      request: { method: 'POST', url: `${origin}/users/7?q=ana-1` },
      answer: { status: 200, redirects: 0, binary: false, truncated: false },
    })
    expect(JSON.parse(body.answer.body)).toEqual({
      method: 'POST',
      url: '/users/7?q=ana-1',
      key: 'k-1',
      body: '{"name":"ana","total":42,"at":{"items":[1]}}',
    })
  })

  test('sends form data where there is no input, and neither where nothing is to be changed', async () => {
    const properties = { url: origin, formData: [{ id: 'i1', name: 'nome', value: 'Olá {name}' }] }
    const sent = async (methodType: string) =>
      JSON.parse(
        (await attempt(open, 'call', { properties: { ...properties, methodType }, values: { name: 'Zé' } })).body.answer
          .body,
      )
    expect(await sent('put')).toMatchObject({ method: 'PUT', body: 'nome=Ol%C3%A1+Z%C3%A9' })
    expect(await sent('get')).toMatchObject({ method: 'GET', body: '' })
  })

  test('says every expression that gives nothing, and calls nobody then', async () => {
    const properties = {
      url: `${origin}/{{missing(}}`,
      headers: [
        { name: 'A', value: '{nobody(1)}' },
        { name: 'B', value: '{{1 +}}' },
      ],
    }
    const { body } = await attempt(open, 'call', { properties })
    expect(body.answer).toBeUndefined()
    expect(body.failure.code).toBe('validation.failed')
    const paths = body.failure.errors.map(({ path }: { path: string }) => path)
    expect(paths.toSorted()).toEqual(['headers.0', 'headers.1', 'url'])
    expect(body.failure.errors.find(({ path }: { path: string }) => path === 'headers.0')).toMatchObject({
      code: 'expression',
      message: 'No function is named “nobody”',
    })
    expect(body.failure.errors.find(({ path }: { path: string }) => path === 'headers.1')).toMatchObject({
      message: 'The expression ends too early',
    })
  })

  test.each(['$pad("a", 500000000)', '($f := function($n) { $f($n) }; $f(1))'])(
    'answers when the expression %s takes all memory or all time',
    async source => {
      const { status, body } = await attempt(open, 'call', { properties: { url: `${origin}/<@ ${source} @>` } }, 'd2')
      expect(status).toBe(200)
      expect(body.failure).toMatchObject({ code: 'validation.failed', errors: [{ path: 'url', code: 'expression' }] })
    },
  )

  test('reaches no private address unless that is allowed, and says so in words', async () => {
    const { body } = await attempt(closed, 'call', { properties: { url: origin } })
    expect(body.failure).toEqual({
      code: 'outbound.private',
      detail: '127.0.0.1 leads into a private network, which calls may not reach here',
    })
  })

  test('is for who may change that flow alone', async () => {
    expect((await attempt(open, 'call', {}, 'other')).status).toBe(404)
    expect((await attempt(open, 'call', {}, 'd1', 'handler')).status).toBe(403)
    expect((await attempt(open, 'call', { url: origin })).status).toBe(422)
  })

  test('may be done thirty times a minute', async () => {
    const bench = await benchWith('false')
    for (let count = 0; count < 30; count++) expect((await attempt(bench, 'call', {})).status).toBe(200)
    const { status, body } = await attempt(bench, 'call', {})
    expect([status, body.code]).toEqual([429, 'request.toomany'])
    await bench.app.close()
  })
})

describe('trying a handler’s script', () => {
  test('runs it with the values of its parameters in their order', async () => {
    const js = 'function run(b, a, c) {\n  console.log(a)\n  return [b.x, a, c]\n}'
    const properties = { js, handlerparameters: ['pedido.b', 'a', 'toString'] }
    const { body } = await attempt(open, 'script', { properties, values: { a: 1, 'pedido.b': { x: 'y' } } })
    expect(body).toMatchObject({ value: ['y', 1, null], console: [{ level: 'log', text: '1' }] })
  })

  test('says the line of its error', async () => {
    const { status, body } = await attempt(open, 'script', { properties: { js: '\n\nnobody()' } })
    expect(status).toBe(200)
    expect(body.error).toMatchObject({ line: 3 })
    const long = await attempt(open, 'script', { properties: { js: ' '.repeat(200_001) } })
    expect(long.body.failure.code).toBe('request.toolarge')
  })
})

describe('trying an rssfeed block', () => {
  test('returns the requested number of items, in the encoding of the feed', async () => {
    const properties = { url: `${origin}/{name}`, numberOfNews: 2 }
    const { body } = await attempt(open, 'feed', { properties, values: { name: 'feed' } })
    const item = { title: 'Olá', description: '', link: 'https://example.com/', image: '' }
    expect(body).toMatchObject({ status: 200, feed: { title: '', items: [item, item] } })
  })

  test('says what is no feed, and what it may not reach', async () => {
    const page = await attempt(open, 'feed', { properties: { url: `${origin}/other` } })
    expect(page.body).toMatchObject({ status: 200, failure: { code: 'feed.format' } })
    const inside = await attempt(closed, 'feed', { properties: { url: `${origin}/feed` } })
    expect(inside.body.failure.code).toBe('outbound.private')
  })
})
