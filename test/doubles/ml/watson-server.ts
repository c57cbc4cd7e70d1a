import { type MlServer, type MlServerCall, startMlServer } from './ml-server.ts'

export const WATSON_KEY = 'wats0n-api-key'
export const ASSISTANT = 'a1b2c3d4-0000-4000-8000-000000000001'
const INSTANCE = '/instances/00000000-0000-4000-8000-000000000000'

const errorOf = (code: number) => ({ error: code === 404 ? 'Invalid Session' : 'Request was not served', code })

/** Message behind a suggestion, with the id of the suggestion. */
export const SUGGESTION = {
  message_type: 'text',
  text: 'segunda via',
  intents: [{ intent: 'second_invoice', confidence: 0.6 }],
  options: { suggestion_id: 's-1' },
}

const output = (text: string) =>
  text.includes('boleto')
    ? {
        intents: [
          { intent: 'second_invoice', confidence: 0.9412, skill: 'actions skill' },
          { intent: 'greet', confidence: 0.12 },
        ],
        entities: [{ entity: 'document', location: [17, 23], value: 'boleto', confidence: 1 }],
        generic: [
          { response_type: 'text', text: 'Claro' },
          {
            response_type: 'option',
            title: 'Qual documento?',
            preference: 'button',
            options: [
              { label: 'Boleto', value: { input: { text: 'boleto' } } },
              { label: 'Nota', value: { input: { text: 'nota' } } },
            ],
          },
          { response_type: 'pause', time: 2000, typing: true },
          { response_type: 'image', source: 'https://example.com/a.png', title: 'Exemplo' },
          {
            response_type: 'connect_to_agent',
            message_to_human_agent: 'Cliente pede segunda via',
            agent_available: { message: 'Vou transferir' },
            agent_unavailable: { message: 'Sem atendentes' },
          },
        ],
      }
    : {
        intents: [],
        entities: [],
        generic: [
          {
            response_type: 'suggestion',
            title: 'Voce quis dizer:',
            suggestions: [{ label: 'Segunda via', value: { input: SUGGESTION } }],
          },
        ],
      }

interface WatsonServer extends MlServer {
  /** Ends all sessions, as five minutes of silence do. */
  endSessions(): void
  /** No token is good any more. */
  revoke(): void
}

/** IBM's token endpoint and watsonx Assistant v2 on one port; `isCloud`: the assistant takes tokens alone, else the key. */
export const startWatsonServer = async (isCloud: boolean): Promise<WatsonServer> => {
  let made = 0
  let issued = 0
  let valid = ''
  const sessions = new Set<string>()
  const basic = `Basic ${Buffer.from(`apikey:${WATSON_KEY}`).toString('base64')}`

  const issue = (body: string) => {
    const form = new URLSearchParams(body)
    if (form.get('apikey') !== WATSON_KEY || form.get('grant_type') !== 'urn:ibm:params:oauth:grant-type:apikey')
      return { status: 400, body: { errorCode: 'BXNIM0415E', errorMessage: 'Provided API key could not be found.' } }
    issued += 1
    valid = `iam-${issued}`
    return { body: { access_token: valid, token_type: 'Bearer', expires_in: 3600 } }
  }
  const answer = ({ method, path, query, headers, body }: MlServerCall) => {
    if (path === '/identity/token') return issue(body)
    if (headers.authorization !== (isCloud ? `Bearer ${valid}` : basic)) return { status: 401, body: errorOf(401) }
    if (!/^\d{4}-\d{2}-\d{2}$/u.test(query.get('version') ?? '')) return { status: 400, body: errorOf(400) }
    const base = `${INSTANCE}/v2/assistants/${ASSISTANT}/sessions`
    if (method === 'POST' && path === base) {
      made += 1
      sessions.add(`s${made}`)
      return { status: 201, body: { session_id: `s${made}` } }
    }
    const [session = '', action] = path.slice(base.length + 1).split('/')
    if (!path.startsWith(base) || !sessions.has(session)) return { status: 404, body: errorOf(404) }
    if (method === 'DELETE') {
      sessions.delete(session)
      return { body: {} }
    }
    const { input, user_id: user } = JSON.parse(body) as { input: { text: string }; user_id: string }
    if (action !== 'message' || input.text.length > 2048) return { status: 400, body: errorOf(400) }
    return { body: { output: output(input.text), context: { global: { session_id: session } }, user_id: user } }
  }
  const server = await startMlServer(answer, errorOf)
  const endSessions = () => sessions.clear()
  const revoke = () => {
    valid = ''
  }
  return Object.assign(server, { endSessions, revoke })
}

export const watsonUrl = (origin: string): string => `${origin}${INSTANCE}`
