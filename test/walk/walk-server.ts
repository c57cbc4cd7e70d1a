import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Outcome } from './call-outcome.ts'
import { ERROR_STATUS, type WalkService } from './outside.ts'

interface PlannedTurn {
  readonly outcomes: readonly Outcome[]
  /** Keys of its calls, in their order: a call that is tried again has the same. */
  readonly keys: string[]
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** The outside system of walks over HTTP: each conversation is answered as the turn that it is in wants it. */
export class WalkServer {
  readonly origin: string
  readonly #turns = new Map<string, PlannedTurn>()
  #opening: readonly Outcome[] = []
  readonly #stop: () => void

  private constructor(origin: string, stop: () => void) {
    this.origin = origin
    this.#stop = stop
  }

  static async open(service: WalkService): Promise<WalkServer> {
    const server = createServer((request, response) => void walk.#answer(request, response, service))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const walk: WalkServer = new WalkServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => {
      server.closeAllConnections()
      server.close()
    })
    return walk
  }

  /** Outcomes of the calls of the next new conversation. One is opened at a time. */
  expectOpening(outcomes: readonly Outcome[]): void {
    this.#opening = outcomes
  }

  /** Outcomes of the calls in the next turn. */
  expectTurn(conversation: string, outcomes: readonly Outcome[]): void {
    this.#turns.set(conversation, { outcomes, keys: [] })
  }

  close(): void {
    this.#stop()
  }

  #outcomeOf(key: string): Outcome {
    const conversation = key.split('.')[0] ?? ''
    const turn = this.#turns.get(conversation) ?? { outcomes: this.#opening, keys: [] }
    this.#turns.set(conversation, turn)
    if (!turn.keys.includes(key)) turn.keys.push(key)
    return turn.outcomes[turn.keys.indexOf(key)] ?? 'good'
  }

  async #answer(request: IncomingMessage, response: ServerResponse, service: WalkService): Promise<void> {
    const outcome = this.#outcomeOf(String(request.headers['idempotency-key'] ?? ''))
    if (outcome === 'silence') return
    const { method = 'GET', url: path = '/' } = request
    const said =
      outcome === 'error'
        ? { status: ERROR_STATUS, body: null }
        : outcome === 'good'
          ? service({ method, path, body: await textOf(request) })
          : { status: 200, body: outcome.body }
    response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body))
  }
}
