import { type MlServer, type MlServerCall, startMlServer } from './ml-server.ts'

export const RASA_TOKEN = 'rasa-t0ken'

/** Error of the Rasa HTTP API (its OpenAPI document). */
const errorOf = (code: number) => ({
  version: '3.6.20',
  status: 'failure',
  reason: code === 401 ? 'NotAuthenticated' : 'ServerError',
  message: code === 401 ? 'User is not authenticated to access resource.' : 'An unexpected error occurred.',
  code,
})

const understood = (text: string) => {
  if (!text.includes('boleto'))
    return {
      text,
      intent: { name: 'nlu_fallback', confidence: 0.7 },
      entities: [],
      intent_ranking: [
        { name: 'nlu_fallback', confidence: 0.7 },
        { name: 'greet', confidence: 0.3 },
      ],
    }
  const start = text.indexOf('boleto')
  return {
    text,
    intent: { name: 'second_invoice', confidence: 0.9873 },
    entities: [
      {
        start,
        end: start + 6,
        value: 'boleto',
        entity: 'document',
        confidence_entity: 0.99,
        extractor: 'DIETClassifier',
      },
    ],
    intent_ranking: [
      { name: 'second_invoice', confidence: 0.9873 },
      { name: 'nlu_fallback', confidence: 0.01 },
    ],
    response_selector: {},
  }
}

const messages = (sender: string, text: string) =>
  text.includes('boleto')
    ? [
        {
          recipient_id: sender,
          text: 'Confirma?',
          buttons: [
            { title: 'Sim', payload: '/affirm{"document":"boleto"}' },
            { title: 'Nao', payload: '/deny' },
            { title: 'Ver', type: 'web_url', url: 'https://a.example/' },
          ],
        },
        { recipient_id: sender, custom: { handoff: true } },
      ]
    : [{ recipient_id: sender, text: 'Hey Rasa!' }, { image: 'http://example.com/image.jpg' }]

const answerOf =
  (hasApi: boolean) =>
  ({ method, path, query, body }: MlServerCall) => {
    const key = `${method} ${path}`
    if (key === 'GET /version') return { body: { version: '3.6.20', minimum_compatible_version: '3.5.0' } }
    if (key === 'GET /health') return { body: { status: 'ok' } }
    if (key === 'GET /models') return { status: 204, body: null }
    if (query.get('token') !== RASA_TOKEN) return { status: 401, body: errorOf(401) }
    if (!hasApi && !path.startsWith('/webhooks/')) return { status: 404, body: errorOf(404) }
    if (key === 'GET /status')
      return { body: { model_file: 'models/20261101.tar.gz', model_id: 'a1', num_active_training_jobs: 0 } }
    const given = JSON.parse(body) as { readonly text?: string; readonly sender?: string; readonly message?: string }
    if (key === 'POST /model/parse') return { body: understood(given.text ?? '') }
    if (key === 'POST /webhooks/rest/webhook') return { body: messages(given.sender ?? '', given.message ?? '') }
    return { status: 404, body: errorOf(404) }
  }

/** Rasa 3.6 with its token and the REST channel; `hasApi`: started with --enable-api. */
export const startRasaServer = ({ hasApi = true } = {}): Promise<MlServer> => startMlServer(answerOf(hasApi), errorOf)
