import { systemCommand } from '#commands/port.ts'
import { accountFields, accountNotice, isSubscribed, loweredLimit, numberFields } from '#domain/meta/account.ts'
import type { WebhookChange } from '#domain/meta/template-change.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText, isObject } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderEvent } from '../../channel/channel-port.ts'
import type { NumberTable, WebhookEndpoint } from '../../channel/exchange/intake.ts'
import { type Graph, type OpenAccount, openAccount, openGraph } from '../../channel/shared/graph.ts'
import type { RuntimeParts } from '../../parts.ts'
import { applyTemplateWebhook } from '../template/sync-templates.ts'

/** Scopes required for sending and for templates. */
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging']

const NUMBER_FIELDS = [
  'display_phone_number',
  'verified_name',
  'code_verification_status',
  'name_status',
  'quality_rating',
  'status',
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
    { ...credentials, token: `${fieldText(app, 'app_id')}|${credentials.appSecret}`, appSecret: '' },
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
    if (answer.ok) {
      const now = numberFields(answer.value)
      read.push(now, loweredLimit(fields, now, new Date().toISOString()))
    }
  }
  const apps = await get(`/${waba}/subscribed_apps`)
  const subscribed = apps.ok && isSubscribed(apps.value, fieldText(app, 'app_id'))
  checks.push({ part: 'webhook', result: apps.ok && !subscribed ? refused('meta.unsubscribed') : named(apps, '') })
  if (apps.ok) read.push({ webhook_subscribed: subscribed })
  return { checks, fields: Object.assign({}, ...read) }
}

/** Changes after which the data of an account or its number may differ. */
const OF_ACCOUNT: ReadonlySet<string> = new Set([
  'account_update',
  'account_review_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'business_capability_update',
])

/** The account's current data at Meta; empty when it cannot be read: the next connection test reads it again. */
const askedAgain = async (parts: RuntimeParts, id: string): Promise<JsonObject> => {
  const account = await openAccount(parts.commands, id)
  if (account === undefined) return {}
  const { fields } = await checkAccount(openGraph(parts.call, parts.settings.GRAPH_URL), account)
  return Object.keys(fields).length === 0 ? {} : { ...fields, checked_at: new Date().toISOString() }
}

/**
 * Handles a webhook change of an account.
 * @throws when it could not be stored
 */
const hearOfAccount = async (
  parts: RuntimeParts,
  id: string,
  { field, value }: Pick<WebhookChange, 'field' | 'value'>,
): Promise<void> => {
  const fields = {
    webhook_received: true,
    ...(OF_ACCOUNT.has(field) ? await askedAgain(parts, id) : {}),
    ...(field === 'account_update' ? accountNotice(value) : {}),
  }
  const command = { entity: 'metaaccount', action: 'record', id, input: { fields } }
  const outcome = await parts.commands.execute(systemCommand(command))
  if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') throw new Error(`not kept: ${outcome.refusal.code}`)
  if (outcome.ok && outcome.position !== undefined) await parts.read.reached(outcome.position)
}

type News = Extract<ProviderEvent, { kind: 'account' }>

/** Changes of the business accounts that a door's events are about. */
export const openAccountWebhook = (parts: RuntimeParts, numbers: Pick<NumberTable, 'accountsOf'>) => ({
  /**
   * Takes a change of an account, its number or a template.
   * @throws when it could not be stored
   */
  async news(door: WebhookEndpoint, { waba, name, data, time = 0 }: News): Promise<void> {
    if (waba === undefined) return
    for (const { id } of await numbers.accountsOf(door, waba)) {
      await hearOfAccount(parts, id, { field: name, value: data })
      await applyTemplateWebhook(parts, id, { waba, field: name, time, value: data })
    }
  },

  /** Records that events of an account's messages arrive. */
  seen: (account: string): Promise<void> => hearOfAccount(parts, account, { field: 'messages', value: {} }),
})
