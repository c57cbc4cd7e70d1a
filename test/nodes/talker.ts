import { hash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ZENVIA } from '#test/doubles/whatsapp/json-wires.ts'
import { VERIFY_TOKEN } from '#test/fault/buying-bot.ts'
import type { StoreWorld } from './store-world.ts'

export const PROTOCOLS = ['webchat', 'rest', 'directline', 'webhook'] as const
export type Protocol = (typeof PROTOCOLS)[number]

const RETRY_MS = 100
const CALL_MS = 15_000
const json = { 'content-type': 'application/json' }

/** A call at one gateway. */
type Call = (origin: string) => Promise<Response>

class Refused extends Error {}

/** Repeats a call until a gateway takes it; each time `origin` chooses the gateway. */
export const insist = async (origin: () => string, call: Call): Promise<Response> => {
  for (;;) {
    try {
      const answer = await call(origin())
      if (answer.ok) return answer
      if (answer.status < 500 && answer.status !== 429) throw new Refused(`${answer.status} ${await answer.text()}`)
    } catch (error) {
      if (error instanceof Refused) throw error
    }
    await pause(RETRY_MS)
  }
}

/** A person who writes over one protocol. */
export class Talker {
  readonly protocol: Protocol
  readonly user: string
  /** Texts of messages that were accepted. */
  readonly texts: string[] = []
  readonly #world: StoreWorld
  /** Of a web chat or a Direct Line conversation. */
  #conversation = ''
  #token = ''

  constructor(world: StoreWorld, protocol: Protocol, user: string) {
    this.#world = world
    this.protocol = protocol
    this.user = user
  }

  get conversation(): string {
    return this.#conversation
  }

  /** Opens the conversation where the protocol does that before the first message. */
  async begin(origin: () => string): Promise<void> {
    const { webchat } = this.#world.channels
    const user = { id: this.user }
    if (this.protocol === 'webchat') {
      const body = { token: VERIFY_TOKEN, user }
      const opened = await insist(origin, at => post(`${at}/chat/${webchat}/conversations`, body))
      const { conversation, token } = (await opened.json()) as { conversation: string; token: string }
      this.#conversation = conversation
      this.#token = token
    }
    if (this.protocol === 'directline') {
      const path = `/directline/${webchat}/conversations`
      const opened = await insist(origin, at => post(at + path, { user }, VERIFY_TOKEN))
      const { conversationId, token } = (await opened.json()) as { conversationId: string; token: string }
      this.#conversation = conversationId
      this.#token = token
    }
  }

  /** Sends a message to one gateway, once. */
  send(origin: string, id: string, text: string): Promise<Response> {
    const { webchat, rest, webhook } = this.#world.channels
    switch (this.protocol) {
      case 'webchat': {
        const path = `/chat/conversations/${this.#conversation}/messages`
        return post(origin + path, { id, type: 'text', text }, this.#token)
      }
      case 'rest':
        return post(`${origin}/rest/${rest}`, { id, from: this.user, text }, VERIFY_TOKEN)
      case 'directline': {
        const path = `/directline/${webchat}/conversations/${this.#conversation}/activities`
        const activity = { type: 'message', from: { id: this.user }, text, channelData: { clientActivityID: id } }
        return post(origin + path, activity, this.#token)
      }
      case 'webhook': {
        const path = `/channel/${webhook}/${String(ZENVIA.fields.channel_verify_token)}`
        return post(origin + path, ZENVIA.said(this.user, id, text))
      }
      default:
        return this.protocol satisfies never
    }
  }

  /** Id of a message in the log: providers' ids are hashed. */
  storedId(id: string): string {
    return this.protocol === 'webhook' ? `p-${hash('sha256', id, 'hex').slice(0, 32)}` : id
  }

  /** Reads the first messages of a web chat. */
  look(origin: string): Promise<Response> {
    const path = `/chat/conversations/${this.#conversation}/messages?after=&size=200`
    const headers = { authorization: `Bearer ${this.#token}` }
    return fetch(origin + path, { headers, signal: AbortSignal.timeout(CALL_MS) })
  }

  /** Ids of the person's and the bot's messages as a gateway shows them to a web chat. */
  async shown(origin: string): Promise<readonly string[]> {
    const answer = await this.look(origin)
    if (!answer.ok) return []
    return ((await answer.json()) as { messages: { id: string }[] }).messages.map(({ id }) => id)
  }
}

/** A number that a provider of WhatsApp names a person by, or an id. */
export const userOf = (protocol: Protocol, place: number): string =>
  protocol === 'webhook' ? `5511${String(910_000_000 + place)}` : `${protocol}-${place}-${randomUUID()}`

const post = (url: string, body: object, token?: string): Promise<Response> => {
  const headers = { ...json, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(CALL_MS) })
}
