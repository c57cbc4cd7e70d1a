import { randomUUID } from 'node:crypto'
import { systemCaller } from '#commands/people/system.ts'
import { readTemplateChange } from '#domain/meta/template-change.ts'
import type { WebhookChange } from '#domain/meta/webhook.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { RuntimeParts } from '../../parts.ts'

/**
 * Handles a webhook change of a template of an account.
 * @throws when it could not be stored
 */
export const hearOfTemplate = async (parts: RuntimeParts, account: string, change: WebhookChange): Promise<void> => {
  const told = readTemplateChange(change, new Date().toISOString())
  if (told === undefined) return
  const filter = { metaaccount: account, templateName: told.name, language: told.language }
  const { items } = await parts.read.list(SYSTEM_SCOPE, 'template', { page: 1, size: 1, filter })
  const [row] = items
  if (row === undefined) return
  const command = { entity: 'template', action: 'review', id: row.id, input: told.review, caller: systemCaller() }
  const outcome = await parts.commands.execute({ ...command, correlation: randomUUID() })
  if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') throw new Error(`not kept: ${outcome.refusal.code}`)
  if (outcome.ok && outcome.position !== undefined) await parts.read.reached(outcome.position)
}
