import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderRequest, ProviderValues } from '../port.ts'
import { baseUrl, field, group, number, text } from '../shared/member.ts'
import { withHeader } from '../shared/sending.ts'

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
export const appToken = (fields: JsonObject, values: ProviderValues, stale?: string): Promise<Result<string>> =>
  values.remember(
    'token',
    async () => {
      const answer = await values.ask(tokenRequest(fields))
      if (!answer.ok) return answer
      const { access_token: token, expires_in: seconds, error } = group(answer.value.body)
      const params = { status: answer.value.status, error: text(error) || '—' }
      if (text(token) === '') return refused('channel.token', { params })
      return accepted({ value: text(token), seconds: number(seconds) ?? USUAL_SECONDS })
    },
    stale,
  )

const BEARER = 'Bearer '

/** The token of a request. */
const tokenIn = ({ headers }: ProviderRequest): string | undefined =>
  headers.find(([name, value]) => name === 'authorization' && value.startsWith(BEARER))?.[1].slice(BEARER.length)

/** Adds the app's token; a refused token is fetched again, once for all callers. */
export const withAppToken = async (
  request: ProviderRequest,
  fields: JsonObject,
  values: ProviderValues,
  refusedRequest?: ProviderRequest,
): Promise<Result<ProviderRequest>> => {
  const stale = refusedRequest === undefined ? undefined : tokenIn(refusedRequest)
  const token = await appToken(fields, values, stale)
  return token.ok ? accepted(withHeader(request, 'authorization', `${BEARER}${token.value}`)) : token
}
