import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '#schemas/event.ts'
import type { ProviderRequest, ShownMessage, Wire } from './wire.ts'

/** Public address of the gateway, as providers know it. */
export const PUBLIC_URL = 'https://bots.example.com'

/** Settings of a gateway that calls such a server and is called by it. */
export const PROVIDER_ENV = { PARLEY_SAMPLE: 'off', ALLOW_PRIVATE_ADDRESSES: 'true', BOT_ROUTER_URL: PUBLIC_URL }
/** Host of files in Meta's answers. */
const META_FILES = 'https://lookaside.fbsbx.com'

const bodyOf = (text: string, type = ''): JsonObject =>
  type.startsWith('application/json') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))

const isProven = ({ headers }: IncomingMessage, [name, value]: Wire['proof']) => headers[name] === value

/** One provider of WhatsApp over HTTP: it takes messages of who proves to be its customer, and calls the gateway. */
export const startProvider = async (wire: Wire) => {
  const requests: ProviderRequest[] = []
  const contents: JsonObject[] = []
  const files = new Map<string, Buffer>()
  const refused: string[] = []
  const fault: { status: number | undefined } = { status: undefined }
  const idAt = (place: number) => `${wire.type}-${place + 1}`
  const json = (response: ServerResponse, status: number, body: JsonObject) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const read = (request: IncomingMessage, response: ServerResponse) => {
    const file = files.get(request.url ?? '')
    if (file === undefined) return response.writeHead(404).end()
    if (wire.type !== 'whatsapp_360dialog') return response.end(file)
    // A file is requested by its id and served at the provider's own host instead of Meta's.
    files.set(`/files${request.url}`, file)
    return request.url?.startsWith('/files/') === true
      ? response.end(file)
      : json(response, 200, { url: `${META_FILES}/files${request.url}` })
  }
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isOpen = request.method === 'GET' && ['whatsapp_gupshup', 'whatsapp_zenvia'].includes(wire.type)
    if (!isOpen && !isProven(request, wire.proof)) return json(response, 401, {})
    if (request.method === 'GET') return read(request, response)
    const body = bodyOf(Buffer.concat(chunks).toString(), request.headers['content-type'])
    if (request.url === '/v1/Content') return json(response, 201, { sid: `HX${contents.push(body)}` })
    const place = requests.push({ path: request.url ?? '', headers: request.headers, body }) - 1
    const shown = wire.shown(requests[place] as ProviderRequest, contentOf)
    if (fault.status !== undefined) return json(response, fault.status, {})
    const { status, body: answer } = refused.includes(shown.to) ? wire.refusal : wire.answer(idAt(place))
    return json(response, status, answer)
  }
  const contentOf = (id: string): JsonObject => contents[Number(id.slice(2)) - 1] ?? {}
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Messages sent to a user, with the request and the provider's id of each. */
  const sentTo = (to: string): readonly (ShownMessage & { readonly id: string; readonly request: ProviderRequest })[] =>
    requests.flatMap((request, place) => {
      const shown = wire.shown(request, contentOf)
      return shown.to === to ? [{ ...shown, id: idAt(place), request }] : []
    })

  const call = async (origin: string, path: string, body: JsonObject, secret = wire.signed) => {
    const text = JSON.stringify(body).replaceAll('{origin}', url)
    const given = JSON.parse(text) as Record<string, string>
    const content = wire.isForm === true ? new URLSearchParams(given).toString() : text
    const type = wire.isForm === true ? 'application/x-www-form-urlencoded' : 'application/json'
    const named = Object.keys(given).sort()
    const signed = PUBLIC_URL + path + named.map(name => name + given[name]).join('')
    const signature = secret === undefined ? '' : createHmac('sha1', secret).update(signed).digest('base64')
    const headers = { 'content-type': type, ...(signature === '' ? {} : { 'x-twilio-signature': signature }) }
    return fetch(origin + path, { method: 'POST', headers, body: content })
  }
  return {
    url,
    files,
    /** Numbers to which nothing is taken. */
    refused,
    /** Status of every answer to a message, while it is set. */
    fault,
    sentTo,
    call,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
