import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { VERIFY_TOKEN } from './buying-bot.ts'

const RETRY_MS = 60
/** A look at the conversation costs more than a message. */
const LOOK_MS = 120
const CALL_MS = 10_000
const SHOWN_MS = 15_000
const ANSWER = /^(?:Pedido|Falhou) (\d+)/u

interface Page {
  readonly state: string
  readonly messages: readonly { readonly from: string; readonly text?: string }[]
}

/** A user who buys one number after the other and resends unanswered ones, as a web chat does. */
export class Buyer {
  /** Numbers that were accepted so far, counted from 1. */
  sent = 0
  readonly #origin: () => string
  #conversation = ''
  #token = ''

  /** `origin`: of the node to call now. */
  constructor(origin: () => string) {
    this.#origin = origin
  }

  get conversation(): string {
    return this.#conversation
  }

  async begin(channel: string): Promise<void> {
    const body = { token: VERIFY_TOKEN, user: { id: randomUUID() } }
    const opened = await this.#insist('POST', `/chat/${channel}/conversations`, body)
    const { conversation, token } = (await opened.json()) as { conversation: string; token: string }
    this.#conversation = conversation
    this.#token = token
  }

  /** Sends the next numbers at once, and waits until each was accepted. */
  async send(count: number): Promise<void> {
    const first = this.sent + 1
    this.sent += count
    const path = `/chat/conversations/${this.#conversation}/messages`
    await Promise.all(
      Array.from({ length: count }, async (_, place) => {
        await this.#insist('POST', path, { id: randomUUID(), type: 'text', text: String(first + place) })
      }),
    )
  }

  async page(): Promise<Page> {
    const size = this.sent * 3 + 10
    const answer = await this.#insist('GET', `/chat/conversations/${this.#conversation}/messages?after=&size=${size}`)
    return (await answer.json()) as Page
  }

  /** ms until every number is answered, as the node that is asked shows it; infinite where that takes longer. */
  async settle(ms: number): Promise<number> {
    const began = performance.now()
    while (!(await this.#isAnswered())) {
      if (performance.now() - began > ms) return Number.POSITIVE_INFINITY
      await pause(LOOK_MS)
    }
    return performance.now() - began
  }

  /**
   * Faults of the conversation: each number and its answer exactly once, in stored order. A node that has not read
   * another's writes yet is asked again: duplicates and wrong order persist.
   */
  async faults(): Promise<readonly string[]> {
    const until = performance.now() + SHOWN_MS
    for (;;) {
      const faults = await this.#faultsNow()
      if (faults.length === 0 || performance.now() > until) return faults
      await pause(RETRY_MS)
    }
  }

  async #faultsNow(): Promise<readonly string[]> {
    const { messages } = await this.page()
    const said = messages.flatMap(({ from, text }) => (from === 'user' ? [String(text)] : []))
    const told = messages.flatMap(({ text = '' }) => ANSWER.exec(text)?.[1] ?? [])
    const wanted = Array.from({ length: this.sent }, (_, place) => String(place + 1))
    const faults: string[] = []
    if (said.toSorted().join() !== wanted.toSorted().join()) faults.push(`sent ${wanted}, stored ${said}`)
    if (told.join() !== said.join()) faults.push(`stored ${said}, answered ${told}`)
    return faults.map(fault => `${this.#conversation}: ${fault}`)
  }

  async #isAnswered(): Promise<boolean> {
    const { state, messages } = await this.page()
    return state !== 'active' && messages.filter(({ text = '' }) => ANSWER.test(text)).length >= this.sent
  }

  /** Retries until answered: a node may be down or overloaded. */
  async #insist(method: string, path: string, body?: object): Promise<Response> {
    for (;;) {
      const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      try {
        const signal = AbortSignal.timeout(CALL_MS)
        const answer = await fetch(this.#origin() + path, { method, headers, signal, ...sent })
        if (answer.ok) return answer
        if (answer.status < 500 && answer.status !== 429) throw new Refused(`${answer.status} ${await answer.text()}`)
      } catch (error) {
        if (error instanceof Refused) throw error
      }
      await pause(RETRY_MS)
    }
  }
}

class Refused extends Error {}
