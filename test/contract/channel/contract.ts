import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ADAPTERS } from '#runtime/channel/adapters.ts'
import type {
  ChannelAdapter,
  Outcome,
  ProviderContent,
  ProviderEvent,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
  WebhookRequest,
} from '#runtime/channel/channel-port.ts'
import { outgoing } from '#runtime/channel/degrade.ts'
import type { ChatMessage } from '#runtime/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { corpus, corpusExpectation, corpusJson, expectInSmall } from '#test/fixture/corpus.ts'
import COLLECTED from './expected-events.json' with { type: 'json' }
import { answeredValues, noValues, webhookRequest } from './request.ts'

const contentTold = (content: ProviderContent): string => {
  switch (content.kind) {
    case 'text':
      return `text "${content.text}"`
    case 'choice':
      return `choice ${content.value} "${content.title}"`
    case 'media': {
      const files = content.media.map(({ ref, type, name }) => [ref.slice(-24), type, name].filter(Boolean).join(' '))
      return `media ${files.join(', ')}${content.text === undefined ? '' : ` "${content.text}"`}`
    }
    case 'location':
      return `location ${content.data.latitude},${content.data.longitude}`
    case 'order':
      return `order ${Object.keys(content.data).join(',')}`
    case 'opening':
      return 'opening'
    default:
      return `contacts ${Array.isArray(content.data) ? content.data.length : 1}`
  }
}

const part = (name: string, value: string | undefined): string =>
  value === undefined || value === '' ? '' : ` ${name} ${value.slice(-24)}`

/** An event as one line: content, sender, time and references. */
export const told = (event: ProviderEvent): string => {
  switch (event.kind) {
    case 'message': {
      const { id, from, time, content, replyTo, payload } = event
      const ends = part('id', id) + part('from', from.id) + part('name', from.name) + part('to', event.to)
      return contentTold(content) + ends + part('at', String(time)) + part('reply', replyTo) + part('payload', payload)
    }
    case 'receipt':
      return `${event.state}${part('of', event.id)}${part('at', String(event.time))}${part('code', event.code)}${part('callback', event.callback)}`
    case 'watermark':
      return `all ${event.state} of ${event.user} until ${event.until}`
    case 'account':
      return `account ${event.name}`
    case 'echo':
      return `echo ${event.id.slice(-24)}`
    case 'unknown':
      return `unknown ${event.type}`
    default:
      return `${event.kind} of ${(event.of ?? '').slice(-24)} by ${event.from.id.slice(-24)}`
  }
}

/** Samples that a test found in the corpus, and does not name itself. */
const listed = new Set<string>()

/** Names of a provider's samples that begin with one of these words, without their ending. */
export const sampleNames = (folder: string, ...kinds: readonly string[]): readonly string[] => {
  const names = readdirSync(corpus('channels', folder))
    .filter(name => kinds.some(kind => name.startsWith(`${kind}-`)))
    .map(name => name.replace(/\.json$/, ''))
  for (const name of names) listed.add(join(folder, name))
  return names
}

export const sample = (folder: string, name: string): JsonObject => {
  const path = ['channels', folder, `${name}.json`]
  if (!listed.has(join(folder, name))) expectInSmall(...path)
  return corpusJson(...path)
}

/** A sample form as it is sent. */
export const formOf = (fields: JsonObject): string =>
  new URLSearchParams(Object.entries(fields).map(([name, value]: [string, Json]) => [name, String(value)])).toString()

/** Test data of an adapter, with its provider's samples. */
export interface ChannelContract {
  readonly type: string
  readonly fields: JsonObject
  /** Folder of the samples; '' where there are none. */
  readonly folder: string
  /** Type whose expected events are those of this one; default: its own. */
  readonly like?: string
  /** A body as its provider sends it, signed as it signs. */
  readonly signed: (body: JsonObject) => WebhookRequest | Promise<WebhookRequest>
  /** Requests that are not the provider's. */
  readonly forged: (body: JsonObject) => readonly WebhookRequest[]
  /** Whole body of a sample that is a part of one. */
  readonly whole?: (given: JsonObject) => JsonObject
  /** A body of the provider where there are no samples of it. */
  readonly body?: JsonObject
  /** Answers of its provider during verification; default: none. */
  readonly values?: () => ProviderValues
  readonly to: ProviderUser
  /** Bodies that are sent, by the kind of message; a form as an object. */
  readonly sent: Readonly<Record<string, readonly object[]>>
  /** Answers and what they mean. */
  readonly answers: readonly (readonly [status: number, body: Json | undefined, outcome: Partial<Outcome>])[]
}

/** Expected event as text, by adapter and sample name. */
const EXPECTED = corpusExpectation<Readonly<Record<string, Readonly<Record<string, string>>>>>(
  'channels/expected-events.json',
  COLLECTED,
)

const said = (type: string, members: JsonObject): ChatMessage => ({
  id: '7',
  position: '1',
  time: '2026-05-04T10:00:00.000Z',
  from: 'bot',
  type,
  actions: [],
  ...members,
})

const reply = (id: string, title: string) => ({ id, type: 'reply', title, value: title })
const replies = (count: number) => Array.from({ length: count }, (_, at) => reply(String(at + 1), `Plano ${at + 1}`))
const ASKED = { kind: 'choice', list: 'auto', mask: false, skip: false, unit: '', calendar: '' }
const card = (title: string) => ({
  title,
  subtitle: 'R$ 10',
  text: 'Por mês',
  image: 'https://example.com/a.jpg',
  thumbnail: false,
  actions: [{ id: '1.1', type: 'postBack', title: 'Quero', value: title }],
})

/** A message of each kind that a bot says. */
export const MESSAGES: Readonly<Record<string, ChatMessage>> = {
  text: said('text', { text: 'Olá **Ana**' }),
  buttons: said('text', { text: 'Confirma?', actions: [reply('yes', 'Sim'), reply('no', 'Não')], wait: ASKED }),
  list: said('text', { text: 'Escolha', actions: replies(10), wait: { ...ASKED, list: 'list' } }),
  many: said('text', { text: 'Escolha', actions: replies(14), wait: ASKED }),
  image: said('text', {
    text: 'Comprovante',
    attachments: [{ contentType: 'image/png', contentUrl: 'https://example.com/a.png', name: 'a.png' }],
  }),
  document: said('text', {
    text: '',
    attachments: [{ contentType: 'application/pdf', contentUrl: 'https://example.com/a.pdf', name: 'a.pdf' }],
  }),
  location: said('location', { address: 'Av. Paulista, 1', latitude: -23.56, longitude: -46.65 }),
  carousel: said('carousel', { cards: [card('Plano A'), card('Plano B')] }),
  receipt: said('receipt', {
    family: 'microsoft_channels',
    receipt: { title: 'Pedido 1', items: [{ title: 'Café', quantity: '2', price: '10.00' }], total: '20.00' },
  }),
}

const bodyOf = ({ body }: ProviderRequest): object => {
  if (body instanceof URLSearchParams) return Object.fromEntries(body)
  return body instanceof Uint8Array ? {} : (body ?? {})
}

const OPTIONS = { prefix: '', listButton: 'Opções' }

/** The requests that send a message, as it is fitted to the provider. */
export const rendered = async (
  adapter: ChannelAdapter,
  message: ChatMessage,
  to: ProviderUser,
  fields: JsonObject,
  values = noValues,
): Promise<readonly ProviderRequest[]> => {
  const made: ProviderRequest[] = []
  for (const each of outgoing(message, adapter.capabilities, OPTIONS)) {
    const request = await adapter.render(each, to, fields, 'k-7.1', values)
    if (!request.ok) throw new Error(`${each.kind}: ${request.refusal.code}`)
    made.push(request.value)
  }
  return made
}

export const loadAdapter = async (type: string): Promise<ChannelAdapter> => {
  const adapter = await ADAPTERS[type]?.()
  if (adapter === undefined) throw new Error(`no adapter of ${type}`)
  return adapter
}

export const channelContract = (contract: ChannelContract): void => {
  const { type, fields, folder, whole = given => given } = contract
  const names = folder === '' ? [] : sampleNames(folder, 'in', 'status', 'event')
  const bodyOfSample = (name: string) => whole(sample(folder, name))
  const expected = EXPECTED[contract.like ?? type] ?? {}
  const first = () => contract.body ?? bodyOfSample(names.find(name => name.startsWith('in-')) ?? '')
  /** Every question is answered as by a provider that makes tokens and resources. */
  const values = () => answeredValues(() => ({ body: { access_token: 't-1', expires_in: 3600, sid: 'HX1' } })).values
  const parsed = async (request: WebhookRequest) => (await loadAdapter(type)).parse(request, fields, noValues)

  describe(`a channel's provider: ${type}`, () => {
    test('takes what its provider signed, over the bytes as they came, and nothing else [P-1150]', async () => {
      const adapter = await loadAdapter(type)
      const { values: services = () => noValues } = contract
      const signed = await contract.signed(first())
      expect(await adapter.verify(signed, fields, services())).toMatchObject({ ok: true })
      for (const forged of contract.forged(first()))
        expect(await adapter.verify(forged, fields, services())).toMatchObject({ ok: false })
      const empty = Object.fromEntries(Object.keys(fields).map(name => [name, '']))
      expect(await adapter.verify(signed, empty, services())).toMatchObject({ ok: false })
    })

    test('knows every sample of what its provider sends [P-1151]', async () => {
      const found: Record<string, string> = {}
      for (const name of names) {
        const read = await parsed(await contract.signed(bodyOfSample(name)))
        found[name] = read.ok ? read.value.map(told).join(' | ') : read.refusal.code
      }
      expect(found).toEqual(expected)
    })

    test('never throws, whatever it is sent [P-1152]', async () => {
      const adapter = await loadAdapter(type)
      const json = fc.oneof(
        fc.json(),
        fc.anything().map(value => JSON.stringify(value) ?? ''),
      )
      const near = folder === '' ? json : fc.constantFrom(...names).chain(name => broken(bodyOfSample(name)))
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.oneof(json, near).map(body => new TextEncoder().encode(body)),
      )
      await fc.assert(
        fc.asyncProperty(bytes, async body => {
          const request = webhookRequest({ body })
          const read = await adapter.parse(request, fields, noValues)
          expect(typeof read.ok).toBe('boolean')
          adapter.acknowledge?.(request)
        }),
        { numRuns: 300 },
      )
      expect(await adapter.parse(webhookRequest({ body: '[' }), fields, noValues)).toMatchObject({ ok: false })
    })

    test('sends each kind of message within the limits of its provider [P-1153]', async () => {
      const adapter = await loadAdapter(type)
      for (const [kind, message] of Object.entries(MESSAGES)) {
        const requests = await rendered(adapter, message, contract.to, fields, values())
        expect(requests.length, kind).toBeGreaterThan(0)
        const bodies = contract.sent[kind]
        if (bodies !== undefined) expect(requests.map(bodyOf), kind).toMatchObject(bodies)
      }
    })

    test('splits long texts and cuts no character in two [P-1154]', async () => {
      const { capabilities } = await loadAdapter(type)
      const long = Array.from({ length: 900 }, (_, at) => `Linha ${at} 👩‍🚀 é ç`).join('\n')
      const parts = outgoing(said('text', { text: long }), capabilities, OPTIONS)
      const texts = parts.map(part => (part.kind === 'text' ? part.text : ''))
      for (const each of texts) {
        const size = capabilities.bytes === true ? Buffer.byteLength(each) : each.length
        expect(size).toBeLessThanOrEqual(capabilities.text)
        expect(each.isWellFormed()).toBe(true)
      }
      expect(texts.join('\n').replaceAll(/\s/gu, '')).toBe(long.replaceAll(/\s/gu, ''))
    })

    test.each(contract.answers)('takes an answer %s %j as %j [P-1155]', async (status, body, outcome) => {
      const adapter = await loadAdapter(type)
      expect(await adapter.classify({ status, headers: [], body }, fields, noValues)).toMatchObject(outcome)
    })

    test('keeps to the time at which its provider wants to be called again [P-1155]', async () => {
      const adapter = await loadAdapter(type)
      const answer = { status: 429, headers: [['retry-after', '30']] as const, body: {} }
      expect(await adapter.classify(answer, fields, noValues)).toEqual({ kind: 'retry', after: 30_000 })
    })

    test('proves who sends, and shows its secrets to nobody else [P-1156]', async () => {
      const adapter = await loadAdapter(type)
      const [request] = await rendered(adapter, MESSAGES.text as ChatMessage, contract.to, fields, values())
      const authorized = await adapter.authorize(request as ProviderRequest, fields, values())
      expect(authorized).toMatchObject({ ok: true })
      // The credentials are a header, or a part of the address.
      if (authorized.ok) expect(JSON.stringify(authorized.value).length).toBeGreaterThan(JSON.stringify(request).length)
      const foreign = await adapter.mediaRequest?.('https://files.attacker.example/a.png', fields, noValues)
      if (foreign?.ok === true) expect(foreign.value.headers).toEqual([])
    })
  })
}

/** A sample with one of its values replaced by something else. */
const broken = (body: JsonObject): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(), fc.jsonValue()).map(([at, value]) => {
    const text = JSON.stringify(body)
    const places = [...text.matchAll(/:("[^"]*"|[\d.]+|true|false|null|\{|\[)/g)]
    const place = places[at % Math.max(1, places.length)]
    if (place === undefined || place[1] === '{' || place[1] === '[') return text
    return `${text.slice(0, place.index + 1)}${JSON.stringify(value)}${text.slice(place.index + place[0].length)}`
  })
