import { type MlServer, type MlServerCall, startMlServer } from './ml-server.ts'

export const LANGFLOW_KEY = 'sk-langflow-key'

const errorOf = (code: number) => ({ detail: code === 403 ? 'Invalid or missing API key' : 'Request was not served' })

/** The four places in which flows and versions put their text. */
const output = (text: string, session: string) => {
  const said = text.includes('boleto') ? 'Sure! It is on its way.' : 'Hello!'
  const message = { sender: 'Machine', sender_name: 'AI', session_id: session }
  if (text.includes('data')) return { results: { message: { text_key: 'text', data: { ...message, text: said } } } }
  if (text.includes('artifacts')) return { results: {}, artifacts: { message: said } }
  if (text.includes('messages')) return { results: {}, messages: [{ message: said, sender: 'Machine' }] }
  return { results: { message: { ...message, text: said } } }
}

const answer = ({ method, path, headers, body }: MlServerCall) => {
  if (path === '/api/v1/version') return { body: { version: '1.6.5', main_version: '1.6.5', package: 'Langflow' } }
  if (headers['x-api-key'] !== LANGFLOW_KEY) return { status: 403, body: errorOf(403) }
  const flow = { id: 'd2bbd92b-187e-4c84-b2d4-5df365704201', name: 'Boletos', endpoint_name: 'boletos' }
  if (method === 'GET' && path === '/api/v1/flows/') return { body: [flow] }
  if (method === 'GET' && path === `/api/v1/flows/${flow.id}`) return { body: flow }
  if (path !== '/api/v1/run/boletos' && path !== `/api/v1/run/${flow.id}`)
    return { status: 404, body: { detail: 'Flow identifier x not found' } }
  const { input_value: text, session_id: session } = JSON.parse(body) as { input_value: string; session_id: string }
  const outputs = [{ inputs: { input_value: text }, outputs: [output(text, session)] }]
  return { body: { session_id: session, outputs } }
}

/** Langflow 1.6 with one flow, `boletos`. */
export const startLangflowServer = (): Promise<MlServer> => startMlServer(answer, errorOf)
