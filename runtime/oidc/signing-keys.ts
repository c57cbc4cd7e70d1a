import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

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
