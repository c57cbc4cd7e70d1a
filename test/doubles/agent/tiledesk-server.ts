import { type MlServer, type MlServerCall, startMlServer } from '../ml/ml-server.ts'

export const TILEDESK_PROJECT = '5e2c35c8f0dbc10017bb3aac'
export const TILEDESK_USER = 'admin@example.com'
export const TILEDESK_PASSWORD = 'planted-password'
export const TILEDESK_SECRET = 'planted-subscription-secret'

interface Message {
  readonly text: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly sender: string
}

export interface TiledeskServer extends MlServer {
  readonly is: { isOpen: boolean; isClosed: boolean }
  readonly requests: ReadonlyMap<string, readonly Message[]>
}

const REQUEST = new RegExp(`^/${TILEDESK_PROJECT}/requests/([\\w-]+)/(messages|close|closeg)$`)

/** The REST calls of a Tiledesk server, version 3. */
export const startTiledeskServer = async (): Promise<TiledeskServer> => {
  const requests = new Map<string, Message[]>()
  const guests = new Map<string, string>()
  const is = { isOpen: true, isClosed: false }
  const basic = `Basic ${Buffer.from(`${TILEDESK_USER}:${TILEDESK_PASSWORD}`).toString('base64')}`
  const unauthorized = { status: 401, body: { success: false, msg: 'Unauthorized' } }

  const inRequest = ({ method, headers, body }: MlServerCall, id: string, what: string) => {
    const token = headers.authorization ?? ''
    if (token !== basic && !guests.has(token)) return unauthorized
    const held = requests.get(id)
    if (what !== 'messages') {
      if (held === undefined) return { status: 404, body: { success: false, msg: 'Request not found' } }
      if (what === 'close' && token !== basic) return { status: 403, body: { success: false, msg: 'forbidden' } }
      is.isClosed = true
      return { body: { request_id: id, status: 1000 } }
    }
    if (method === 'GET') return held === undefined ? { status: 404, body: {} } : { body: held }
    const { text, attributes } = JSON.parse(body)
    if (typeof text !== 'string' || text === '') return { status: 422, body: { errors: [{ msg: 'text is required' }] } }
    const message = { text, attributes, sender: guests.get(token) ?? 'admin' }
    requests.set(id, [...(held ?? []), message])
    return { body: { _id: `m${requests.get(id)?.length}`, ...message, request: { request_id: id, status: 100 } } }
  }
  const server = await startMlServer(
    call => {
      const { method, path, headers, body } = call
      if (path === '/auth/signinAnonymously') {
        const { id_project: project, firstname } = JSON.parse(body)
        if (project !== TILEDESK_PROJECT) return unauthorized
        const id = `guest-${guests.size + 1}`
        guests.set(`JWT ${id}`, id)
        return { body: { success: true, token: `JWT ${id}`, user: { _id: id, firstname } } }
      }
      if (path === `/projects/${TILEDESK_PROJECT}/isopen`) return { body: { isopen: is.isOpen } }
      if (path === `/${TILEDESK_PROJECT}/subscriptions` && method === 'GET')
        return headers.authorization === basic ? { body: [] } : unauthorized
      const [, id = '', what = ''] = REQUEST.exec(path) ?? []
      return id === '' ? { status: 404, body: { success: false } } : inRequest(call, id, what)
    },
    () => ({ success: false, msg: 'error' }),
  )
  return Object.assign(server, { is, requests })
}
