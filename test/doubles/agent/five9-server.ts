import { type MlServer, type MlServerCall, startMlServer } from '../ml/ml-server.ts'
import { sample } from './agent-server.ts'

export const FIVE9_TENANT = 'Example Tenant'
export const FIVE9_SECRET = 'planted-path-secret'

export interface Five9Server extends MlServer {
  readonly said: string[]
  readonly opened: Record<string, unknown>[]
  readonly is: { isThere: boolean; isClosed: boolean }
}

/** Five9 Messaging as public connectors call it. */
export const startFive9Server = async (): Promise<Five9Server> => {
  const said: string[] = []
  const opened: Record<string, unknown>[] = []
  const is = { isThere: true, isClosed: false }
  const session = sample('five9', 'res-auth-anon')
  const created = sample('five9', 'res-create-conversation')
  const answer = ({ method, path, headers, body }: MlServerCall) => {
    const at = path.replace('/appsvcs/rs/svc', '')
    if (at === '/auth/anon')
      return JSON.parse(body).tenantName === FIVE9_TENANT
        ? { body: session }
        : { status: 401, body: { message: 'Unknown tenant' } }
    if (headers.authorization !== `Bearer-${session.tokenId}` || headers.farmid === undefined)
      return { status: 401, body: { message: 'No session' } }
    if (at.endsWith('/logged_in_profiles')) {
      const [profile] = sample('five9', 'res-logged-in-profiles') as unknown as object[]
      return { body: [{ ...profile, agentLoggedIn: is.isThere }] }
    }
    if (at === '/conversations') {
      opened.push(JSON.parse(body))
      return { body: created }
    }
    if (is.isClosed || !at.startsWith(`/conversations/${created.id}`)) return { status: 404, body: {} }
    if (method === 'DELETE') is.isClosed = true
    else said.push(JSON.parse(body).message)
    return { body: {} }
  }
  const server = await startMlServer(answer, status => ({ message: `error ${status}` }))
  return Object.assign(server, { said, opened, is })
}
