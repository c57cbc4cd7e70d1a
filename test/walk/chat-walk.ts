import type { Client, Parley } from '#test/api/harness.ts'
import { type Path, PLACE, type Sent } from './explorer.ts'
import type { Output } from './linked-outputs.ts'
import type { WalkServer } from './walk-server.ts'

/** Conversations held at one time. */
const TOGETHER = 8
const POLL_MS = 5
/** The channel's verify token: chats opened with it count against no limit. */
export const WALK_TOKEN = 'walk'

interface Opened {
  readonly conversation: string
  readonly token: string
}

const bodyOf = (sent: Sent): object => {
  switch (sent.kind) {
    case 'text':
      return { text: sent.text }
    case 'press':
      return { type: 'choice', of: String(sent.of), value: sent.action.id }
    default:
      return { type: 'location', data: PLACE }
  }
}

const pause = (ms: number) => new Promise<void>(done => setTimeout(done, ms))

/** Walks over the chat of one channel, as a client of it does. */
export class ChatWalk {
  readonly #parley: Parley
  readonly #admin: Client
  readonly #channel: string
  readonly #server: WalkServer
  #opening: Promise<unknown> = Promise.resolve()

  constructor(parley: Parley, admin: Client, channel: string, server: WalkServer) {
    this.#parley = parley
    this.#admin = admin
    this.#channel = channel
    this.#server = server
  }

  /** Outputs of conversations that follow these paths. */
  async walk(paths: readonly Path[]): Promise<ReadonlySet<Output>> {
    const reached = new Set<Output>()
    const left = [...paths]
    const hold = async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop())
        for (const output of await this.#outputsOf(path)) reached.add(output)
    }
    await Promise.all(Array.from({ length: TOGETHER }, hold))
    return reached
  }

  async #send(path: string, token: string, body?: object) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    for (;;) {
      const answered = await fetch(this.#parley.origin + path, { headers, ...init })
      const text = await answered.text()
      if (answered.ok) return JSON.parse(text)
      const wait = Number(answered.headers.get('retry-after'))
      if (answered.status !== 429 || !(wait > 0))
        throw new Error(`${answered.status} ${text} to ${JSON.stringify(body)}`)
      await pause(wait * 1000)
    }
  }

  async #settle({ conversation, token }: Opened): Promise<void> {
    const newest = `/chat/conversations/${conversation}/messages?after=~`
    while ((await this.#send(newest, token)).state === 'active') await pause(POLL_MS)
  }

  /** One at a time, so that the calls of the opening are known to be its own. */
  #open({ person, turns }: Path): Promise<Opened> {
    const opened = this.#opening.then(async () => {
      this.#server.expectOpening(turns[0]?.outcomes ?? [])
      const user = Object.keys(person).length === 0 ? {} : { user: { data: person } }
      const begun = { token: WALK_TOKEN, locale: 'pt', ...user }
      const answer: Opened = await this.#send(`/chat/${this.#channel}/conversations`, '', begun)
      await this.#settle(answer)
      return answer
    })
    this.#opening = opened.catch(() => undefined)
    return opened
  }

  async #outputsOf(path: Path): Promise<readonly Output[]> {
    const opened = await this.#open(path)
    const { conversation, token } = opened
    for (const { sent, outcomes } of path.turns.slice(1)) {
      if (sent === undefined) continue
      this.#server.expectTurn(conversation, outcomes)
      const message = { id: crypto.randomUUID(), ...bodyOf(sent) }
      await this.#send(`/chat/conversations/${conversation}/messages`, token, message).catch(async error => {
        // A conversation that went another way than its plan tells where.
        throw new Error(`${error.message} after ${JSON.stringify((await this.#stepsOf(conversation)).slice(-20))}`)
      })
      await this.#settle(opened)
    }
    const steps = await this.#stepsOf(conversation)
    return steps.flatMap(({ dialog, block, out }) => (out === null ? [] : [`${dialog} ${block} ${out}`]))
  }

  async #stepsOf(conversation: string) {
    const { turns } = (await this.#admin.get(`/conversation/${conversation}/replay`)).body as unknown as {
      turns: { steps: { dialog: string; block: string; out: string | null; problem?: object }[] }[]
    }
    return turns.flatMap(({ steps }) => steps)
  }
}
