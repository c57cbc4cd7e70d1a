import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { MlServer, MlServerCall } from '../ml/ml-server.ts'
import { sample } from './agent-server.ts'

type Frame = Record<string, unknown> & { readonly type: string; readonly body: Record<string, unknown> }

export interface AaccServer extends MlServer {
  readonly said: string[]
  /** Requests in the order in which they came, without pings. */
  readonly requests: Frame[]
  readonly is: { free: number; isClosed: boolean; acknowledges: boolean; error: string | undefined; opened: number }
  /** Sends a sample to every open chat. */
  tell(name: string, change?: object): void
  /** Breaks every socket. */
  breakSockets(): void
  open(): number
}

const frame = (name: string, change: object = {}): Frame => {
  const { body, ...rest } = sample('aacc', name) as Frame
  return { ...rest, body: { ...body, ...change } } as Frame
}

/** Enterprise Web Chat as public clients speak it. */
export const startAaccServer = async (): Promise<AaccServer> => {
  const calls: MlServerCall[] = []
  const said: string[] = []
  const requests: Frame[] = []
  const is: AaccServer['is'] = { free: 2, isClosed: false, acknowledges: true, error: undefined, opened: 0 }
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', headers, url = '/' } = request
    const body = Buffer.concat(chunks).toString('utf8')
    calls.push({ method, path: url, query: new URLSearchParams(), headers, body })
    const [metric] = (sample('aacc', 'res-currentqueue') as { body: { metrics: object[] } }).body.metrics
    const { skillset } = JSON.parse(body)
    const metrics = [{ ...metric, skillset, availableAgentsInQueue: is.free }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ body: { metrics } }))
  })
  const sockets = new WebSocketServer({ server: http, path: '/CustomerControllerWeb/chat' })
  const answer = (socket: WebSocket, { body }: Frame) => {
    const send = (...frames: readonly Frame[]) => {
      for (const one of frames) socket.send(JSON.stringify(one))
    }
    if (is.error !== undefined) return send(frame('err-error', { method: body.method, code: is.error }))
    switch (body.method) {
      case 'requestChat':
        if (body.guid === null) is.opened += 1
        return send(frame('in-new-chat-acknowledgement'), frame('in-request-chat'))
      case 'newMessage':
        said.push(String(body.message))
        return is.acknowledges ? send(frame('in-acknowledgement')) : undefined
      case 'queueStatus':
        return send(frame('in-queue-status'))
      case 'closeConversation':
        is.isClosed = true
        return send(frame('in-close-conversation'))
      default:
        return undefined
    }
  }
  sockets.on('connection', socket =>
    socket.on('message', data => {
      const asked = JSON.parse(String(data)) as Frame
      if (asked.body.method !== 'ping') requests.push(asked)
      answer(socket, asked)
    }),
  )
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    ...{ calls, faults: [], fault: undefined, said, requests, is },
    tell(name, change) {
      for (const socket of sockets.clients) socket.send(JSON.stringify(frame(name, change)))
    },
    breakSockets() {
      for (const socket of sockets.clients) socket.terminate()
    },
    open: () => [...sockets.clients].filter(({ readyState, OPEN }) => readyState === OPEN).length,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets.clients) socket.terminate()
        sockets.close()
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
}
