import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const HEALTH_MS = 1000
const HEALTH_TIMEOUT_MS = 2000

interface Backend {
  readonly origin: string
  readonly agent: Agent
  isReady: boolean
}

/**
 * A proxy before gateways, as docs/operations.md asks for one: it asks each for `/health/ready` every second, sends
 * requests to ready ones alone, and the requests of a client (`x-client`, else its token) to the same one while those are
 * ready. It sends no request twice.
 */
export class ReadyProxy {
  readonly #server: Server
  readonly #origins: () => readonly string[]
  #backends: readonly Backend[] = []
  readonly #timer: NodeJS.Timeout

  /** `origins`: of gateways that may be up; asked before each look. */
  constructor(origins: () => readonly string[]) {
    this.#origins = origins
    this.#server = createServer((incoming, response) => this.#pass(incoming, response)).listen(0, '127.0.0.1')
    // A client must not meet a connection that is closed for its idleness.
    this.#server.keepAliveTimeout = 0
    this.#timer = setInterval(() => void this.look(), HEALTH_MS)
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get ready(): readonly string[] {
    return this.#backends.filter(({ isReady }) => isReady).map(({ origin }) => origin)
  }

  /** Asks every gateway whether it is ready. */
  async look(): Promise<void> {
    this.#backends = this.#origins().map(
      origin =>
        this.#backends.find(known => known.origin === origin) ?? {
          origin,
          agent: new Agent({ keepAlive: true }),
          isReady: false,
        },
    )
    await Promise.all(
      this.#backends.map(async backend => {
        const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS)
        const answer = fetch(`${backend.origin}/botadmin/api/health/ready`, { signal })
        backend.isReady = await answer.then(
          ({ ok }) => ok,
          () => false,
        )
      }),
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
    for (const { agent } of this.#backends) agent.destroy()
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const ready = this.#backends.filter(({ isReady }) => isReady)
    const { 'x-client': client, authorization } = incoming.headers
    const place = hash('sha256', String(client ?? authorization), 'buffer').readUInt32BE(0)
    const backend = ready[place % Math.max(1, ready.length)]
    const fail = (status: number, reason: string) => {
      if (!response.headersSent) response.writeHead(status, { 'x-proxy': reason })
      response.end(reason)
    }
    if (backend === undefined) {
      fail(503, 'no gateway is ready')
      return
    }
    const { method, headers, url } = incoming
    const outgoing = request(backend.origin + url, { method, headers, agent: backend.agent }, answer => {
      const { connection: _hop, 'keep-alive': _more, 'transfer-encoding': _coding, ...rest } = answer.headers
      response.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', error => fail(502, error.message))
    incoming.pipe(outgoing)
  }
}
