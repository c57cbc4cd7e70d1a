import type { Answer, Client } from '#test/api/harness.ts'

/** One command as it was sent: under its key it may be sent again until its outcome is known. */
interface Sent {
  readonly what: 'create' | 'claim' | 'change' | 'rename' | 'remove'
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Record<string, string>
}

interface Bot {
  readonly id: string
  readonly revision: number
  readonly name: string
  readonly description: string
}

/** A client that writes without pause and knows the effect of each answer on the log. */
export class HttpWriter {
  /** The bot it is at work on, as the answers so far say it is. */
  bot: Bot | undefined
  /** Bots whose creation under a disputed name was acknowledged. */
  readonly claims = new Map<string, string>()
  /** Texts that acknowledged commands put into the log, each in a separate event. */
  readonly written = new Set<string>()
  /** Answers that no client should get, a crash of the server or not. */
  readonly unexpected: string[] = []
  #pending: Sent | undefined
  #sent = 0
  readonly #number: number
  readonly #random: (below: number) => number

  constructor(number: number, random: (below: number) => number) {
    this.#number = number
    this.#random = random
  }

  /** Writes until the server stops. @returns commands that were acknowledged */
  async work(api: Client, token: string, disputed: readonly string[]): Promise<number> {
    for (let acknowledged = 0; ; acknowledged++) {
      this.#pending = this.#next(disputed)
      try {
        await this.#send(api, token)
      } catch {
        return acknowledged
      }
    }
  }

  /** Sends again what was under way when the server died. @returns whether anything was */
  async settle(api: Client, token: string): Promise<boolean> {
    if (this.#pending === undefined) return false
    await this.#send(api, token)
    return true
  }

  async #send(api: Client, token: string): Promise<void> {
    const sent = this.#pending
    if (sent === undefined) return
    const headers = { ...sent.headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    this.#learn(sent, await api.send(sent.method, sent.path, { headers, body: JSON.stringify(sent.body) }))
    this.#pending = undefined
  }

  #learn({ what, method, path, body }: Sent, answer: Answer): void {
    if (what === 'claim' && answer.status === 409 && answer.body.code === 'entity.name.taken') return
    if (answer.status >= 300) {
      this.unexpected.push(`${method} ${path}: ${answer.status} ${answer.text}`)
      return
    }
    const { id, revision } = answer.body
    if (what !== 'remove') this.written.add(String(body.description))
    if (what === 'claim') this.claims.set(String(body.name), id)
    else if (what === 'remove') this.bot = undefined
    else this.bot = { ...this.bot, name: '', ...body, id, revision, description: String(body.description) }
  }

  #next(disputed: readonly string[]): Sent {
    this.#sent += 1
    const mark = `writer ${this.#number} command ${this.#sent}`
    const name = `Bot ${this.#number}.${this.#sent}`
    const key = { 'idempotency-key': mark.replaceAll(' ', '-') }
    const dice = this.#random(100)
    if (dice < 25) {
      const wanted = disputed[dice % disputed.length] ?? name
      return {
        what: 'claim',
        method: 'POST',
        path: '/bot',
        body: { name: wanted, description: mark },
        headers: key,
      }
    }
    if (this.bot === undefined) {
      return { what: 'create', method: 'POST', path: '/bot', body: { name, description: mark }, headers: key }
    }
    const path = `/bot/${this.bot.id}`
    if (dice < 35) return { what: 'remove', method: 'DELETE', path, body: { confirm: 'CONFIRM' }, headers: key }
    const headers = { ...key, 'if-match': `"${this.bot.revision}"` }
    if (dice < 55) return { what: 'rename', method: 'PATCH', path, body: { name, description: mark }, headers }
    return { what: 'change', method: 'PATCH', path, body: { description: mark }, headers }
  }
}
