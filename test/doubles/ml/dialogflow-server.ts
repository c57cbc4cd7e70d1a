import { generateKeyPairSync, verify } from 'node:crypto'
import { type MlServer, type MlServerCall, startMlServer } from './ml-server.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const EMAIL = 'bot@example-bot.iam.gserviceaccount.com'
const TOKEN_URL = 'https://oauth2.googleapis.com/token'

const keyFile = (key: typeof privateKey): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'example-bot',
    client_email: EMAIL,
    private_key: key.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'http://127.0.0.1:9/steal',
  })

export const SERVICE_ACCOUNT = keyFile(privateKey)
/** A key file whose key the account no longer has. */
export const REVOKED_ACCOUNT = keyFile(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

export const CX_AGENT = 'projects/example-bot/locations/us-central1/agents/00000000-0000-0000-0000-000000000001'

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}
/** google.rpc.Status */
const errorOf = (code: number) => ({
  error: { code, message: 'Request was not served.', status: STATUSES[code] ?? 'INTERNAL' },
})

/** A button whose press is an event. */
const help = (name: 'name' | 'event') => ({
  type: 'button',
  text: 'Ajuda',
  event: { [name]: 'HELP', parameters: { about: 'boleto' } },
})

const esResult = (text: string) =>
  text.includes('boleto')
    ? {
        queryText: text,
        action: 'invoice.second',
        parameters: { document: 'boleto', date: '' },
        allRequiredParamsPresent: true,
        fulfillmentText: 'Claro',
        fulfillmentMessages: [
          { text: { text: ['Claro'] } },
          { quickReplies: { title: 'Qual documento?', quickReplies: ['Boleto', 'Nota'] } },
          { platform: 'FACEBOOK', quickReplies: { title: 'Qual?', quickReplies: ['Boleto', 'Nota'] } },
          {
            card: {
              title: 'Fatura',
              subtitle: 'Maio',
              buttons: [
                { text: 'Pagar', postback: 'quero pagar' },
                { text: 'Abrir', postback: 'https://a.example/' },
              ],
            },
          },
          { payload: { handoff: true } },
          { payload: { richContent: [[help('name')]] } },
        ],
        intent: { name: 'projects/example-bot/agent/intents/1688c84d', displayName: 'second_invoice' },
        intentDetectionConfidence: 0.87,
        languageCode: 'pt-br',
      }
    : {
        queryText: text,
        action: 'input.unknown',
        parameters: {},
        allRequiredParamsPresent: true,
        fulfillmentText: 'Nao entendi',
        fulfillmentMessages: [{ text: { text: ['Nao entendi'] } }],
        intent: {
          name: 'projects/example-bot/agent/intents/f',
          displayName: 'Default Fallback Intent',
          isFallback: true,
        },
        intentDetectionConfidence: 1,
        languageCode: 'pt-br',
      }

const cxResult = (text: string) => {
  const intent = { name: `${CX_AGENT}/intents/i1`, displayName: 'second_invoice' }
  return text.includes('boleto')
    ? {
        text,
        languageCode: 'pt-br',
        parameters: { document: 'boleto' },
        responseMessages: [
          { text: { text: ['Claro, um momento'], allowPlaybackInterruption: false } },
          {
            payload: {
              richContent: [[{ type: 'chips', options: [{ text: 'Boleto' }, { text: 'Nota' }] }, help('event')]],
            },
          },
          { liveAgentHandoff: { metadata: { queue: 'billing' } } },
        ],
        intent,
        intentDetectionConfidence: 0.91,
        match: { intent, parameters: { document: 'boleto' }, matchType: 'INTENT', confidence: 0.91 },
      }
    : {
        text,
        languageCode: 'pt-br',
        responseMessages: [{ text: { text: ['Nao entendi'] } }],
        match: { matchType: 'NO_MATCH', confidence: 0.3, event: 'sys.no-match-1', resolvedInput: text },
      }
}

const decoded = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

/** RFC 7523 §3, as Google wants it: RS256, its own audience, at most an hour. */
const isSigned = (assertion: string): boolean => {
  const [header = '', payload = '', signature = ''] = assertion.split('.')
  const data = Buffer.from(`${header}.${payload}`)
  if (!verify('RSA-SHA256', data, publicKey, Buffer.from(signature, 'base64url'))) return false
  const { iss, aud, iat, exp } = decoded(payload)
  return iss === EMAIL && aud === TOKEN_URL && decoded(header).alg === 'RS256' && Number(exp) - Number(iat) <= 3600
}

/** Google's token endpoint and Dialogflow ES and CX on one port. Each token is good until `revoke`. */
export const startDialogflowServer = async (): Promise<MlServer & { revoke(): void }> => {
  let issued = 0
  let valid = ''
  const issue = (body: string) => {
    const form = new URLSearchParams(body)
    const assertion = form.get('assertion') ?? ''
    const isOurs = isSigned(assertion)
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer' || !isOurs)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    issued += 1
    valid = `ya29.${issued}`
    return { body: { access_token: valid, expires_in: 3599, token_type: 'Bearer' } }
  }
  const answer = ({ method, path, headers, body }: MlServerCall) => {
    if (path === '/token') return issue(body)
    if (headers.authorization !== `Bearer ${valid}` || valid === '') return { status: 401, body: errorOf(401) }
    if (method === 'GET' && (path === '/v2/projects/example-bot/agent' || path === `/v3/${CX_AGENT}`))
      return { body: { displayName: 'Boletos', defaultLanguageCode: 'pt-br', timeZone: 'America/Sao_Paulo' } }
    const isEs = /^\/v2\/projects\/example-bot\/agent\/sessions\/[\w-]{1,36}:detectIntent$/u.test(path)
    const isCx = path.startsWith(`/v3/${CX_AGENT}/sessions/`) && /\/[\w-]{1,36}:detectIntent$/u.test(path)
    if (!isEs && !isCx) return { status: 404, body: errorOf(404) }
    const { queryInput } = JSON.parse(body) as { queryInput: { text?: { text: string } } }
    const { text } = queryInput.text ?? { text: '' }
    if (text.length > 256) return { status: 400, body: errorOf(400) }
    return { body: { responseId: 'r1', queryResult: isEs ? esResult(text) : cxResult(text) } }
  }
  const server = await startMlServer(answer, errorOf)
  const revoke = () => {
    valid = ''
  }
  return Object.assign(server, { revoke })
}
