import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { NO_TRACER, traced } from '#commands/tracer.ts'
import { type CommandLoad, loadWithCommands } from './commands.ts'
import { type Figure, median, rounded } from './figure.ts'

const PAIRS = 3
const SHARE = 0.05
const CALLS = 1_000_000
const MAX_OFF = 0.01

interface TraceRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly object[] }[] }[]
}

/** A receiver of spans that counts them. */
const openReceiver = async () => {
  const seen = { spans: 0 }
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as TraceRequest
    seen.spans += resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)).length
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { seen, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const nothing = async () => undefined

/** Processor time of a call, ms. */
const timeOf = async (call: () => Promise<unknown>): Promise<number> => {
  for (let n = 0; n < CALLS / 10; n++) await call()
  const before = process.cpuUsage()
  for (let n = 0; n < CALLS; n++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / CALLS
}

/** Cost of a place for a span without a tracer, ms. */
const timeOfNoSpan = async (): Promise<number> => {
  const attributes = { 'parley.entity': 'codesample', 'parley.events': 1 }
  const [without, within] = [
    await timeOf(nothing),
    await timeOf(() => traced(NO_TRACER, 'parley.append', { attributes }, nothing)),
  ]
  return within - without
}

/** P18: processor time of a command with traces, of which 5 % are sent, in turns with none; and with none at all. */
export const tracing = async (): Promise<readonly Figure[]> => {
  const receiver = await openReceiver()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: String(SHARE) }
  const without: CommandLoad[] = []
  const within: CommandLoad[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    without.push(await loadWithCommands())
    within.push(await loadWithCommands({ env }))
  }
  receiver.close()
  const work = (loads: readonly CommandLoad[]) => median(loads.map(load => load.work))
  const on = work(within) / work(without) - 1
  const spans = receiver.seen.spans / SHARE / within.reduce((sum, { count }) => sum + count, 0)
  const off = ((await timeOfNoSpan()) * spans) / work(without)
  return [
    {
      id: 'P18',
      what: 'traces on, 5 % sent: more processor time of a command',
      measured: `${rounded(on * 100)} % (${rounded(work(within), 2)} of ${rounded(work(without), 2)} ms)`,
      target: '–',
      met: null,
      detail: { on, within: work(within), without: work(without) },
    },
    {
      id: 'P18',
      what: `traces off: the ${rounded(spans)} places of a command where a span would begin`,
      measured: `${rounded(off * 100, 3)} %`,
      target: `≤ ${MAX_OFF * 100} %`,
      met: off <= MAX_OFF,
      detail: { off, spans },
    },
  ]
}
