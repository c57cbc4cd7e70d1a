import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GraphMessage {
  readonly to: string
  readonly type: string
  readonly text?: { readonly body: string }
  readonly interactive?: {
    readonly type: string
    readonly action: {
      readonly buttons?: readonly { readonly reply: { readonly id: string; readonly title: string } }[]
    }
  }
  readonly biz_opaque_callback_data?: string
}

/** Meta's Graph API for a bot's messages: stores each message and returns the next answer. */
export const startGraphServer = async () => {
  const sent: GraphMessage[] = []
  const paths: string[] = []
  const times: number[] = []
  const files = new Map<string, Buffer>()
  const answers: ('hold' | { readonly status: number; readonly body: object; readonly headers?: object })[] = []
  const held: ServerResponse[] = []
  /** Answer of the address of tokens: by default, one that does not end. undefined: the tokens are unknown. */
  const token: { data: object | undefined } = { data: { is_valid: true, expires_at: 0 } }
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const file = files.get(request.url ?? '')
    if (file !== undefined) return response.end(file)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url?.includes('/debug_token') === true && token.data !== undefined)
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: token.data }))
    if (request.method !== 'POST') return response.writeHead(404).end()
    paths.push(request.url ?? '')
    times.push(Date.now())
    sent.push(JSON.parse(Buffer.concat(chunks).toString()) as GraphMessage)
    const answer = answers.shift()
    if (answer === 'hold') return held.push(response)
    const { status = 200, body = { messages: [{ id: `wamid.${sent.length}` }] }, headers = {} } = answer ?? {}
    return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    /** Addresses of the messages, and when they came. */
    paths,
    times,
    files,
    token,
    /** Answers to the next messages; `hold`: none. */
    answers,
    close() {
      for (const response of held) response.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
