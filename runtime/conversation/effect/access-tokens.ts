import type { Commands } from '#commands/command-handler.ts'
import { readToken, tokenRequest } from '#domain/oauth.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call } from '../../outbound/call.ts'
import { bodyText } from '../../outbound/rest-request.ts'

const TIMEOUT_MS = 20_000
const MAX_BODY_BYTES = 100_000
/** ms before its expiry from which a token is no longer used. */
const MARGIN_MS = 60_000
/** ms; lifetime of a token whose answer states none. */
const UNSAID_MS = 300_000
const MAX_HELD = 1_000

/** Token of one revision of a configuration; another revision has another token. */
interface AccessToken {
  readonly token: string
  readonly revision: number
  /** ms since 1970 */
  readonly until: number
}

/** Access tokens for the calls of bots: fetched once, cached in memory until shortly before they expire (C-3.55). */
interface AccessTokens {
  /** By id or name of a configuration of the bot. `refusedToken`: a refused token, to be replaced by a new one. */
  of(bot: RowOf<'bot'>, configuration: string, refusedToken?: string): Promise<Result<string>>
}

interface AccessTokenParts {
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'openFields'>
  readonly call: Call
  readonly now?: () => number
}

export const openAccessTokens = ({ read, commands, call, now = Date.now }: AccessTokenParts): AccessTokens => {
  const held = new Map<string, AccessToken>()
  const underWay = new Map<string, Promise<Result<string>>>()

  const configurationOf = async (bot: RowOf<'bot'>, wanted: string): Promise<RowOf<'oauth'> | undefined> => {
    const row = await read.detail(SYSTEM_SCOPE, 'oauth', wanted)
    if (row !== undefined) return row.bot === bot.id ? row : undefined
    const filter = { bot: bot.id, name: wanted }
    const { items } = await read.list(SYSTEM_SCOPE, 'oauth', { page: 1, size: 100, filter })
    return items.find(({ name }) => name === wanted)
  }
  const fetchToken = async ({ id, revision }: RowOf<'oauth'>): Promise<Result<string>> => {
    const fields = await commands.openFields('oauth', id)
    if (fields === undefined) return refused('entity.notfound')
    const request = tokenRequest(fields)
    if (!request.ok) return request
    const began = now()
    const answer = await call({ method: 'POST', ...request.value, timeout: TIMEOUT_MS, most: MAX_BODY_BYTES })
    if (!answer.ok) return answer
    const received = readToken(answer.value.status, bodyText(answer.value) ?? '')
    if (!received.ok) return received
    const { token, receipt } = received.value
    const lives = receipt.expires_in === null ? UNSAID_MS : receipt.expires_in * 1000 - MARGIN_MS
    held.delete(id)
    held.set(id, { token, revision, until: began + lives })
    const [oldest] = held.keys()
    if (held.size > MAX_HELD && oldest !== undefined) held.delete(oldest)
    return accepted(token)
  }
  return {
    async of(bot, wanted, refusedToken) {
      const configuration = await configurationOf(bot, wanted)
      if (configuration === undefined) return refused('entity.notfound')
      const { id, revision } = configuration
      const known = held.get(id)
      const isUsable = known !== undefined && known.revision === revision && known.until > now()
      if (isUsable && known.token !== refusedToken) return accepted(known.token)
      const fetching = underWay.get(id) ?? fetchToken(configuration).finally(() => underWay.delete(id))
      underWay.set(id, fetching)
      return fetching
    },
  }
}
