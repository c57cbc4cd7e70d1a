import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '#schemas/event.ts'
import { bodyOf, type TemplateRequest, type TemplateWire } from './template-wires.ts'

/** A template message that the provider took. */
interface TakenMessage {
  readonly id: string
  readonly request: TemplateRequest
}

/** A provider over HTTP that takes template messages of who proves to be its customer. */
export const startTemplateProvider = async (wire: TemplateWire) => {
  const taken: TakenMessage[] = []
  const other: TemplateRequest[] = []
  /** Answers to the next messages, in turn, none of which is taken; `cut`: taken, and the connection ends. */
  const replies: ({ readonly status: number; readonly body: JsonObject } | 'cut')[] = []
  const [name, secret] = wire.proof
  let count = 0
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = 'GET', url: path = '', headers } = incoming
    const json = (status: number, body: JsonObject | '') =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body === '' ? '' : JSON.stringify(body))
    if (headers[name] !== secret) return json(401, {})
    const request = { path, body: bodyOf(Buffer.concat(chunks).toString(), headers['content-type']) }
    if (path !== wire.sends) {
      const answer = wire.others?.[`${method} ${path}`]
      other.push(request)
      return answer === undefined ? json(404, {}) : json(200, answer(request))
    }
    const reply = replies.shift()
    if (reply !== undefined && reply !== 'cut') return json(reply.status, reply.body)
    count += 1
    const id = wire.idOf?.(request, '') ?? `message-${count}`
    taken.push({ id, request })
    if (reply === 'cut') return response.socket?.destroy()
    const { status, body } = wire.answer(id)
    return json(status, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    other,
    replies,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type TemplateProviderDouble = Awaited<ReturnType<typeof startTemplateProvider>>
