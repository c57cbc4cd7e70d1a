import { randomUUID } from 'node:crypto'
import { systemCaller } from '#commands/people/system.ts'
import type { WebhookChange } from '#domain/meta/template-change.ts'
import type { RowOf } from '#projections/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ProviderEvent } from '../../channel/channel-port.ts'
import type { NumberTable, WebhookEndpoint } from '../../channel/exchange/number-table.ts'
import type { RuntimeParts } from '../../parts.ts'
import { applyTemplateWebhook } from '../template/sync-templates.ts'
import { checkAccount } from './check-account.ts'
import { openAccount, openGraph } from './graph.ts'

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
  { field }: Pick<WebhookChange, 'field'>,
): Promise<void> => {
  const fields = { webhook_received: true, ...(OF_ACCOUNT.has(field) ? await askedAgain(parts, id) : {}) }
  const command = { entity: 'metaaccount', action: 'record', id, input: { fields } }
  const outcome = await parts.commands.execute({ ...command, caller: systemCaller(), correlation: randomUUID() })
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
      await hearOfAccount(parts, id, { field: name })
      await applyTemplateWebhook(parts, id, { waba, field: name, time, value: data })
    }
  },

  /** Records that events of an account's messages arrive; written once. */
  async seen(door: WebhookEndpoint, waba: string): Promise<void> {
    const isUnseen = ({ webhook_received: received }: RowOf<'metaaccount'>) => !received
    for (const { id } of (await numbers.accountsOf(door, waba)).filter(isUnseen))
      await hearOfAccount(parts, id, { field: 'messages' })
  },
})
