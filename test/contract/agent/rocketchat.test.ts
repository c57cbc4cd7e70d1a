import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentRequest } from '#runtime/agent/agent-port.ts'
import type { Json } from '#schemas/event.ts'
import { sample } from '#test/doubles/agent/agent-server.ts'
import {
  ROCKETCHAT_SECRET,
  ROCKETCHAT_TOKEN,
  ROCKETCHAT_USER,
  type RocketChatServer,
  startRocketChatServer,
} from '#test/doubles/agent/rocketchat-server.ts'
import { agentContract, kinds } from './contract.ts'
import { chat, codeOf, KEY, systemOf } from './opened-agents.ts'

const NAMES = {
  joined: 'in-webhook-livechat-session-taken',
  message: 'in-webhook-agent-message',
  closed: 'in-webhook-session-closed',
  echo: 'in-webhook-visitor-echo',
} as const

const request = (name: string, change: object = {}): AgentRequest => {
  const given = sample('rocketchat', name)
  return {
    path: '',
    query: new URLSearchParams(),
    headers: { 'x-rocketchat-livechat-token': ROCKETCHAT_SECRET },
    body: { ...given, visitor: { ...(given.visitor as object), token: KEY }, ...change } as Json,
  }
}
const fields = ({ url }: { readonly url: string }) => ({
  url: `${url}/`,
  channel_id: ROCKETCHAT_USER,
  channel_password: ROCKETCHAT_TOKEN,
  verifytoken: ROCKETCHAT_SECRET,
  defaultqueue: 'sac',
})

agentContract<RocketChatServer>({
  type: 'rocketchat',
  start: startRocketChatServer,
  fields,
  secret: 'channel_password',
  said: server => server.said(),
  isClosed: ({ rooms }) => rooms.get(KEY)?.isOpen === false,
  requests: (_server, happens, text) => {
    if (happens !== 'message') return [request(NAMES[happens])]
    const [said] = sample('rocketchat', NAMES.message).messages as readonly object[]
    return [request(NAMES.message, { messages: [{ ...said, msg: text }] })]
  },
  recognizes: true,
  setAvailable: (server, isThere) => {
    server.is.isOnline = isThere
  },
})

describe('Rocket.Chat', () => {
  let server: RocketChatServer
  beforeEach(async () => {
    server = await startRocketChatServer()
  })
  afterEach(() => server.close())
  const opened = (change: object = {}) =>
    systemOf({ type: 'rocketchat', fields: { ...fields(server), ...change }, url: server.url })

  test('receives the person, the transcript and the department [D-3.2.04]', async () => {
    const system = await opened()
    expect(codeOf(await system.open(chat({ transcript: '> oi\n< olá' }), { isAgain: false }))).toBe('ok')
    expect(server.visitors.get(KEY)).toEqual({
      token: KEY,
      name: 'Ana',
      email: 'ana@example.com',
      department: 'sac',
      customFields: [{ key: 'cpf', value: '1', overwrite: true }],
    })
    expect(server.said()).toEqual(['> oi\n< olá'])
    await system.open(chat({ transcript: '> oi\n< olá' }), { isAgain: true })
    expect(server.rooms.size).toBe(1)
    expect(server.said()).toHaveLength(1)
  })

  test('says that nobody is there, and that a room is closed [D-3.2.04] [P-1194]', async () => {
    const system = await opened()
    server.is.isOnline = false
    expect(codeOf(await system.open(chat(), { isAgain: false }))).toBe('agent.nobody')
    server.is.isOnline = true
    const link = await system.open(chat(), { isAgain: false })
    if (!link.ok) throw new Error('not opened')
    await system.close(link.value.link)
    expect(codeOf(await system.say(link.value.link, { id: 'm', text: 'oi', files: [] }, { isAgain: false }))).toBe(
      'agent.gone',
    )
    expect((await opened({ queue_enabled: true })).available).toBeUndefined()
  })

  test('reports queues, transfers and files, and no chat without a token [P-1192]', async () => {
    const system = await opened()
    const told = async (name: string, change?: object) => {
      const received = await system.receive?.(request(name, change))
      return received?.ok ? (received.value[0]?.events ?? []) : []
    }
    expect(kinds(await told('in-webhook-livechat-session-queued'))).toEqual(['queued'])
    expect(await told('in-webhook-livechat-session-forwarded')).toMatchObject([
      { kind: 'transferred' },
      { kind: 'joined', agent: { name: 'eva', avatar: `${server.url}/avatar/eva` } },
    ])
    expect(await told('in-webhook-file')).toMatchObject([
      {
        kind: 'message',
        files: [{ name: 'boleto.pdf', type: 'application/pdf', url: expect.stringContaining('/file-upload/') }],
      },
    ])
    expect(kinds(await told('in-webhook-livechat-session-start'))).toEqual([])
    expect(system.receive?.(request('in-webhook-lead-capture', { visitor: null }))).toEqual({ ok: true, value: [] })
  })

  test('is also polled when the channel has an interval, with the message ids of the webhook [D-3.2.04] [P-1192]', async () => {
    const system = await opened({ check_agent_message_availibility_interval: 1000 })
    expect(system.pollPause).toBe(1000)
    const link = await system.open(chat(), { isAgain: false })
    if (!link.ok) throw new Error('not opened')
    await system.say(link.value.link, { id: 'm1', text: 'oi', files: [] }, { isAgain: false })
    await server.write('Pois não?', '7xjkw8ZFitMSNGmeJ')
    const polled = await system.poll?.(link.value.link)
    expect(polled?.ok && polled.value.events).toMatchObject([
      { kind: 'message', id: '7xjkw8ZFitMSNGmeJ', from: 'agent', text: 'Pois não?', agent: { name: 'Joao' } },
    ])
  })
})
