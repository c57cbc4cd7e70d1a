import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Value {
  readonly stringValue?: string
  readonly intValue?: number
  readonly boolValue?: boolean
}

interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links?: readonly { readonly spanId: string }[]
  readonly status?: { readonly code?: number; readonly message?: string }
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

/** A span as it arrived, with its attributes by name. */
interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
}

interface Body {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[]
}

const read = ({ attributes, ...span }: SentSpan): ReceivedSpan => ({
  ...span,
  attributes: Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
  ),
})

/** Receives traces as OTLP over HTTP, in JSON. */
export const startTraceReceiver = async () => {
  const bodies: string[] = []
  const heads: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    heads.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Everything that arrived. */
    text: () => [...heads, ...bodies].join('\n'),
    spans: (): readonly ReceivedSpan[] =>
      bodies.flatMap(body =>
        (JSON.parse(body) as Body).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans.map(read)),
        ),
      ),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
