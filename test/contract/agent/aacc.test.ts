import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readFrame } from '#runtime/agent/aacc/aacc.ts'
import type { AgentEvent, AgentLink, AgentStep, AgentSystem } from '#runtime/agent/agent-port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type AaccServer, startAaccServer } from '#test/doubles/agent/aacc-server.ts'
import { sample } from '#test/doubles/agent/agent-server.ts'
import { agentContract, kinds } from './contract.ts'
import { chat, codeOf, systemOf } from './opened-agents.ts'

const fields = ({ url }: { readonly url: string }): JsonObject => ({
  url,
  defaultqueue: 'WC_Default_Skillset',
  websocket_ping_interval: 20_000,
  websocket_reconnect_maxtries: 3,
  websocket_reconnect_retry_interval: 20,
})

agentContract<AaccServer>({
  type: 'aacc',
  start: startAaccServer,
  fields,
  said: ({ said }) => said,
  isClosed: ({ is }) => is.isClosed,
  socket: server => ({
    joined: () => server.tell('in-new-participant'),
    message: text => server.tell('in-new-message', { message: text }),
    closed: () => server.tell('in-participant-leave-end'),
    echo: () => server.tell('in-new-message', { senderType: 'customer' }),
    fail: code => {
      server.is.error = code
    },
  }),
  recognizes: false,
  setAvailable: ({ is }, isThere) => {
    is.free = isThere ? 1 : 0
  },
})

describe('AACC', () => {
  let server: AaccServer
  beforeEach(async () => {
    server = await startAaccServer()
  })
  afterEach(() => server.close())

  const opened = async (change: JsonObject = {}) => {
    const system = await systemOf({ type: 'aacc', fields: { ...fields(server), ...change }, url: server.url })
    const result = await system.open(
      chat({
        queue: 'WC_Default_Skillset',
        fields: { cpf: '***' },
        person: { id: '5511999990000', name: 'Ana', data: { email: 'ana@example.com' } },
      }),
      { isAgain: false },
    )
    if (!result.ok) throw new Error(result.refusal.code)
    return { system, link: result.value.link }
  }
  const listened = (system: AgentSystem, link: AgentLink) => {
    const steps: AgentStep[] = []
    const socket = system.connect?.(link, { step: step => void steps.push(step), ended: () => undefined })
    return { steps, events: (): readonly AgentEvent[] => steps.flatMap(({ events = [] }) => events), socket }
  }

  test('sends the frames of the samples, and resumes a chat after a break with its guid and key [P-2410]', async () => {
    const { system, link } = await opened()
    const [asked] = server.requests
    const { body, ...head } = sample('aacc', 'out-request-chat') as { readonly body: object }
    expect(asked).toEqual({ ...head, body: { ...body, deviceType: 'Parley' } })
    const { events, socket } = listened(system, link)
    server.breakSockets()
    await vi.waitFor(() => expect(server.requests).toHaveLength(2))
    const again = sample('aacc', 'out-request-chat-resume') as { readonly body: { readonly intrinsics: object } }
    expect(server.requests[1]?.body).toEqual({
      ...again.body,
      deviceType: 'Parley',
      intrinsics: { ...again.body.intrinsics, customFields: [{ title: 'cpf', value: '***' }] },
    })
    expect(server.is.opened).toBe(1)
    await vi.waitFor(() => expect(server.open()).toBe(1))
    server.tell('in-new-message')
    await vi.waitFor(() => expect(events()).toMatchObject([{ kind: 'message', text: 'Ola, posso ajudar?' }]))
    expect(codeOf(await system.close(link))).toBe('ok')
    expect(server.requests.at(-1)).toEqual(sample('aacc', 'out-close-conversation'))
    socket?.close()
  })

  test('is resumed by another node from its link alone [P-2410]', async () => {
    const { link } = await opened()
    server.breakSockets()
    const other = await systemOf({ type: 'aacc', fields: fields(server), url: server.url })
    const say = () => other.say(link, { id: 'm', text: 'oi', files: [] }, { isAgain: false })
    expect(codeOf(await say())).toBe('agent.disconnected')
    const { socket } = listened(other, link)
    await vi.waitFor(async () => expect(codeOf(await say())).toBe('ok'))
    expect(server.said).toEqual(['oi'])
    expect(server.is.opened).toBe(1)
    socket?.close()
  })

  test('gives up a chat that it cannot resume, after as many attempts as the channel says [P-2410]', async () => {
    const { system, link } = await opened()
    const { events, socket } = listened(system, link)
    await server.close()
    await vi.waitFor(() => expect(events()).toMatchObject([{ kind: 'error', code: 'agent.disconnected' }]))
    socket?.close()
    server = await startAaccServer()
  })

  test('keeps at most 100 frames of a chat that nobody listens to yet [P-2425]', async () => {
    const { system, link } = await opened()
    for (let n = 0; n < 150; n++) server.tell('in-new-message', { message: `m${n}`, timestamp: n })
    // Its reply comes after the frames.
    expect(codeOf(await system.say(link, { id: 'm', text: 'oi', files: [] }, { isAgain: false }))).toBe('ok')
    const { events, socket } = listened(system, link)
    // The reply that opened the chat was the first.
    expect(events().map(event => 'text' in event && event.text)).toEqual(Array.from({ length: 99 }, (_, n) => `m${n}`))
    server.tell('in-new-message', { message: 'later', timestamp: 200 })
    await vi.waitFor(() => expect(events().at(-1)).toMatchObject({ text: 'later' }))
    socket?.close()
  })

  test('opens no second chat, and reports absent agents [P-2410]', async () => {
    const { system } = await opened()
    expect(codeOf(await system.open(chat(), { isAgain: true }))).toBe('agent.unknown')
    server.is.error = '503'
    expect(codeOf(await system.open(chat(), { isAgain: false }))).toBe('agent.nobody')
    expect(server.is.opened).toBe(1)
  })

  test('says the comfort messages of the server while nobody is there, each once [P-2411]', async () => {
    const { system, link } = await opened({ play_comfort_message: true, play_comfort_message_interval: 0.04 })
    const { events, socket } = listened(system, link)
    await vi.waitFor(() => expect(events().length).toBeGreaterThan(2))
    expect(events()[0]).toMatchObject({ kind: 'message', from: 'system', isShown: true })
    const ids = events().map(event => ('id' in event ? event.id : ''))
    expect(new Set(ids).size).toBe(ids.length)
    const texts = new Set(events().map(event => ('text' in event ? event.text : '')))
    expect(texts).toEqual(new Set(['Aguarde, por favor', 'Ainda estamos aqui']))
    server.tell('in-new-participant')
    await vi.waitFor(() => expect(kinds(events())).toContain('joined'))
    const count = events().length
    await new Promise(resolve => setTimeout(resolve, 150))
    expect(events()).toHaveLength(count)
    socket?.close()
  })

  test('keeps a socket alive, and asks for the place while the person waits [P-2411]', async () => {
    const { system, link } = await opened({ websocket_ping_interval: 30 })
    const { events, socket } = listened(system, link)
    await vi.waitFor(() => expect(events()).toMatchObject([{ kind: 'queued', position: 3 }]))
    expect(server.requests.at(-1)).toEqual(sample('aacc', 'out-queue-status'))
    socket?.close()
  })

  test.each([
    ['in-new-participant', ['joined']],
    ['in-new-participant-supervisor', []],
    ['in-participant-leave-still-queued', ['transferred']],
    ['in-participant-leave-end', ['closed']],
    ['in-close-conversation', ['closed']],
    ['in-is-typing', ['typing']],
    ['in-new-message', ['message']],
    ['in-new-push-page-message', ['message']],
    ['in-queue-status', ['queued']],
    ['in-acknowledgement', []],
    ['in-new-chat-acknowledgement', []],
    ['in-request-chat', []],
  ])('reads %s as %j [P-2410]', (name, expected) => {
    expect(kinds(readFrame(sample('aacc', name) as never, {}).events ?? [])).toEqual(expected)
  })

  test('lets an agent join again after the chat went back to the queue [P-2410]', () => {
    const joined = (link: AgentLink) => readFrame(sample('aacc', 'in-new-participant') as never, link)
    const first = joined({})
    const away = readFrame(sample('aacc', 'in-participant-leave-still-queued') as never, first.link ?? {})
    const second = joined(away.link ?? {})
    expect(first.events?.[0]).toMatchObject({ kind: 'joined', agent: { name: 'Joao' } })
    expect(second.events?.[0]).not.toEqual(first.events?.[0])
    expect(joined(first.link ?? {}).events).toEqual(first.events)
  })
})
