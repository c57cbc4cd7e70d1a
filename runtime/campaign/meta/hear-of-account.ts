import { randomUUID } from 'node:crypto'
import { systemCaller } from '#commands/people/system.ts'
import type { WebhookChange } from '#domain/meta/webhook.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RuntimeParts } from '../../parts.ts'
import { checkAccount } from './check-account.ts'
import { openGraph } from './graph.ts'
import { openAccount } from './open-account.ts'

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
export const hearOfAccount = async (
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
