import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { readAgentEvents } from '#domain/agent-event.ts'
import { readAgentProfile } from '#domain/agent-profile.ts'
import { agentProfileExample } from '#domain/agent-profile-example.ts'
import type { AgentRequest, AgentSystem } from '#runtime/agent/agent-port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { sample } from '#test/doubles/agent/agent-server.ts'
import {
  PROFILE_HOOK,
  PROFILE_SECRET,
  type ProfileServer,
  profileFields,
  profileOf,
  startProfileServer,
} from '#test/doubles/agent/profile-server.ts'
import { type MlServer, startMlServer } from '#test/doubles/ml/ml-server.ts'
import { agentContract, kinds } from './contract.ts'
import { chat, codeOf, KEY, systemOf } from './opened-agents.ts'

const EVENTS = {
  joined: { type: 'joined', id: 'j1', agent: 'Joao' },
  message: { type: 'message', id: 'm1', agent: 'Joao' },
  closed: { type: 'closed', id: 'e1' },
  echo: { type: 'message', id: 'm0', from: 'customer', text: 'oi' },
}
const hooked = (body: JsonObject): AgentRequest => ({
  path: PROFILE_HOOK,
  query: new URLSearchParams(),
  headers: {},
  body,
})

for (const [type, by] of [
  ['presence', 'poll'],
  ['emc', 'longpoll'],
  ['xgen', 'webhook'],
] as const)
  for (const isOnce of [true, false])
    describe(`by ${by}, ${isOnce ? 'knowing' : 'not knowing'} what it is sent again [P-2400]`, () => {
      agentContract<ProfileServer>({
        type,
        start: () => startProfileServer({ recognizes: isOnce }),
        fields: server => profileFields(server, profileOf(by, isOnce)),
        secret: 'channel_password',
        said: ({ said }) => said,
        isClosed: ({ chats }) => chats.every(({ isOpen }) => !isOpen),
        recognizes: isOnce,
        ...(by === 'webhook'
          ? { requests: (_, happens, text) => [hooked({ key: KEY, events: [{ ...EVENTS[happens], text }] })] }
          : {
              happens: ({ events }) => ({
                joined: () => void events.push(EVENTS.joined),
                message: text => void events.push({ ...EVENTS.message, text }),
                closed: () => void events.push(EVENTS.closed),
                echo: () => void events.push(EVENTS.echo),
              }),
            }),
        setAvailable: ({ is }, isThere) => {
          is.free = isThere ? 1 : 0
        },
      })
    })

describe('a declared system', () => {
  let server: MlServer | undefined
  afterEach(async () => server?.close())

  const opened = async (by: 'poll' | 'longpoll' | 'webhook' = 'poll', change: object = {}, isOnce = false) => {
    const double = await startProfileServer({ recognizes: isOnce })
    server = double
    const fields = profileFields(double, profileOf(by, isOnce, change))
    return { double, fields, system: await systemOf({ type: 'gocontact', fields, url: double.url }) }
  }
  const open = async (system: AgentSystem, isAgain = false) =>
    system.open(chat({ transcript: '09:12 Ana: oi' }), { isAgain })
  const linkOf = async (system: AgentSystem) => {
    const result = await open(system)
    if (!result.ok) throw new Error(JSON.stringify(result.refusal))
    return result.value.link
  }
  const codesOf = async (result: ReturnType<AgentSystem['open']> | ReturnType<AgentSystem['say']>) => {
    const { ok, ...rest } = await result
    return ok ? 'ok' : 'refusal' in rest ? `${rest.refusal.code} ${String(rest.refusal.params?.rule ?? '')}`.trim() : ''
  }
  const say = (system: AgentSystem, link: object, text = 'oi') =>
    codesOf(system.say(link as never, { id: 'm', text, files: [] }, { isAgain: false }))

  test('opens no second chat when it is not known whether one was opened [P-2401]', async () => {
    const known = await opened('poll', {}, true)
    await open(known.system)
    expect((await open(known.system, true)).ok).toBe(true)
    expect(known.double.chats).toHaveLength(1)
    await known.double.close()
    const unknown = await opened('poll')
    await open(unknown.system)
    expect(await codesOf(open(unknown.system, true))).toBe('agent.unknown')
    expect(unknown.double.chats).toHaveLength(1)
  })

  test('gets the talk, the queue and the key, and tells where the person stands [P-2402]', async () => {
    const place = { method: 'GET', path: '/chats/{link.id}/place', answer: 'answer.position' }
    const { double, system } = await opened('poll', { queue: place })
    const link = await linkOf(system)
    expect(double.chats[0]?.body).toEqual({ key: KEY, name: 'Ana', queue: 'sac', history: '09:12 Ana: oi' })
    const polled = await system.poll?.(link, true)
    expect(polled).toMatchObject({ ok: true, value: { events: [{ kind: 'queued', position: 3 }] } })
    expect(polled?.ok && polled.value.link).toMatchObject({ link: { id: 1, after: 'c1' } })
    const next = (polled?.ok ? polled.value.link : undefined) ?? link
    expect(await system.poll?.(next, false)).toMatchObject({ ok: true, value: { link: { link: { after: 'c2' } } } })
    const polls = double.calls.filter(({ path }) => path.endsWith('/events'))
    expect(polls.map(({ query }) => query.get('after'))).toEqual([null, 'c1'])
  })

  test('renews a token once when it is refused, and shows no secret in an error [P-2403]', async () => {
    const { double, system } = await opened()
    const link = await linkOf(system)
    const signIns = () => double.calls.filter(({ path }) => path === '/token').length
    expect(signIns()).toBe(1)
    double.is.token = 'planted-second'
    expect(await say(system, link)).toBe('ok')
    expect(signIns()).toBe(2)
    double.is.status = 401
    const refused = await system.say(link, { id: 'm2', text: 'oi', files: [] }, { isAgain: false })
    expect(codeOf(refused)).toBe('agent.unauthorized')
    expect(signIns()).toBe(3)
    expect(JSON.stringify(refused)).not.toContain('planted')
  })

  test('reads closed chats, absent agents and errors by its own rules [P-2404]', async () => {
    const errors = { retry: [420], gone: [410], nobody: 'answer.code = "E-17" and status = 409', code: 'answer.code' }
    const { double, system } = await opened('poll', { errors })
    const link = await linkOf(system)
    for (const [status, code] of [
      [410, 'agent.gone'],
      [409, 'agent.nobody'],
      [420, 'agent.toomany'],
      [500, 'agent.failed'],
      [404, 'agent.notfound'],
    ] as const) {
      double.is.status = status
      const said = await system.say(link, { id: `m${status}`, text: 'oi', files: [] }, { isAgain: false })
      expect(codeOf(said), String(status)).toBe(code)
      if (code === 'agent.failed') expect(said).toMatchObject({ refusal: { params: { error: 'E-17' } } })
    }
  })

  test('sends a long message in parts and loses no word of it [P-2402]', async () => {
    const { double, system } = await opened('poll', { limits: { text: 10 } })
    const link = await linkOf(system)
    expect(await say(system, link, 'um texto que é longo')).toBe('ok')
    expect(double.said).toEqual(['um texto', 'que é long', 'o'])
  })

  test('ends no part of a message within a character [P-2424]', async () => {
    const { double, system } = await opened('poll', { limits: { text: 3 } })
    const link = await linkOf(system)
    expect(await say(system, link, 'ab👍👍c')).toBe('ok')
    expect(double.said).toEqual(['ab', '👍', '👍c'])
    const narrow = await opened('poll', { limits: { text: 1 } })
    expect(await say(narrow.system, await linkOf(narrow.system), 'a👍b')).toBe('ok')
    expect(narrow.double.said).toEqual(['a', '👍', 'b'])
  })

  test('believes a call by the HMAC of its bytes [P-2405]', async () => {
    const verify = { scheme: 'hmac-sha256', header: 'x-sign', prefix: 'v1=' }
    const { system } = await opened('webhook', { webhook: { verify, key: 'body.key', answer: { status: 202 } } })
    const bytes = Buffer.from('{"key":"a"}')
    const sign = (secret: string) => `v1=${createHmac('sha256', secret).update(bytes).digest('hex')}`
    const head = (given: string) => ({ path: '', query: new URLSearchParams(), headers: { 'x-sign': given } })
    expect(system.isProvenByBody).toBe(true)
    expect(system.isProven?.(head(sign(PROFILE_HOOK)), bytes)).toBe(true)
    expect(system.isProven?.(head(sign('another')), bytes)).toBe(false)
    expect(system.isProven?.(head(sign(PROFILE_HOOK)))).toBe(false)
    expect(system.answer).toEqual({ status: 202, body: {} })
  })

  test('gives the events of one call to the chats that they name, the others to the chat of the call [P-2710]', async () => {
    const list = "body.events.{'key': chat, 'kind': 'message', 'id': id, 'text': text}"
    const { system } = await opened('webhook', { events: { by: 'webhook', list } })
    const received = async (body: JsonObject) => {
      const result = await system.receive?.(hooked(body))
      if (result?.ok !== true) throw new Error(JSON.stringify(result))
      return result.value.map(({ key, events }) => [key, events.map(each => ('id' in each ? each.id : each.kind))])
    }
    const event = (chat: string | null, id: string) => ({ ...(chat === null ? {} : { chat }), id, text: 'oi' })
    const events = [event('a', '1'), event('b', '2'), event(null, '3'), event('a', '4')]
    expect(await received({ key: 'c', events })).toEqual([
      ['a', ['1', '4']],
      ['b', ['2']],
      ['c', ['3']],
    ])
    // An event without any chat is ignored.
    expect(await received({ events })).toEqual([
      ['a', ['1', '4']],
      ['b', ['2']],
    ])
  })

  test.each([
    ['$f := function($n) { $f($n) }; $f(1)', 'open.body'],
    ['{"text": $join([1..300000].("abcdef"))}', 'open.body'],
    ['{"key": chat.key', 'form'],
  ])('refuses a rule that never ends, or gives too much, by its name: %s [P-2406]', async (body, rule) => {
    const change = { open: { path: '/chats', body: `(${body})`, link: '{"id": answer.id}' } }
    if (rule === 'form') {
      expect(readAgentProfile(profileOf('poll', false, change)).faults).toEqual([{ path: 'open.body', fault: 'rule' }])
      return
    }
    const { double, system } = await opened('poll', change)
    expect(await codesOf(open(system))).toBe(`agent.profile ${rule}`)
    expect(double.chats).toEqual([])
  })

  test('calls nowhere but where it is declared, and follows no redirect [P-2406]', async () => {
    const elsewhere = { path: 'https://evil.example/chats', link: '{"id": 1}' }
    for (const path of ['https://evil.example/chats', '//evil.example/chats', '/chats/{secret.x}'])
      expect(readAgentProfile(profileOf('poll', false, { open: { ...elsewhere, path } })).faults).toEqual([
        { path: 'open.path', fault: 'form' },
      ])
    const { double, system, fields } = await opened()
    expect(await say(system, { chat: { key: KEY }, link: { id: '..' } })).toBe('agent.profile say.path')
    expect(await say(system, { chat: { key: KEY }, link: { id: '1/../../token?' } })).toBe('agent.gone')
    expect(double.calls.at(-1)?.path).toBe('/chats/1%2F..%2F..%2Ftoken%3F/messages')
    const leading = await startMlServer(
      () => ({ body: {} }),
      () => ({}),
    )
    const moved = createRedirect(leading.url)
    const { url, close } = await moved
    const away = await systemOf({ type: 'gocontact', fields: { ...fields, url }, url })
    expect(await codesOf(open(away))).toMatch(/^outbound\.redirects|^agent\.profile/u)
    expect(leading.calls).toEqual([])
    await close()
    await leading.close()
  })

  test('refuses an answer beyond its size by the name of the call [P-2406]', async () => {
    const { double, system } = await opened()
    await linkOf(system)
    double.fault = 'huge'
    expect(await codesOf(open(system))).toBe('agent.profile open.size')
  })

  test('reads any answer without throwing, and gives no event without an id [P-2407]', async () => {
    let seen = 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
        seen += 1
        const events = readAgentEvents([value, { kind: 'message', text: 'x', id: value }] as Json)
        for (const event of events) expect(!('id' in event) || event.id.length > 0).toBe(true)
      }),
      { numRuns: 1000 },
    )
    expect(seen).toBe(1000)
    const { system } = await opened('webhook')
    for (const value of fc.sample(fc.jsonValue({ maxDepth: 4 }), 100)) {
      const received = await system.receive?.(hooked({ key: KEY, events: value as Json }))
      expect(received === undefined ? '' : codeOf(received)).toMatch(/^(?:ok|agent\.profile)$/u)
    }
  })

  test('keeps the text and ten files of a message with more, and says that something was unreadable [P-2407]', () => {
    const message = { kind: 'message', id: 'm', text: 'oi' }
    const files = Array.from({ length: 11 }, (_, n) => ({ name: `f${n}`, type: '', url: `https://f.example/${n}` }))
    const ten = files.slice(0, 10)
    expect(readAgentEvents([{ ...message, files }])).toMatchObject([{ ...message, files: ten }, { kind: 'unread' }])
    expect(readAgentEvents([{ ...message, files: [...ten.slice(0, 1), { url: '/f/1' }] }])).toMatchObject([
      { ...message, files: ten.slice(0, 1) },
      { kind: 'unread' },
    ])
    expect(readAgentEvents([{ kind: 'other', id: 'o' }])).toEqual([{ kind: 'unread' }])
    expect(readAgentEvents([{ ...message, files: ten }])).toHaveLength(1)
    expect(readAgentEvents(null)).toEqual([])
  })

  test('keeps secrets out of rules and of everything but its proof [P-2408]', () => {
    const strayed = profileOf('poll', false, { close: { path: '/c', headers: { x: '$secret:channel_password' } } })
    expect(readAgentProfile(strayed).faults).toEqual([{ path: 'close.headers.x', fault: 'secret' }])
    const unknown = profileOf('poll', false, { auth: { scheme: 'none', headers: { x: '$secret:url' } } })
    expect(readAgentProfile(unknown).faults).toEqual([{ path: 'auth.headers.x', fault: 'secret' }])
  })
})

const createRedirect = async (to: string) => {
  const { createServer } = await import('node:http')
  const from = createServer((_, response) => response.writeHead(302, { location: `${to}/x` }).end())
  await new Promise<void>(resolve => from.listen(0, '127.0.0.1', resolve))
  const { port } = from.address() as { readonly port: number }
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise(resolve => from.close(resolve)) }
}

describe('the preset of Avaya Experience Platform [P-2409]', () => {
  const values = { account: 'ABCDEF', integration: 'integration-1', endsWithAgent: true }
  const close = { path: '/api/disconnect/{chat.key}', body: '{"reason": "done"}' }
  const started = async () => {
    const double = await startMlServer(
      ({ path, headers }) => {
        if (path.endsWith('/token'))
          return headers.appkey === 'planted-appkey'
            ? { body: sample('avayaccaas', 'res-token') }
            : { status: 401, body: {} }
        return headers.authorization === 'Bearer example-access-token'
          ? { status: 202, body: {} }
          : { status: 401, body: {} }
      },
      () => ({}),
    )
    const profile = { ...(agentProfileExample('avayaccaas') as JsonObject), values, close }
    const fields = {
      url: double.url,
      channel_id: 'client',
      channel_password: PROFILE_SECRET,
      verifytoken: 'planted-appkey',
      provider_id: '6d2b7a6f',
      channel_extra_info: profile,
    }
    return { double, system: await systemOf({ type: 'avayaccaas', fields, url: double.url }) }
  }

  test('lacks the account, the integration’s name and the call that ends a chat', () => {
    expect(readAgentProfile(agentProfileExample('avayaccaas')).faults).toEqual([{ path: 'close', fault: 'missing' }])
    const ended = { ...(agentProfileExample('avayaccaas') as JsonObject), close }
    expect(readAgentProfile(ended).faults).toEqual([{ path: 'values.account', fault: 'missing' }])
  })

  test('sends the body of the sample', async () => {
    const { double, system } = await started()
    const result = await system.open(chat({ key: 'conversation-1', queue: 'support', said: 'oi' }), { isAgain: false })
    expect(codeOf(result)).toBe('ok')
    const call = double.calls.at(-1)
    expect(call?.path).toBe('/api/digital/custom-messaging/v1/accounts/ABCDEF/messages')
    expect(JSON.parse(call?.body ?? '')).toEqual({
      ...sample('avayaccaas', 'out-send-message'),
      providerMessageId: 'conversation-1-0',
    })
    const token = double.calls.find(({ path }) => path.endsWith('/token'))
    expect(token?.path).toBe('/api/auth/v1/ABCDEF/protocol/openid-connect/token')
    expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client',
      client_secret: PROFILE_SECRET,
    })
    await double.close()
  })

  test.each([
    ['in-messages-agent', [{ kind: 'message', id: 'm-2', from: 'agent', agent: { name: 'Joao' }, text: 'Ola' }]],
    ['in-messages-own-echo', []],
    ['in-participant-added', [{ kind: 'joined', agent: { name: 'Joao' } }]],
    ['in-participant-disconnected', [{ kind: 'transferred' }]],
    ['in-typing', [{ kind: 'typing', isTyping: true }]],
    ['in-engagement-error', [{ kind: 'error', code: 'NO_ROUTE' }]],
  ])('reads %s', async (name, expected) => {
    const { double, system } = await started()
    const received = await system.receive?.({
      path: 'planted-appkey',
      query: new URLSearchParams(),
      headers: {},
      body: sample('avayaccaas', name) as JsonObject,
    })
    expect(received).toMatchObject({ ok: true, value: [{ key: 'conversation-1', events: expected }] })
    expect(received?.ok && kinds(received.value[0]?.events ?? [])).toHaveLength(expected.length)
    await double.close()
  })
})
