import { expect, test } from 'vitest'
import type { AgentRequest } from '#runtime/agent/agent-port.ts'
import type { Json } from '#schemas/event.ts'
import { sample } from '#test/doubles/agent/agent-server.ts'
import { FIVE9_SECRET, FIVE9_TENANT, type Five9Server, startFive9Server } from '#test/doubles/agent/five9-server.ts'
import { agentContract, kinds } from './contract.ts'
import { chat, KEY, systemOf } from './opened-agents.ts'

const request = (kind: string, change: object = {}): AgentRequest => ({
  path: `${FIVE9_SECRET}/conversations/d1f1a2b3/${kind}/create`,
  query: new URLSearchParams(),
  headers: {},
  body: { ...sample('five9', `in-callback-${kind}`), externalId: KEY, ...change } as Json,
})
const fields = ({ url }: { readonly url: string }) => ({
  url,
  channel_id: FIVE9_TENANT,
  defaultqueue: 'Chat',
  verifytoken: FIVE9_SECRET,
})

agentContract<Five9Server>({
  type: 'five9',
  start: startFive9Server,
  fields,
  secret: 'channel_id',
  said: ({ said }) => said,
  isClosed: ({ is }) => is.isClosed,
  requests: (_server, happens, text) => {
    if (happens === 'message') return [request('message', { text })]
    if (happens === 'echo') return [request('message', { from: 'CLIENT', text: 'oi' })]
    return [request(happens === 'joined' ? 'accept' : 'terminate')]
  },
  recognizes: false,
  setAvailable: ({ is }, isThere) => {
    is.isThere = isThere
  },
})

test('sends Five9 the question, the fields and the callback address, and receives transfers [D-3.2.16] [P-1192]', async () => {
  const server = await startFive9Server()
  const system = await systemOf({ type: 'five9', fields: fields(server), url: server.url })
  await system.open(chat({ transcript: '> oi' }), { isAgain: false })
  expect(server.opened).toMatchObject([
    {
      campaignName: 'sac',
      tenantId: '131096',
      externalId: KEY,
      callbackUrl: `https://bots.example.com/agent/c1/webhook/${FIVE9_SECRET}`,
      contact: { firstName: 'Ana', email: 'ana@example.com' },
      attributes: { Question: 'Quero falar com alguém', 'Custom.external_history': '> oi', 'Custom.cpf': '1' },
    },
  ])
  for (const [kind, expected] of [
    ['transfer', 'transferred'],
    ['typing', 'typing'],
  ] as const) {
    const received = await system.receive?.(request(kind))
    expect(received?.ok && kinds(received.value[0]?.events ?? [])).toEqual([expected])
  }
  await server.close()
})
