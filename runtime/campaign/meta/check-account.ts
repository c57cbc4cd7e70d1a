import { accountFields, isSubscribed, numberFields } from '#domain/meta/account.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText, isObject } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Graph, OpenAccount } from './graph.ts'

/** Scopes required for sending and for templates. */
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging']

const NUMBER_FIELDS = [
  'display_phone_number',
  'verified_name',
  'code_verification_status',
  'name_status',
  'quality_rating',
  'account_mode',
  'throughput',
  'messaging_limit_tier',
  'whatsapp_business_manager_messaging_limit',
].join(',')

export interface AccountCheck {
  readonly part: 'token' | 'account' | 'number' | 'webhook'
  /** A name, or the missing part. */
  readonly result: Result<string>
}

interface AccountFindings {
  readonly checks: readonly AccountCheck[]
  /** Meta's answer, as fields of the account. */
  readonly fields: JsonObject
}

/** The scopes of a token, read with the app's own token; undefined when the app's secret is not known. */
const checkToken = async (graph: Graph, { app, credentials }: OpenAccount): Promise<AccountCheck | undefined> => {
  if (credentials.appSecret === '') return undefined
  const answer = await graph.ask(
    { token: `${fieldText(app, 'app_id')}|${credentials.appSecret}`, appSecret: '' },
    { method: 'GET', path: '/debug_token', query: { input_token: credentials.token } },
  )
  if (!answer.ok) return { part: 'token', result: answer }
  const data = isObject(answer.value.data) ? answer.value.data : {}
  if (data.is_valid !== true)
    return { part: 'token', result: refused('meta.token', { params: { status: 200, code: 190, error: '—' } }) }
  const scopes = Array.isArray(data.scopes) ? data.scopes : []
  const missing = SCOPES.filter(scope => !scopes.includes(scope))
  if (missing.length > 0)
    return { part: 'token', result: refused('meta.scope', { params: { missing: missing.join(', ') } }) }
  return { part: 'token', result: accepted('') }
}

const named = (answer: Result<JsonObject>, name: string): Result<string> =>
  answer.ok ? accepted(fieldText(answer.value, name)) : answer

/** Reads all that is shown of an account from Meta: its token, the account, its number, the app's subscription. */
export const checkAccount = async (graph: Graph, account: OpenAccount): Promise<AccountFindings> => {
  const { credentials, fields, app } = account
  const [waba, number] = [fieldText(fields, 'waba_id'), fieldText(fields, 'phone_number_id')]
  const get = (path: string, query = {}) => graph.ask(credentials, { method: 'GET', path, query })
  const token = credentials.token === '' ? undefined : await checkToken(graph, account)
  const found = await get(`/${waba}`, { fields: 'name,account_review_status' })
  const checks: AccountCheck[] = [
    ...(token === undefined ? [] : [token]),
    { part: 'account', result: named(found, 'name') },
  ]
  const read: JsonObject[] = found.ok ? [accountFields(found.value)] : []
  if (!found.ok) return { checks, fields: {} }
  if (number !== '') {
    const answer = await get(`/${number}`, { fields: NUMBER_FIELDS })
    checks.push({ part: 'number', result: named(answer, 'display_phone_number') })
    if (answer.ok) read.push(numberFields(answer.value))
  }
  const apps = await get(`/${waba}/subscribed_apps`)
  const subscribed = apps.ok && isSubscribed(apps.value, fieldText(app, 'app_id'))
  checks.push({ part: 'webhook', result: apps.ok && !subscribed ? refused('meta.unsubscribed') : named(apps, '') })
  if (apps.ok) read.push({ webhook_subscribed: subscribed })
  return { checks, fields: Object.assign({}, ...read) }
}
