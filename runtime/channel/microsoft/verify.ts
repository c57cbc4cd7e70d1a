import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Json, JsonObject } from '#schemas/event.ts'
import { listOf, objectOf, objectsOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderValues, WebhookRequest } from '../channel-port.ts'
import { baseUrl, field, objectBody, reading } from '../shared/provider-call.ts'

const LOGIN_URL = 'https://login.botframework.com'
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
      const login = baseUrl(fields, LOGIN_URL)
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

const BEARER = /^bearer ([\w.-]{1,20000})$/iu

/**
 * Whether Bot Framework called: its token must be for this app, valid now, and name the service of the activity, with a
 * key that is endorsed for its channel. Only then may answers be sent to that service.
 */
export const verifyActivity = async (
  request: WebhookRequest,
  fields: JsonObject,
  values: ProviderValues,
): Promise<Result<Record<never, never>>> => {
  const [, token = ''] = BEARER.exec(request.headers.authorization ?? '') ?? []
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
