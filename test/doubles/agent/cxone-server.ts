import { type MlServer, type MlServerCall, startMlServer } from '../ml/ml-server.ts'
import { sample } from './agent-server.ts'

export const CXONE_KEY = 'key-id'
export const CXONE_SECRET = 'planted-key-secret'

export interface CxoneServer extends MlServer {
  readonly said: string[]
  readonly is: { isClosed: boolean; session: string; token: number }
  /** Sets the next poll's answer: a corpus sample, or messages. */
  tell(name: string, change?: object): void
  /** No token that was given so far is taken any more. */
  endTokens(): void
}

/** The Patron API of a contact centre: each poll answers another session. */
export const startCxoneServer = async (): Promise<CxoneServer> => {
  const said: string[] = []
  const news: object[] = []
  const is = { isClosed: false, session: '', token: 1 }
  let sessions = 0
  const next = () => {
    sessions += 1
    is.session = `session-${sessions}`
    return is.session
  }
  const answer = ({ method, path, headers, body }: MlServerCall) => {
    if (path === '/authentication/v1/token/access-key') {
      const { accessKeyId, accessKeySecret } = JSON.parse(body)
      if (accessKeyId !== CXONE_KEY || accessKeySecret !== CXONE_SECRET)
        return { status: 401, body: { error: 'invalid_client', error_description: 'Access key is not valid' } }
      return { body: { access_token: `token-${is.token}`, expires_in: 3600, token_type: 'Bearer' } }
    }
    if (headers.authorization !== `Bearer token-${is.token}`) return { status: 401, body: { error: 'invalid_token' } }
    const inChat = /^\/inContactAPI\/services\/v20\.0\/contacts\/chats(?:\/([\w-]+))?(\/[\w-]+)?$/.exec(path)
    const [, session, what] = inChat ?? []
    if (inChat === null) return { status: 404, body: {} }
    if (session === undefined) return { body: { ...sample('cxone', 'res-start-chat'), chatSessionId: next() } }
    if (is.isClosed || session !== is.session) return { status: 404, body: sample('cxone', 'err-session-ended') }
    if (what === '/send-text') {
      said.push(JSON.parse(body).message)
      return { body: {} }
    }
    if (method === 'DELETE') {
      is.isClosed = true
      return { body: {} }
    }
    return { body: { chatSession: next(), messages: news.splice(0) } }
  }
  const server = await startMlServer(answer, status => ({ error: `error ${status}` }))
  return Object.assign(server, {
    said,
    is,
    tell(name: string, change: object = {}) {
      const { messages } = sample('cxone', name) as { messages: object[] }
      news.push(...messages.map(message => ({ ...message, ...change })))
    },
    endTokens() {
      is.token += 1
    },
  })
}
