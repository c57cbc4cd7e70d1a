import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CXONE_KEY, CXONE_SECRET, type CxoneServer, startCxoneServer } from '#test/doubles/agent/cxone-server.ts'
import { agentContract, kinds } from './contract.ts'
import { chat, codeOf, systemOf } from './opened-agents.ts'

const fields = ({ url }: { readonly url: string }) => ({
  url,
  channel_auth_url: url,
  channel_id: CXONE_KEY,
  channel_password: CXONE_SECRET,
  defaultqueue: '00000000-0000-0000-0000-000000000001',
  long_polling_timeout: 0,
})

agentContract<CxoneServer>({
  type: 'cxone',
  start: startCxoneServer,
  fields,
  secret: 'channel_password',
  said: ({ said }) => said,
  isClosed: ({ is }) => is.isClosed,
  happens: server => ({
    joined: () => server.tell('in-poll-active'),
    message: text => server.tell('in-poll-agent-text', { Text: text }),
    closed: () => server.tell('in-poll-ended'),
    echo: () => server.tell('in-poll-own-echo'),
  }),
  recognizes: false,
})

describe('CXone', () => {
  let server: CxoneServer
  beforeEach(async () => {
    server = await startCxoneServer()
  })
  afterEach(() => server.close())
  const opened = async (change: object = {}) => {
    const system = await systemOf({ type: 'cxone', fields: { ...fields(server), ...change }, url: server.url })
    const result = await system.open(chat({ transcript: '> oi' }), { isAgain: false })
    if (!result.ok) throw new Error(result.refusal.code)
    return { system, link: result.value.link }
  }

  test('continues the session of the last poll, and reports queues, typing and its own texts [D-3.2.13] [P-1192]', async () => {
    const { system, link } = await opened()
    expect(server.said).toEqual(['> oi'])
    for (const name of [
      'in-poll-waiting',
      'in-poll-typing',
      'in-poll-system-text',
      'in-poll-ask',
      'in-poll-agent-text',
    ])
      server.tell(name)
    const polled = await system.poll?.(link)
    if (!polled?.ok) throw new Error('not polled')
    expect(kinds(polled.value.events ?? [])).toEqual(['queued', 'typing', 'message', 'message', 'message'])
    expect(polled.value.events?.slice(2)).toMatchObject([
      { from: 'system' },
      { from: 'system' },
      { from: 'agent', agent: { name: 'Joao' } },
    ])
    const say = (at: object) => system.say(at as never, { id: 'm', text: 'oi', files: [] }, { isAgain: false })
    expect(codeOf(await say(link))).toBe('agent.gone')
    expect(codeOf(await say(polled.value.link ?? {}))).toBe('ok')
    server.is.isClosed = true
    expect(codeOf((await system.poll?.(polled.value.link ?? {})) ?? { ok: true, value: {} })).toBe('agent.gone')
  })

  test('waits at the system for as long as the channel says, and gets another token once [D-3.2.13]', async () => {
    const { system, link } = await opened({ long_polling_timeout: 60 })
    server.endTokens()
    expect(codeOf((await system.poll?.(link)) ?? { ok: true, value: {} })).toBe('ok')
    expect(server.calls.at(-1)?.query.get('timeout')).toBe('60')
    expect(server.calls.filter(({ path }) => path.startsWith('/authentication'))).toHaveLength(2)
  })
})
