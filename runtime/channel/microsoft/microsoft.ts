import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Json, JsonObject } from '#schemas/event.ts'
import { listOf, numberOf, objectOf, objectsOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  ChannelAdapter,
  Outcome,
  ProviderAnswer,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
  WebhookAnswer,
  WebhookRequest,
} from '../channel-port.ts'
import { isSameAddress } from '../shared/own-address.ts'
import {
  baseUrl,
  byStatus,
  field,
  jsonBody,
  objectBody,
  posting,
  reading,
  retryAfter,
  withHeader,
} from '../shared/provider-call.ts'
import { activityEvents, outgoingActivity } from './activity-events.ts'

const KEYS_URL = 'https://login.botframework.com'
const ISSUER = 'https://api.botframework.com'
const KEYS_SECONDS = 86_400
/** Minimum pause before the keys are fetched again for an unknown key. */
const REFETCH_MS = 300_000
const CLOCK_TOLERANCE_SECONDS = 300

interface Keys {
  /** ms since 1970 */
  readonly fetched: number
  readonly keys: readonly JsonObject[]
}

const readKeys = (held: string): Keys => {
  const { fetched, keys } = objectOf(JSON.parse(held) as Json)
  return { fetched: Number(fetched), keys: objectsOf(keys) }
}

/** Cached keys of Bot Framework; `stale` is not returned again. */
const heldKeys = (fields: JsonObject, values: ProviderValues, stale?: string): Promise<Result<string>> =>
  values.remember(
    'keys',
    async () => {
      const login = baseUrl(fields, KEYS_URL)
      const configuration = await values.ask(reading(`${login}/v1/.well-known/openidconfiguration`))
      if (!configuration.ok) return configuration
      const address = scalarText(objectOf(configuration.value.body).jwks_uri)
      if (!address.startsWith(`${login}/`)) return refused('channel.answer', { params: { error: 'jwks_uri' } })
      const answer = await values.ask(reading(address))
      if (!answer.ok) return answer
      const keys = objectsOf(objectOf(answer.value.body).keys)
      if (keys.length === 0) return refused('channel.answer', { params: { error: 'keys' } })
      return accepted({ value: JSON.stringify({ fetched: Date.now(), keys }), seconds: KEYS_SECONDS })
    },
    stale,
  )

const keyOf = ({ keys }: Keys, kid: string): JsonObject | undefined => keys.find(key => key.kid === kid)

/** The key of a token: from the cache, else from keys that are fetched again. */
const findKey = async (fields: JsonObject, values: ProviderValues, kid: string): Promise<Result<JsonObject>> => {
  const held = await heldKeys(fields, values)
  if (!held.ok) return held
  const known = readKeys(held.value)
  const key = keyOf(known, kid)
  if (key !== undefined) return accepted(key)
  if (Date.now() - known.fetched < REFETCH_MS) return refused('channel.signature')
  const renewed = await heldKeys(fields, values, held.value)
  if (!renewed.ok) return renewed
  const found = keyOf(readKeys(renewed.value), kid)
  return found === undefined ? refused('channel.signature') : accepted(found)
}

const kidOf = (token: string): string => {
  try {
    return decodeProtectedHeader(token).kid ?? ''
  } catch {
    return ''
  }
}

const BEARER_HEADER = /^bearer ([\w.-]{1,20000})$/iu

/**
 * Whether Bot Framework called: its token must be for this app, valid now, and name the service of the activity, with a
 * key that is endorsed for its channel. Only then may answers be sent to that service.
 */
export const verifyActivity = async (
  request: WebhookRequest,
  fields: JsonObject,
  values: ProviderValues,
): Promise<Result<Record<never, never>>> => {
  const [, token = ''] = BEARER_HEADER.exec(request.headers.authorization ?? '') ?? []
  const [kid, audience] = [kidOf(token), field(fields, 'channel_id')]
  const activity = objectBody(request, ({ type }) => typeof type === 'string')
  if (kid === '' || audience === '' || !activity.ok) return refused('channel.signature')
  const key = await findKey(fields, values, kid)
  if (!key.ok) return key
  const { endorsements } = key.value
  const channel = scalarText(activity.value.channelId)
  if (Array.isArray(endorsements) && !listOf(endorsements).includes(channel)) return refused('channel.signature')
  try {
    const set = createLocalJWKSet({ keys: [key.value] } as unknown as JSONWebKeySet)
    const { payload } = await jwtVerify(token, set, {
      issuer: ISSUER,
      audience,
      algorithms: ['RS256'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp'],
    })
    const service = payload.serviceurl ?? payload.serviceUrl
    const isService = typeof service === 'string' && service !== '' && service === scalarText(activity.value.serviceUrl)
    return isService ? accepted({}) : refused('channel.signature')
  } catch {
    return refused('channel.signature')
  }
}

const TEAMS_BOT = /^28:([0-9a-f-]{36})$/iu
const LOGIN_URL = 'https://login.microsoftonline.com'
const RESOURCE = 'https://api.botframework.com'
/** Metadata service of the gateway's machine, only available inside Azure. */
const IDENTITY_URL = 'http://169.254.169.254/metadata/identity/oauth2/token'
const USUAL_SECONDS = 3600

/** Tenant in which the app is registered. */
const tenantOf = (fields: JsonObject): string =>
  field(fields, 'channel_origin') === 'SingleTenant' ? field(fields, 'channel_extra_id') : 'botframework.com'

const tokenRequest = (fields: JsonObject): ProviderRequest => {
  const id = field(fields, 'channel_id')
  if (field(fields, 'channel_origin') === 'UserAssignedMsi') {
    const query = new URLSearchParams({ resource: RESOURCE, client_id: id, 'api-version': '2018-02-01' })
    return { method: 'GET', url: `${IDENTITY_URL}?${query}`, headers: [['metadata', 'true']] }
  }
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: field(fields, 'channel_password'),
    scope: `${RESOURCE}/.default`,
  })
  const url = `${baseUrl(fields, LOGIN_URL)}/${encodeURIComponent(tenantOf(fields))}/oauth2/v2.0/token`
  return { method: 'POST', url, headers: [], body }
}

/** The app's token, fetched once for all waiting callers; `stale` was refused. */
const appToken = (fields: JsonObject, values: ProviderValues, stale?: string): Promise<Result<string>> =>
  values.remember(
    'token',
    async () => {
      const answer = await values.ask(tokenRequest(fields))
      if (!answer.ok) return answer
      const { access_token: token, expires_in: seconds, error } = objectOf(answer.value.body)
      const params = { status: answer.value.status, error: scalarText(error) || '—' }
      if (scalarText(token) === '') return refused('channel.token', { params })
      return accepted({ value: scalarText(token), seconds: numberOf(seconds) ?? USUAL_SECONDS })
    },
    stale,
  )

const BEARER = 'Bearer '

/** The token of a request. */
const tokenIn = ({ headers }: ProviderRequest): string | undefined =>
  headers.find(([name, value]) => name === 'authorization' && value.startsWith(BEARER))?.[1].slice(BEARER.length)

/** Adds the app's token; a refused token is fetched again, once for all callers. */
const withAppToken = async (
  request: ProviderRequest,
  fields: JsonObject,
  values: ProviderValues,
  refusedRequest?: ProviderRequest,
): Promise<Result<ProviderRequest>> => {
  const stale = refusedRequest === undefined ? undefined : tokenIn(refusedRequest)
  const token = await appToken(fields, values, stale)
  return token.ok ? accepted(withHeader(request, 'authorization', `${BEARER}${token.value}`)) : token
}

/** Microsoft documents these as not accepted, unlike the general rule. */
const RETRY_STATUSES: ReadonlySet<number> = new Set([412, 429, 502, 503, 504])

const classify = (answer: ProviderAnswer): Outcome => {
  const { status, body } = answer
  if (RETRY_STATUSES.has(status)) return { kind: 'retry', after: retryAfter(answer) }
  // Some channels accept an activity without returning an id.
  if (status >= 200 && status < 300) return { kind: 'sent', id: scalarText(objectOf(body).id) }
  return byStatus(answer, () => '', scalarText(objectOf(objectOf(body).error).code) || undefined)
}

/** The service of the person's conversation, named by an activity that Bot Framework signed. */
const activitiesUrl = ({ data = {} }: ProviderUser, fields: JsonObject): Result<string> => {
  const [service, conversation] = [scalarText(data.serviceUrl), scalarText(data.conversation)]
  const at = URL.canParse(service) ? new URL(service) : undefined
  const own = field(fields, 'url') === '' ? undefined : new URL(baseUrl(fields, '')).origin
  if (at === undefined || conversation === '' || (at.protocol !== 'https:' && at.origin !== own))
    return refused('channel.message')
  const base = service.endsWith('/') ? service : `${service}/`
  return accepted(`${base}v3/conversations/${encodeURIComponent(conversation)}/activities`)
}

/** An invocation expects its answer in the response. */
const acknowledge = (request: WebhookRequest): WebhookAnswer => {
  const body = jsonBody(request)
  const activity = objectOf(body.ok ? body.value : null)
  if (activity.type !== 'invoke') return { status: 200, type: 'text/plain', body: '' }
  const answer = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: 'OK' }
  const isCard = activity.name === 'adaptiveCard/action'
  return { status: 200, type: 'application/json', body: JSON.stringify(isCard ? answer : {}) }
}

/** Microsoft's channels (Teams, web chat, e-mail and others) by Bot Framework protocol version 3. */
export const microsoft: ChannelAdapter = {
  capabilities: {
    markup: 'markdown',
    text: 20_000,
    body: 4000,
    caption: 4000,
    buttons: { count: 6, label: 80, links: 'beside', image: false },
    list: null,
    carousel: null,
    media: ['image', 'audio', 'video', 'document'],
    location: false,
    askplace: false,
    native: ['card', 'carousel', 'media', 'receipt', 'adaptive'],
  },
  handshake: () => undefined,
  verify: verifyActivity,
  parse(request) {
    const body = objectBody(request, ({ type }) => typeof type === 'string')
    return body.ok ? accepted(activityEvents(body.value)) : body
  },
  isForeign({ to }, fields) {
    const [, app] = TEAMS_BOT.exec(to) ?? []
    return app !== undefined && !isSameAddress(app, field(fields, 'channel_id'))
  },
  acknowledge,
  render(message, to, fields) {
    const url = activitiesUrl(to, fields)
    return url.ok ? posting(url.value, outgoingActivity(message, to)) : url
  },
  authorize: withAppToken,
  classify,
  // Teams files have signed addresses; the bot's token must not be sent to other hosts.
  mediaRequest: ref => accepted(reading(ref)),
  async check(fields, values) {
    const token = await appToken(fields, values)
    return token.ok ? accepted(field(fields, 'channel_id')) : token
  },
}
