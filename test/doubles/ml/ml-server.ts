import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A status, or a page instead of JSON, JSON in another form, no answer, a late one, one that never ends or breaks off. */
export type MlFault = number | 'html' | 'wrong' | 'silent' | 'slow' | 'huge' | 'cut'

export interface MlServerCall {
  readonly method: string
  /** Path without query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface MlServerAnswer {
  readonly status?: number
  readonly body: unknown
}

export interface MlServer {
  readonly url: string
  /** In the order in which they came. */
  readonly calls: readonly MlServerCall[]
  /** Faults of the next calls, in turn. */
  readonly faults: MlFault[]
  /** Fault of every call. */
  fault: MlFault | undefined
  /** Answers wait for it. */
  gate?: Promise<void> | undefined
  close(): Promise<void>
}

const SLOW_MS = 60
const HUGE_BYTES = 1_200_000

const misbehave = async (fault: MlFault, response: ServerResponse, error: unknown, serve: () => void) => {
  switch (fault) {
    case 'html':
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Sign in</body></html>')
    case 'wrong':
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"unexpected":[1,{"a":null}]}')
    case 'silent':
      return undefined
    case 'slow':
      await pause(SLOW_MS)
      return serve()
    case 'huge':
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: 'x'.repeat(HUGE_BYTES) }))
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 }).write('{"text":')
      return response.destroy()
    default:
      return response.writeHead(fault, { 'content-type': 'application/json' }).end(JSON.stringify(error))
  }
}

/** A service on the loopback that speaks the API of an outside system. `errorOf`: its own form of an error. */
export const startMlServer = async (
  answer: (call: MlServerCall) => MlServerAnswer,
  errorOf: (status: number) => unknown,
): Promise<MlServer> => {
  const calls: MlServerCall[] = []
  const faults: MlFault[] = []
  const now: Pick<MlServer, 'fault' | 'gate'> = { fault: undefined, gate: undefined }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://double')
    const { method = 'GET', headers } = request
    const call = { method, path, query, headers, body: Buffer.concat(chunks).toString('utf8') }
    calls.push(call)
    await now.gate
    const serve = () => {
      const { status = 200, body } = answer(call)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const fault = faults.shift() ?? now.fault
    if (fault === undefined) serve()
    else await misbehave(fault, response, errorOf(typeof fault === 'number' ? fault : 500), serve)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    faults,
    get fault() {
      return now.fault
    },
    set fault(fault) {
      now.fault = fault
    },
    get gate() {
      return now.gate
    },
    set gate(gate) {
      now.gate = gate
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
