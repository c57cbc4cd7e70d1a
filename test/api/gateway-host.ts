// A process that runs gateways for tests, one after another: only the first start loads and compiles the program.
import v8 from 'node:v8'
import { openLog } from '#gateway/log.ts'
import { readGatewaySettings } from '#gateway/settings.ts'
import { type Gateway, type Limits, startGateway } from '#gateway/start-gateway.ts'
import { type Piece, ThreadPieces } from '#test/fixture/thread-pieces.ts'

export type HostRequest = { readonly call: number } & (
  | { readonly open: Readonly<Record<string, string>>; readonly limits: Limits }
  | { readonly close: number }
  | { readonly pieces: number }
)
export interface HostAnswer {
  readonly call: number
  readonly url?: string
  readonly error?: string
  /** Long pieces of work of the main thread until a gateway was closed. */
  readonly pieces?: readonly Piece[]
}

/** Longest piece of work of the main thread in any test, ms. */
const LONGEST_MS = 100
/** Above this heap size a host without open gateways asks for its replacement, in bytes. */
const HEAP_LIMIT = 1 << 30

const gateways = new Map<number, Gateway>()
const pieces = new ThreadPieces()

const answer = async (request: HostRequest): Promise<Omit<HostAnswer, 'call'>> => {
  if ('open' in request) {
    const settings = readGatewaySettings(request.open)
    const gateway = await pieces.excuse(() => startGateway(settings, openLog(settings.LOG_LEVEL), request.limits))
    gateways.set(request.call, gateway)
    return { url: gateway.url }
  }
  if ('pieces' in request) return { pieces: pieces.take(request.pieces) }
  const gateway = gateways.get(request.close)
  gateways.delete(request.close)
  await pieces.excuse(async () => gateway?.close())
  return { pieces: pieces.take(LONGEST_MS) }
}

process.on('message', (request: HostRequest) => {
  const { call } = request
  answer(request)
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    .then(given => {
      process.send?.({ call, ...given } satisfies HostAnswer)
      if (gateways.size === 0 && v8.getHeapStatistics().used_heap_size > HEAP_LIMIT) process.disconnect()
    })
})
process.on('disconnect', () => process.exit())
