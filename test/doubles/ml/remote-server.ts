import { type MlServer, type MlServerCall, startMlServer } from './ml-server.ts'

export const CLIENT_SECRET = 'cl1ent-secret'
export const REMOTE_PROJECT = 'saude'

const errorOf = (status: number) => ({ error: status === 401 ? 'invalid_token' : 'server_error', status })

interface RemoteServer extends MlServer {
  /** No token is good any more. */
  revoke(): void
}

/** An OAuth 2 token endpoint and a parser that answers as Rasa's do, on one port. */
export const startRemoteServer = async (): Promise<RemoteServer> => {
  let issued = 0
  let valid = ''
  const token = (body: string) => {
    const form = new URLSearchParams(body)
    const isKnown = form.get('client_id') === REMOTE_PROJECT && form.get('client_secret') === CLIENT_SECRET
    if (form.get('grant_type') !== 'client_credentials' || !isKnown)
      return { status: 400, body: { error: 'invalid_client' } }
    issued += 1
    valid = `remote-${issued}`
    return { body: { access_token: valid, token_type: 'Bearer', expires_in: 3600 } }
  }
  const answer = ({ path, headers, body }: MlServerCall) => {
    if (path === '/token') return token(body)
    if (path !== '/parse') return { status: 404, body: errorOf(404) }
    if (headers.authorization !== `Bearer ${valid}`) return { status: 401, body: errorOf(401) }
    const { text, project, model } = JSON.parse(body) as { text: string; project: string; model: string }
    if (project !== REMOTE_PROJECT || model !== 'm1') return { status: 404, body: errorOf(404) }
    return {
      body: text.includes('boleto')
        ? {
            intent: { name: 'second_invoice', confidence: 0.91 },
            entities: [
              { entity: 'document', value: 'boleto', start: 9, end: 15, confidence_entity: 0.97 },
              { entity: 'month', value: 'maio', start: 0, end: 4, confidence: 0.2 },
            ],
            intent_ranking: [
              { name: 'second_invoice', confidence: 0.91 },
              { name: 'greet', confidence: 0.05 },
            ],
          }
        : { intent: { name: 'greet', confidence: 0.31 }, entities: [], intent_ranking: [] },
    }
  }
  const revoke = () => {
    valid = ''
  }
  return Object.assign(await startMlServer(answer, errorOf), { revoke })
}
