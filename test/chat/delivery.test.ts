import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type EventStore, StoreUnavailable } from '#commands/store/port.ts'
import { Deliveries } from '#runtime/channel/exchange/deliveries.ts'
import { messageStatus } from '#runtime/channel/exchange/delivery-state.ts'
import { ExchangeIndex } from '#runtime/channel/exchange/exchange-index.ts'
import type { ProviderChannel } from '#runtime/channel/open-channels.ts'
import { restCallback } from '#runtime/channel/shared/rest-callback.ts'
import { whatsappMeta } from '#runtime/channel/whatsapp-meta/whatsapp-meta.ts'
import type { FoldedConversation } from '#runtime/conversation/engine/folded-conversation.ts'
import type { OutboundRequest } from '#runtime/outbound/call.ts'
import type { ChatMessage } from '#runtime/port.ts'

const HOUR_MS = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'parley-delivery-'))
const store = await openEmbeddedStore({ folder, log: () => undefined })
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const channel = (id: string, isEnabled = true): ProviderChannel => ({
  id,
  bot: 'bot',
  level: null,
  type: 'whatsapp_meta',
  isEnabled,
  fields: { account_id: '104', auth_token: 't' },
  adapter: whatsappMeta,
  values: {} as ProviderChannel['values'],
})
const calling = (callback_url: string): ProviderChannel => ({
  ...channel('sistema'),
  type: 'rest',
  fields: { callback_url, channel_password: 'c' },
  adapter: restCallback,
})
/** A channel whose provider shows "typing". */
const shown = (id: string, isEnabled: boolean): ProviderChannel => ({
  ...channel(id, isEnabled),
  adapter: {
    ...whatsappMeta,
    typing: ({ id: to }, _fields, answered) => ({
      ...{ method: 'POST', url: 'https://graph.example.com/typing', headers: [] },
      body: { to, text: { body: `(typing${answered === undefined ? '' : ` ${answered}`})` } },
    }),
  },
})
const CHANNELS = new Map([
  ['visto', shown('visto', true)],
  ['oculto', shown('oculto', false)],
  ['sistema', calling('https://system.example/parley')],
  ['calado', calling('')],
  ['loja', channel('loja')],
  ['fechado', channel('fechado', false)],
])

type Reply = number | 'refuse' | 'silence' | 'never' | 'throttled'
const answer = (status: number, id: string, headers: readonly (readonly [string, string])[] = []) => ({
  ok: true as const,
  value: {
    ...{ status, url: '', redirects: 0, headers, truncated: false },
    body: new TextEncoder().encode(
      JSON.stringify(status === 200 ? { messages: [{ id }] } : { error: { code: status === 401 ? 190 : 131000 } }),
    ),
  },
})

const PAUSES = [10, 10, 10, 10, 10]

/** A conversation whose bot said so many texts, and nodes that send them. */
const world = (id: string, said: readonly Partial<ChatMessage>[], wroteAgo = 0, of = 'loja', retryMs?: number[]) => {
  const now = Date.now()
  const sent: { readonly to: string; readonly text: string; readonly at: number }[] = []
  const changes: string[] = []
  const templates: { readonly to: string; readonly template: object; readonly key: string }[] = []
  let ahead = 0
  const replies: Reply[] = []
  const indexes: ExchangeIndex[] = []
  const nodes: Deliveries[] = []
  const message = (from: 'bot' | 'user', place: number, text: string) =>
    ({
      id: String(place),
      position: `00000000${place}.001`,
      time: new Date(now - wroteAgo).toISOString(),
      from,
      type: 'text',
      text,
    }) as ChatMessage
  const messages = [
    message('user', 0, 'oi'),
    ...said.map((one, at) => ({ ...message('bot', at + 1, `m${at + 1}`), ...one }) as ChatMessage),
  ]
  const held = {
    ...{
      id,
      bot: 'bot',
      channel: of,
      channelType: CHANNELS.get(of)?.type ?? '',
      locale: 'pt',
      person: 'p',
      release: 1,
    },
    ...{ user: { id: '5511' }, messages, elsewhere: [], last: now },
  } as unknown as FoldedConversation
  const call = async ({ body }: OutboundRequest) => {
    const { to, text, user, message: whole } = JSON.parse(String(body))
    const at = Date.now()
    sent.push(whole === undefined ? { to, text: text.body, at } : { to: user, text: whole.text, at })
    const reply = replies.shift() ?? 200
    if (reply === 'never') return new Promise<never>(() => undefined)
    if (reply === 'silence') return { ok: false as const, refusal: { code: 'outbound.timeout' as const } }
    if (reply === 'refuse')
      return {
        ok: false as const,
        refusal: { code: 'outbound.unreachable' as const, params: { reason: 'ECONNREFUSED' } },
      }
    if (reply === 'throttled') return answer(429, '', [['retry-after', '1']])
    return answer(reply, `wamid.${sent.length}`)
  }
  const node = (name: string, isAlone = false, on = store) => {
    const index = new ExchangeIndex(':memory:')
    indexes.push(index)
    const made = new Deliveries({
      ...{
        store: on,
        index,
        node: name,
        isAlone,
        call,
        failed: (error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error
        },
        now: () => Date.now() + ahead,
      },
      load: async () => held,
      channels: {
        get: async (one: string) => CHANNELS.get(one),
        check: async () => undefined,
        checkToken: async () => undefined,
        connect: async () => undefined,
      },
      channelsOf: async () => [
        { id: 'loja', type: 'whatsapp_meta', name: 'Loja' },
        { id: 'fechado', type: 'whatsapp_meta', name: 'Fechado' },
      ],
      personOf: async (_channel, user) => user,
      async sendTemplate(_channel, to, template, key) {
        templates.push({ to: to.id, template, key })
        return { kind: 'sent', id: `wamid.t${templates.length}` }
      },
      retryMs: retryMs ?? PAUSES,
      changed: (one: string) => void changes.push(one),
    })
    nodes.push(made)
    return made
  }
  return {
    held,
    sent,
    templates,
    changes,
    replies,
    node,
    /** Moves the clock of all nodes. */
    pass: (ms: number) => {
      ahead += ms
    },
    close: async () => {
      await Promise.all(nodes.map(one => one.close(500)))
      await Promise.all(indexes.map(index => index.close()))
    },
  }
}
type World = ReturnType<typeof world>
let open: World | undefined
afterEach(() => open?.close())

/** The store for one node; `hold` returns the promise that an append of an event of this type waits for, if any. */
const holding = (
  hold: (type: string) => Promise<void> | undefined,
  isAnswered = (_type: string) => true,
): EventStore => {
  const append: EventStore['append'] = async (stream, expected, events) => {
    const type = events[0]?.type ?? ''
    await hold(type)
    const appended = await store.append(stream, expected, events)
    if (!isAnswered(type)) throw new StoreUnavailable()
    return appended
  }
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      return name === 'append' ? append : typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Runs until nothing waits any more. */
const settle = async (deliveries: Deliveries, id: string, done: number) => {
  await vi.waitFor(
    async () => {
      deliveries.run(id)
      const { settled } = await deliveries.state(id)
      expect(Number(settled.slice(0, 9))).toBe(done)
    },
    { timeout: 10_000, interval: 20 },
  )
  return deliveries.state(id)
}

describe('messages on their way to a provider', () => {
  test('are sent in their order, each once, however often and from however many nodes they are looked at [R-68] [P-1126]', async () => {
    open = world('order', [{}, {}, {}, {}])
    const nodes = [open.node('a'), open.node('b'), open.node('c')]
    for (let round = 0; round < 5; round += 1) for (const one of nodes) one.run('order')
    await settle(nodes[0] as Deliveries, 'order', 4)
    expect(open.sent.map(({ text }) => text)).toEqual(['m1', 'm2', 'm3', 'm4'])
  })

  test('are sent once where one node has sent and not settled what another one begins [R-68] [P-1529]', async () => {
    const [first, second, begun, sent, over] = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    if (!(first && second && begun && sent && over)) throw new Error('five moments')
    let started = 0
    // Given a node that sent the first message, and is about to begin the second one
    const fast = holding(type => {
      started += type === 'DeliveryStarted' ? 1 : 0
      if (started === 2 && type === 'DeliveryStarted') {
        first.resolve()
        return begun.promise
      }
      if (started < 2 || type !== 'DeliverySettled') return undefined
      sent.resolve()
      return over.promise
    })
    const slow = holding(() => {
      second.resolve()
      return sent.promise
    })
    open = world('race', [{}, {}])
    const [one, two] = [open.node('a', false, fast), open.node('b', false, slow)]
    one.run('race')
    await first.promise
    // When another node begins it too, and comes to write that after the first node has sent it
    two.run('race')
    await second.promise
    begun.resolve()
    await sent.promise
    await two.close(5_000)
    over.resolve()
    await settle(one, 'race', 2)
    expect(open.sent.map(({ text }) => text)).toEqual(['m1', 'm2'])
  })

  test.each(['DeliveryStarted', 'DeliverySent', 'DeliverySettled'])(
    'are sent once whose %s was written although the store did not answer [R-68] [P-1532]',
    async unanswered => {
      // As often as one write is tried.
      let left = 6
      const store = holding(
        () => undefined,
        type => type !== unanswered || left-- <= 0,
      )
      open = world(unanswered, [{}, {}])
      const { parts } = await settle(open.node('a', false, store), unanswered, 2)
      expect(left).toBeLessThan(1)
      expect(open.sent.map(({ text }) => text)).toEqual(['m1', 'm2'])
      expect([...parts.values()].map(({ status }) => status)).toEqual(['sent', 'sent'])
    },
  )

  test('that were surely not taken are tried six times, then given up, and the next ones follow [R-68] [P-1126]', async () => {
    open = world('tries', [{}, {}])
    open.replies.push('refuse', 429, 'refuse', 429, 'refuse', 429)
    const node = open.node('a')
    const state = await settle(node, 'tries', 2)
    expect(open.sent.map(({ text }) => text)).toEqual(['m1', 'm1', 'm1', 'm1', 'm1', 'm1', 'm2'])
    expect(messageStatus(state, '1')).toMatchObject({ status: 'failed', code: 'tries' })
    expect(messageStatus(state, '2')).toMatchObject({ status: 'sent' })
  })

  test('are not sent again without a response, and a receipt marks them as delivered [R-68] [P-1126]', async () => {
    open = world('silence', [{}])
    open.replies.push('silence')
    const node = open.node('a')
    expect(messageStatus(await settle(node, 'silence', 1), '1')).toMatchObject({ status: 'unknown' })
    expect(open.sent).toHaveLength(1)
    const event = {
      kind: 'receipt',
      to: '104',
      id: 'wamid.x',
      state: 'delivered',
      time: 5,
      callback: 'silence.1.0',
    } as const
    expect(await node.receive(channel('loja'), event)).toBe(true)
    expect(await node.receive(channel('loja'), { ...event, state: 'sent' })).toBe(true)
    expect(messageStatus(await node.state('silence'), '1')).toMatchObject({ status: 'delivered' })
  })

  test('get their receipt on a node that read their state before another node sent them [R-68]', async () => {
    open = world('receipt', [{}])
    const [sender, receiver] = [open.node('a'), open.node('b')]
    expect((await receiver.state('receipt')).parts.size).toBe(0)
    await settle(sender, 'receipt', 1)
    const event = {
      kind: 'receipt',
      to: '104',
      id: 'wamid.1',
      state: 'read',
      time: 5,
      callback: 'receipt.1.0',
    } as const
    expect(await receiver.receive(channel('loja'), event)).toBe(true)
    expect(messageStatus(await sender.state('receipt'), '1')).toMatchObject({ status: 'read' })
  })

  test('follow "typing" while their delay runs, which an agent shows too; a failure of it changes nothing [P-2242]', async () => {
    open = world('typing', [{ delay: 600 }, { delay: 100 }], 0, 'visto')
    open.replies.push(500)
    const node = open.node('a')
    await settle(node, 'typing', 2)
    expect(open.sent.map(({ to, text }) => `${to} ${text}`)).toEqual(['5511 (typing)', '5511 m1', '5511 m2'])
    open.held.answers = 'wamid.in'
    await node.showTyping('typing')
    expect(open.sent.at(-1)).toMatchObject({ to: '5511', text: '(typing wamid.in)' })
    expect(open.sent).toHaveLength(4)
    for (const of of ['oculto', 'loja']) {
      const { node: other, sent, close } = world(`quiet-${of}`, [], 0, of)
      await other('a').showTyping(`quiet-${of}`)
      expect(sent).toEqual([])
      await close()
    }
  })

  test('are not sent outside of the 24 hours of WhatsApp, and that is recorded [C-9.08] [P-1127]', async () => {
    open = world('window', [{}], 25 * HOUR_MS)
    const node = open.node('a')
    expect(messageStatus(await settle(node, 'window', 1), '1')).toMatchObject({ status: 'failed', code: 'window' })
    expect(open.sent).toEqual([])
  })

  test('with a template send it outside of the 24 hours, and their words inside, each once [P-2509]', async () => {
    const template = { id: 't1', values: { 1: 'Ana' } }
    const now = new Date().toISOString()
    open = world('outside', [{ template, time: now }], 25 * HOUR_MS)
    const state = await settle(open.node('a', true), 'outside', 1)
    expect(open.templates).toEqual([{ to: '5511', template, key: 'outside.1.0' }])
    expect([open.sent, messageStatus(state, '1')]).toMatchObject([[], { status: 'sent' }])
    await open.close()
    open = world('inside', [{ template, time: now }])
    await settle(open.node('a', true), 'inside', 1)
    expect([open.templates, open.sent.map(({ text }) => text)]).toEqual([[], ['m1']])
  })

  test('to another address go through the enabled channels of the bot alone [R-36] [P-1128]', async () => {
    open = world('elsewhere', [])
    const message = (place: number) =>
      ({
        id: String(place),
        position: `00000000${place}.001`,
        time: new Date().toISOString(),
        from: 'bot',
        type: 'text',
        text: `e${place}`,
      }) as ChatMessage
    const destinations = ['Loja:+55 (11) 9999-0000', 'whatsapp:5511', 'fechado:5511', 'sms:5511']
    open.held.elsewhere.push(...destinations.map((destination, at) => ({ destination, message: message(at + 1) })))
    const node = open.node('a')
    // No messages came from these numbers.
    const state = await settle(node, 'elsewhere', 4)
    const codes = ['1', '2', '3', '4'].map(one => messageStatus(state, one)?.code)
    expect(codes).toEqual(['window', 'window', 'disabled', 'channel'])
    expect(open.sent).toEqual([])
  })
})

describe('pauses between attempts', () => {
  test('last from Retry-After: 1 to at most 1.3 s [P-1751]', async () => {
    open = world('throttled', [{}], 0, 'loja', [1_000, 5_000, 30_000])
    open.replies.push('throttled')
    const node = open.node('a')
    node.run('throttled')
    await vi.waitFor(() => expect(open?.sent).toHaveLength(2), { interval: 10 })
    const [first, second] = open.sent.map(({ at }) => at)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(995)
    expect((second ?? 0) - (first ?? 0)).toBeLessThanOrEqual(1_300)
  })

  test('do not begin for a message older than 24 hours [P-1751]', async () => {
    open = world('late', [{}], 25 * HOUR_MS, 'sistema')
    const state = await settle(open.node('a'), 'late', 1)
    expect(messageStatus(state, '1')).toMatchObject({ status: 'failed', code: 'window' })
    expect(open.sent).toEqual([])
  })
})

describe('the typing of an agent', () => {
  test('is shown at most every 20 s, and not while the provider takes no messages [P-2659]', async () => {
    open = world('agent-typing', [{}], 0, 'visto', [60_000])
    const node = open.node('a')
    const typed = () => open?.sent.filter(({ text }) => text.startsWith('(typing'))
    for (let key = 0; key < 5; key += 1) await node.showTyping('agent-typing')
    open.pass(19_900)
    await node.showTyping('agent-typing')
    expect(typed()).toHaveLength(1)
    open.pass(200)
    await node.showTyping('agent-typing')
    expect(typed()).toHaveLength(2)
    open.replies.push('throttled')
    node.run('agent-typing')
    await vi.waitFor(async () => expect((await node.state('agent-typing')).current?.at).toBeGreaterThan(0))
    open.pass(21_000)
    await node.showTyping('agent-typing')
    expect(typed()).toHaveLength(2)
    open.pass(60_000)
    open.replies.push(401, 401)
    node.run('agent-typing')
    await vi.waitFor(() => expect(node.breakers.of('visto')).toMatchObject({ code: '190' }))
    open.pass(21_000)
    await node.showTyping('agent-typing')
    expect(typed()).toHaveLength(2)
  })
})

describe('a channel whose credentials are refused', () => {
  test('keeps its messages in order, tries one a minute, and sends them all once they are accepted [P-1752]', async () => {
    open = world('refused', [{}, {}])
    // Given a token that is refused, also once it was renewed
    open.replies.push(401, 401)
    const node = open.node('a')
    node.run('refused')
    await vi.waitFor(() => expect(node.breakers.of('loja')).toMatchObject({ code: '190' }))
    for (let look = 0; look < 5; look += 1) node.run('refused')
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(open.sent).toHaveLength(2)
    expect(messageStatus(await node.state('refused'), '1')).toMatchObject({ status: 'waiting', code: '190' })
    // When the next minute's probe is refused as well
    open.replies.push(401, 401)
    open.pass(61_000)
    node.run('refused')
    await vi.waitFor(() => expect(open?.sent).toHaveLength(4))
    // And the one after it is accepted
    open.pass(61_000)
    const state = await settle(node, 'refused', 2)
    expect(open.sent.slice(4).map(({ text }) => text)).toEqual(['m1', 'm2'])
    expect(messageStatus(state, '1')).toMatchObject({ status: 'sent' })
    expect(node.breakers.of('loja')).toBeUndefined()
    expect(open.changes).toEqual(['loja', 'loja'])
  })

  test('sends at once when they are replaced [P-1752]', async () => {
    open = world('replaced', [{}])
    open.replies.push(401, 401)
    const node = open.node('a')
    node.run('replaced')
    await vi.waitFor(() => expect(node.breakers.of('loja')).toBeDefined())
    CHANNELS.set('loja', { ...channel('loja'), fields: { account_id: '104', auth_token: 'new' } })
    await node.resumeChanged()
    await settle(node, 'replaced', 1)
    expect(open.sent).toHaveLength(3)
    CHANNELS.set('loja', channel('loja'))
  })
})

describe('messages on their way to the callback of a REST channel', () => {
  test('that may have arrived are posted again, six times in all, then the next ones follow [D-3.1.21] [R-79] [P-1401]', async () => {
    open = world('callback', [{}, {}], 0, 'sistema')
    open.replies.push('silence', 'refuse', 500, 404, 401, 503)
    const node = open.node('a')
    const state = await settle(node, 'callback', 2)
    expect(open.sent.map(({ text }) => text)).toEqual(['m1', 'm1', 'm1', 'm1', 'm1', 'm1', 'm2'])
    expect(messageStatus(state, '1')).toMatchObject({ status: 'failed', code: 'tries' })
    expect(messageStatus(state, '2')).toMatchObject({ status: 'sent' })
  })

  test('are posted again by the node that takes over from one that died in the midst [D-3.1.21] [P-1401]', async () => {
    open = world('taken-over', [{}, {}], 0, 'sistema')
    open.replies.push('never')
    open.node('a').run('taken-over')
    await vi.waitFor(() => expect(open?.sent).toHaveLength(1))
    await settle(open.node('b', true), 'taken-over', 2)
    expect(open.sent.map(({ text }) => text)).toEqual(['m1', 'm1', 'm2'])
  })

  test('leave nothing behind while there is no callback', async () => {
    open = world('calado', [{}], 0, 'calado')
    const node = open.node('a')
    node.run('calado')
    await node.close(1_000)
    expect(open.sent).toEqual([])
    expect((await node.state('calado')).end.revision).toBe(0)
  })
})
