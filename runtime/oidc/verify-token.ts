import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isObject } from '#schemas/json.ts'

const KEPT_MS = 3_600_000
/** Unknown key ids fetch the keys at most this often. */
const MISS_MS = 10_000

interface Fetched {
  readonly get: ReturnType<typeof createLocalJWKSet>
  readonly at: number
}

/**
 * Public keys of a provider, kept for an hour. An unknown key id fetches them once more, so that a token signed right
 * after a rotation is verified at the first try.
 */
export const createSigningKeys = (
  fetchKeys: () => Promise<JSONWebKeySet>,
  now: () => number = Date.now,
): JWTVerifyGetKey => {
  let kept: Fetched | undefined
  let fetching: Promise<Fetched> | undefined
  let missed = Number.NEGATIVE_INFINITY

  const refresh = (): Promise<Fetched> => {
    fetching ??= fetchKeys()
      .then(keys => {
        kept = { get: createLocalJWKSet(keys), at: now() }
        return kept
      })
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }

  return async (header, token) => {
    const present = kept !== undefined && now() - kept.at < KEPT_MS ? kept : await refresh()
    try {
      return await present.get(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || now() - missed < MISS_MS) throw error
      missed = now()
      return (await refresh()).get(header, token)
    }
  }
}

/** No HMAC and no `none`: a public key must never be read as a secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
/** Seconds that clocks may differ. */
export const TOLERANCE_S = 60
/** An ID token is used at once: seconds. */
const MAX_AGE_S = 600
/** Of a logout token, seconds. */
const MAX_LOGOUT_AGE_S = 120
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_TEXT = 255

interface Expected {
  readonly keys: JWTVerifyGetKey
  readonly issuer: string
  readonly clientId: string
  readonly now?: () => number
}

/** @throws when a token is not for this client alone */
const checkParty = ({ aud, azp }: JWTPayload, clientId: string): void => {
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId) throw new Error('azp')
}

const textIn = (payload: JWTPayload, name: string): string | undefined => {
  const value = payload[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT) throw new Error(name)
  return value
}

/** Claims of an ID token. @throws when anything is wrong with it */
export const verifyIdToken = async (
  token: string,
  nonce: string,
  { keys, issuer, clientId, now = Date.now }: Expected,
): Promise<JWTPayload & { readonly sub: string; readonly sid: string | undefined }> => {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ALGORITHMS,
    issuer,
    audience: clientId,
    clockTolerance: TOLERANCE_S,
    maxTokenAge: MAX_AGE_S,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    currentDate: new Date(now()),
  })
  checkParty(payload, clientId)
  if (payload.nonce !== nonce) throw new Error('nonce')
  const sub = textIn(payload, 'sub')
  if (sub === undefined) throw new Error('sub')
  return { ...payload, sub, sid: textIn(payload, 'sid') }
}

/** Target of a logout token: at least one of `sub` and `sid`. `jti` is used once. */
export interface LogoutWish {
  readonly jti: string
  readonly sub: string | undefined
  readonly sid: string | undefined
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. @throws when anything is wrong with it */
export const verifyLogoutToken = async (
  token: string,
  { keys, issuer, clientId, now = Date.now }: Expected,
): Promise<LogoutWish> => {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: ALGORITHMS,
    issuer,
    audience: clientId,
    clockTolerance: TOLERANCE_S,
    maxTokenAge: MAX_LOGOUT_AGE_S,
    requiredClaims: ['exp', 'iat', 'jti', 'events'],
    currentDate: new Date(now()),
  })
  const { typ } = protectedHeader
  if (typ !== undefined && typ.toLowerCase().replace(/^application\//u, '') !== 'logout+jwt') throw new Error('typ')
  if ((payload.iat ?? 0) < now() / 1000 - MAX_LOGOUT_AGE_S) throw new Error('iat')
  const { events } = payload
  if (!isObject(events) || !isObject(events[LOGOUT_EVENT])) throw new Error('events')
  if ('nonce' in payload) throw new Error('nonce')
  const [jti, sub, sid] = ['jti', 'sub', 'sid'].map(name => textIn(payload, name))
  if (jti === undefined || (sub === undefined && sid === undefined)) throw new Error('sub')
  return { jti, sub, sid }
}
