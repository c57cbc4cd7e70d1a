import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTelegram, TELEGRAM_TOKEN } from '#test/doubles/telegram-server.ts'
import { startTraceReceiver } from '#test/doubles/trace-receiver.ts'
import { PROVIDER_ENV } from '#test/doubles/whatsapp/provider-server.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { readSource, sourceFiles } from '#test/lint/source-graph.ts'
import { makeFlowBot } from './chat-bot.ts'
import { type Client, discard } from './harness.ts'
import { type HostedParley, openParley } from './open-parley.ts'

const SOON = { timeout: 15_000, interval: 50 }
/** Planted where people, flows and services could leave them. */
const NAME = 'Maria Segredo'
const PLANTED = [NAME, 'Segredo', 'saldo-secreto', 'cpf-12345678909', '/pessoas/', 'chave-do-corpo', 'Ana Telegram']
const TOKEN = 'verify-token'
const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }
const traceparent = (flags: string) => `00-${CALLER.trace}-${CALLER.span}-${flags}`

interface Called {
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** A service of a flow, and the callback of a channel. */
const called: Called[] = []
const service = createServer((request, response) => {
  request.resume()
  called.push({ url: request.url ?? '', headers: request.headers })
  const status = request.url?.startsWith('/broken') ? 500 : 200
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"saldo":"saldo-secreto"}')
})
let port = 0

const opened: HostedParley[] = []

/** It asks for a name, calls a service with it, runs a script, and answers. */
const flowTo = (host: string, path: string) => ({
  operators: {
    start: plainBlock('start', 0),
    ask: plainBlock('prompt', 100, { varname: 'nome', data: { type: 'text', text: 'Seu nome?' } }),
    call: plainBlock('restservice', 200, {
      ...{ methodType: 'post', url: `http://${host}:${port}${path}/pessoas/{{nome}}?cpf=cpf-12345678909`, retries: 0 },
      ...{ input: '{"chave":"chave-do-corpo"}', resultVariable: 'conta', errorVariable: 'falha' },
    }),
    script: plainBlock('handler', 300, {
      quickscript: true,
      js: "function run() { return 'saldo-secreto' }",
      resultVariable: 'lido',
    }),
    bye: plainBlock('text', 400, { text: 'Até logo, {{nome}}: {{conta.saldo}}' }),
    sorry: plainBlock('text', 400, { text: 'Falhou, {{nome}}' }),
  },
  links: {
    ...{ a: link('start', 'ask'), b: link('ask', 'call'), c: link('call', 'script'), d: link('script', 'bye') },
    e: link('call', 'sorry', 'output_error'),
  },
})

const openTraced = async (share: string, more: Record<string, string> = {}) => {
  const env = {
    ...{ ...PROVIDER_ENV, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: share },
    ...{ OTEL_PROPAGATE_HOSTS: '127.0.0.1', ...more },
  }
  const parley = await openParley({ env })
  opened.push(parley)
  return { parley, admin: await parley.signIn() }
}

const restChannel = async (admin: Client, bot: string): Promise<string> => {
  const given = { channel_verify_token: TOKEN, callback_url: `http://127.0.0.1:${port}/callback` }
  return admin.create('channel', { bot, type: 'rest', ...given })
}

const writer =
  (parley: HostedParley, channel: string, headers: Record<string, string> = {}) =>
  (id: string, from: string, text: string) =>
    fetch(`${parley.origin}/rest/${channel}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: TOKEN, ...headers },
      body: JSON.stringify({ id, from, text }),
    })

const callbacks = () => called.filter(({ url }) => url === '/callback').length
const answered = (count: number) => vi.waitFor(() => expect(callbacks()).toBe(count), SOON)

service.listen(0, '127.0.0.1')
await once(service, 'listening')
port = (service.address() as AddressInfo).port
const receiver = await startTraceReceiver()
const telegram = await startTelegram()
afterAll(async () => {
  for (const parley of opened) await discard(parley)
  service.closeAllConnections()
  service.close()
  telegram.close()
  receiver.close()
})

describe('a gateway that sends each trace', () => {
  let bot = ''
  let dialog = ''
  let metrics = ''
  const all = () => receiver.spans()
  const named = (name: string) => all().filter(span => span.name === `parley.${name}`)
  const under = (parent: { readonly spanId: string } | undefined, name: string) =>
    named(name).filter(({ parentSpanId }) => parentSpanId !== undefined && parentSpanId === parent?.spanId)

  beforeAll(async () => {
    const { parley, admin } = await openTraced('1', { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' })
    const made = await makeFlowBot(admin, {}, flowTo('127.0.0.1', '/open'))
    bot = made.bot
    dialog = made.dialog
    const write = writer(parley, await restChannel(admin, bot), { traceparent: traceparent('01') })
    expect((await write('m-1', 'pessoa-1', 'oi')).status).toBe(200)
    await answered(1)
    expect((await write('m-2', 'pessoa-1', NAME)).status).toBe(200)
    await answered(2)
    const fields = { bot, type: 'telegram', name: 'T', url: telegram.url, auth_token: TELEGRAM_TOKEN, enable: false }
    const channel = await admin.create('channel', fields)
    const { revision } = (await admin.get(`/channel/${channel}`)).body
    expect((await admin.patch(`/channel/${channel}`, { enable: true }, revision)).status).toBe(200)
    await vi.waitFor(() => expect(telegram.hook.url).not.toBe(''), SOON)
    const person = { id: 77, is_bot: false, first_name: 'Ana Telegram' }
    const message = {
      message_id: 1,
      date: Math.floor(Date.now() / 1000),
      from: person,
      chat: { id: 77, type: 'private' },
    }
    await telegram.update(parley.origin, { message: { ...message, text: 'oi' } } as never)
    await vi.waitFor(() => expect(telegram.calls('sendMessage', '77')).toHaveLength(1), SOON)
    await admin.send('GET', '/bot', { headers: { authorization: `Bearer prl_${'a'.repeat(49)}` } })
    metrics = (await admin.get('/metrics')).text
    // Sends what waits.
    await parley.stop()
  }, 120_000)

  test('a turn follows its message, and has its claim, settings, steps, effects and append below it [P-2593]', () => {
    const received = named('receive').filter(({ attributes }) => attributes['parley.channel.type'] === 'rest')
    expect(received).toHaveLength(2)
    for (const span of received) {
      expect(span).toMatchObject({ traceId: CALLER.trace, parentSpanId: CALLER.span })
      expect(span.attributes).toMatchObject({ 'parley.provider': 'parley', 'parley.outcome': 'stored' })
    }
    const turn = named('turn').find(({ attributes }) => attributes['parley.turn'] === 2)
    expect(turn?.parentSpanId ?? '').toBe('')
    expect(turn?.links?.map(({ spanId }) => spanId)).toEqual([received[1]?.spanId])
    expect(turn?.attributes).toMatchObject({
      ...{ 'parley.bot': bot, 'parley.channel.type': 'rest', 'parley.release': 1, 'parley.outcome': 'done' },
      ...{ 'parley.steps': 4, 'parley.conversation': expect.stringMatching(/^[0-9a-f]{16}$/) },
    })
    expect(under(turn, 'claim').map(({ attributes }) => attributes)).toEqual([{ 'parley.taken_over': false }])
    expect(under(turn, 'settings').map(({ attributes }) => attributes['parley.cached'])).toEqual([expect.any(Boolean)])
    const [append] = under(turn, 'append')
    expect(append?.attributes).toEqual({ 'parley.events': 1, 'parley.bytes': expect.any(Number) })
    const steps = under(turn, 'step')
    expect(steps.map(({ attributes }) => attributes)).toEqual(
      [
        ['ask', 'prompt', 'output_1'],
        ['call', 'restservice', 'output_1'],
        ['script', 'handler', 'output_1'],
        ['bye', 'text', 'output_1'],
      ].map(([block, type, output]) => ({
        ...{ 'parley.dialog': dialog, 'parley.block': block, 'parley.block.type': type },
        'parley.output': output,
      })),
    )
    const [, call, script, bye] = steps
    expect(under(call, 'effect').map(({ attributes }) => attributes)).toEqual([
      {
        ...{ 'parley.effect': 'rest', 'parley.from_log': false, 'parley.outcome': 'done', 'parley.tries': 1 },
        ...{ 'http.request.method': 'POST', 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
      },
    ])
    expect(under(script, 'script').map(({ attributes }) => attributes['parley.outcome'])).toEqual(['done'])
    expect(under(bye, 'evaluate').map(({ attributes }) => attributes['parley.outcome'])).toEqual(['done'])
  })

  test('a delivery follows the turn of its message, and a message of a provider has its receive [P-2594]', () => {
    const turns = named('turn').map(({ spanId }) => spanId)
    const delivered = named('deliver')
    expect(delivered.map(({ attributes }) => attributes)).toEqual(
      ['rest', 'rest', 'telegram'].map(type => ({
        ...{ 'parley.channel.type': type, 'parley.provider': type, 'parley.outcome': 'sent', 'parley.tries': 1 },
      })),
    )
    expect(delivered.map(({ links }) => links?.[0]?.spanId)).toEqual(turns)
    const [told] = named('receive').filter(({ attributes }) => attributes['parley.provider'] === 'telegram')
    expect(told?.attributes).toMatchObject({ 'parley.channel.type': 'telegram', 'parley.outcome': 'stored' })
    expect(named('turn').at(-1)?.links?.[0]?.spanId).toBe(told?.spanId)
  })

  test('a command has its loads, its decision, its append and the wait for the read models below it [P-2595]', () => {
    const command = named('command').find(
      ({ attributes }) => attributes['parley.entity'] === 'bot' && attributes['parley.action'] === 'change',
    )
    expect(command?.attributes['parley.outcome']).toBe('done')
    expect(under(command, 'load').map(({ attributes }) => attributes['parley.entity'])).toContain('bot')
    expect(under(command, 'decide')).toHaveLength(1)
    expect(under(command, 'append').map(({ attributes }) => attributes['parley.events'])).toEqual([1])
    expect(under(command, 'projected')).toHaveLength(1)
  })

  test('words, values, people and addresses beyond the host are in no trace [P-2596]', () => {
    const text = receiver.text()
    expect(text).toContain('POST /v1/traces')
    expect(text).toContain('"x-key":"a b"')
    // The service got them, so that they were in reach.
    expect(called.some(({ url }) => url.includes('/pessoas/') && url.includes('cpf-12345678909'))).toBe(true)
    for (const planted of PLANTED) expect(text).not.toContain(planted)
    expect(text).not.toContain('pessoa-1')
    const ids = all().map(({ attributes }) => attributes['parley.conversation'])
    expect(ids.filter(id => id !== undefined).every(id => /^[0-9a-f]{16}$/.test(String(id)))).toBe(true)
  })

  test('the figures count turns, effects, deliveries and refused tokens [P-2603]', () => {
    for (const line of [
      'parley_turn_seconds_count{outcome="done"} 3',
      'parley_effect_seconds_count{kind="rest",outcome="done"} 1',
      'parley_effect_seconds_count{kind="script",outcome="done"} 1',
      'parley_channel_deliveries_total{channel="rest",outcome="sent"} 2',
      'parley_channel_deliveries_total{channel="telegram",outcome="sent"} 1',
      'parley_tokens_refused_total 1',
    ])
      expect(metrics.split('\n')).toContain(line)
    expect(metrics).toMatch(/^parley_turns_waiting \d+$/m)
    expect(metrics).toMatch(/^parley_channel_backlog \d+$/m)
  })

  test('calls to listed hosts name the trace [P-2597]', () => {
    const call = called.find(({ url }) => url.startsWith('/open'))
    const [effect] = named('effect').filter(({ attributes }) => attributes['parley.effect'] === 'rest')
    expect(call?.headers.traceparent).toBe(`00-${effect?.traceId}-${effect?.spanId}-01`)
  })
})

test('without a share, traces are sent that fail or that their caller chose, and other hosts learn no trace [P-2598] [P-2959]', async () => {
  const { parley, admin } = await openTraced('0')
  const { bot } = await makeFlowBot(admin, { nluenabled: true }, flowTo('localhost', '/broken'))
  const channel = await restChannel(admin, bot)
  const before = receiver.spans().length
  const sent = callbacks()
  const write = writer(parley, channel)
  await write('s-1', 'pessoa-2', 'oi')
  await answered(sent + 1)
  await write('s-2', 'pessoa-2', NAME)
  await answered(sent + 2)
  await writer(parley, channel, { traceparent: traceparent('01') })('s-3', 'pessoa-3', 'oi')
  await answered(sent + 3)
  await parley.stop()
  const spans = receiver.spans().slice(before)
  const turns = spans.filter(({ name }) => name === 'parley.turn')
  expect(turns.map(({ attributes }) => attributes['parley.turn'])).toEqual([2, 1])
  const [failed, chosen] = turns
  const ofTrace = (traceId = '') => spans.filter(span => span.traceId === traceId).map(({ name }) => name)
  expect(ofTrace(failed?.traceId)).toEqual(expect.arrayContaining(['parley.step', 'parley.effect', 'parley.append']))
  const [effect] = spans.filter(({ name }) => name === 'parley.effect')
  expect(effect?.status).toEqual({ code: 2, message: 'http' })
  expect(effect?.attributes['http.response.status_code']).toBe(500)
  const [understood] = spans.filter(({ name, traceId }) => name === 'parley.nlu' && traceId === failed?.traceId)
  expect(understood?.parentSpanId).toBe(failed?.spanId)
  expect(understood?.attributes).toMatchObject({
    ...{ 'parley.engine': 'parley', 'parley.model': 'production', 'parley.threshold.below': false },
  })
  expect(ofTrace(chosen?.traceId)).toContain('parley.step')
  expect(spans.filter(({ name }) => name === 'parley.receive').map(({ traceId }) => traceId)).toEqual([CALLER.trace])
  expect(called.find(({ url }) => url.startsWith('/broken'))?.headers.traceparent).toBeUndefined()
  for (const planted of PLANTED) expect(receiver.text()).not.toContain(planted)
}, 60_000)

test('only the file that is loaded where traces are sent imports OpenTelemetry [P-2599]', () => {
  const folders = '{schemas,domain,commands,projections,realtime,runtime,gateway,web}/**/*.{ts,tsx}'
  const importing = sourceFiles(folders).filter(file => readSource(file).includes("'@opentelemetry/"))
  expect(importing).toEqual(['gateway/open-tracer.ts'])
  const loading = sourceFiles(folders).filter(file => /from '[^']*open-tracer\.ts'/.test(readSource(file)))
  expect(loading).toEqual([])
})
