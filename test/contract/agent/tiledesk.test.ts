import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentRequest } from '#runtime/agent/agent-port.ts'
import type { Json } from '#schemas/event.ts'
import { sample } from '#test/doubles/agent/agent-server.ts'
import {
  startTiledeskServer,
  TILEDESK_PASSWORD,
  TILEDESK_PROJECT,
  TILEDESK_SECRET,
  TILEDESK_USER,
  type TiledeskServer,
} from '#test/doubles/agent/tiledesk-server.ts'
import { agentContract, kinds } from './contract.ts'
import { chat, codeOf, KEY, systemOf } from './opened-agents.ts'

const REQUEST_ID = `support-group-${TILEDESK_PROJECT}-${KEY}`

/** A delivery of the corpus, for the chat of the test. */
const request = (name: string, change: object = {}): AgentRequest => {
  const given = sample('tiledesk', name)
  const text = JSON.stringify({ ...given, payload: { ...(given.payload as object), ...change } })
  return {
    path: '',
    query: new URLSearchParams(),
    headers: { 'x-hook-secret': TILEDESK_SECRET },
    body: JSON.parse(text.replaceAll(`support-group-${TILEDESK_PROJECT}-1`, REQUEST_ID)) as Json,
  }
}
const fields = ({ url }: { readonly url: string }) => ({
  url,
  channel_id: TILEDESK_PROJECT,
  user: TILEDESK_USER,
  channel_password: TILEDESK_PASSWORD,
  verifytoken: `other-secret ${TILEDESK_SECRET}`,
})

agentContract<TiledeskServer>({
  type: 'tiledesk',
  start: startTiledeskServer,
  fields,
  secret: 'channel_password',
  said: ({ requests }) => (requests.get(REQUEST_ID) ?? []).map(({ text }) => text),
  isClosed: ({ is }) => is.isClosed,
  requests: (_server, happens, text) => {
    switch (happens) {
      case 'joined':
        return [request('in-request-participants-update')]
      case 'message':
        return [request('in-message-create-agent', { text })]
      case 'closed':
        return [request('in-request-close')]
      case 'echo':
        return [request('in-message-create-agent', { sender: 'guest-1', text: 'oi', attributes: { parley: 'm1' } })]
      default:
        return happens satisfies never
    }
  },
  recognizes: true,
  setAvailable: ({ is }, isThere) => {
    is.isOpen = isThere
  },
})

describe('Tiledesk', () => {
  let server: TiledeskServer
  beforeEach(async () => {
    server = await startTiledeskServer()
  })
  afterEach(() => server.close())
  const opened = (change: object = {}) =>
    systemOf({ type: 'tiledesk', fields: { ...fields(server), ...change }, url: server.url })

  test('makes the request with the first message, in its department, once [D-3.2.06]', async () => {
    const system = await opened()
    for (const isAgain of [false, true]) expect(codeOf(await system.open(chat(), { isAgain }))).toBe('ok')
    const posts = server.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
    expect(posts.map(({ body }) => JSON.parse(body))).toMatchObject([
      { text: 'Quero falar com alguém', senderFullname: 'Ana', departmentid: 'sac', metadata: { cpf: '1' } },
    ])
  })

  test('is closed by the person themselves where the channel has no user [D-3.2.06]', async () => {
    const system = await opened({ user: null, channel_password: null })
    const link = await system.open(chat(), { isAgain: false })
    if (!link.ok) throw new Error('not opened')
    expect(codeOf(await system.close(link.value.link))).toBe('ok')
    expect(server.calls.at(-1)?.path).toBe(`/${TILEDESK_PROJECT}/requests/${REQUEST_ID}/closeg`)
  })

  test('tells comments of the system and its bots apart from agents, and of who leaves [P-1192]', async () => {
    const system = await opened()
    const told = async (name: string, change?: object) => {
      const received = await system.receive?.(request(name, change))
      return received?.ok ? (received.value[0]?.events ?? []) : []
    }
    expect(await told('in-message-create-agent', { attributes: { subtype: 'info/support' } })).toMatchObject([
      { kind: 'message', from: 'system' },
    ])
    expect(await told('in-message-create-agent', { sender: 'bot_1' })).toMatchObject([{ from: 'system' }])
    expect(await told('in-message-create-agent')).toMatchObject([
      { from: 'agent', agent: { name: 'Joao' }, text: 'Ola' },
    ])
    const left = { addedParticipants: [], removedParticipants: ['652e46f183a36264e8e8b256'] }
    expect(kinds(await told('in-request-participants-update', left))).toEqual(['left'])
    expect(kinds(await told('in-request-participants-update', { ...left, addedParticipants: ['other'] }))).toEqual([
      'transferred',
      'joined',
    ])
    expect(kinds(await told('in-request-participants-update', { addedParticipants: ['bot_1'] }))).toEqual([])
  })
})
