import type { Commands } from '#commands/command-handler.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import type { Caller } from '#commands/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { campaign as campaignEntity } from '#schemas/entities/campaign.ts'
import { template as templateEntity } from '#schemas/entities/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { settableFields } from '../../campaign/duplicate-campaign.ts'

interface CopyParts {
  readonly commands: Pick<Commands, 'execute' | 'openFields'>
  readonly read: Pick<ReadModels, 'list' | 'reached'>
}

interface CopyOrder {
  readonly campaign: RowOf<'campaign'>
  /** The real account that the copy is sent from. */
  readonly metaaccount: string
  readonly caller: Caller
  readonly seed: string
  readonly correlation: string
}

/**
 * Copies a campaign and its template to another account. Contacts are never copied. A template that the account has by
 * name and language is used as it is; a new one is a draft.
 */
export const copyCampaign = async (
  { commands, read }: CopyParts,
  { campaign, metaaccount, caller, seed, correlation }: CopyOrder,
): Promise<Result<{ readonly campaign: string; readonly template: string }>> => {
  const create = async (entity: string, input: JsonObject) => {
    const own = derivedId(seed, `copy ${entity}`)
    const outcome = await commands.execute({ entity, action: 'create', id: '', input, caller, correlation, seed: own })
    if (outcome.ok && outcome.position !== undefined) await read.reached(outcome.position)
    return outcome
  }
  const fields = (await commands.openFields('template', campaign.template)) ?? {}
  const { templateName = null, language = null } = fields
  const [known] = await allRows(read, SYSTEM_SCOPE, 'template', { metaaccount, templateName, language })
  const made =
    known === undefined
      ? await create('template', { ...settableFields(templateEntity, fields), metaaccount })
      : undefined
  if (made?.ok === false) return made
  const template = known?.id ?? made?.id ?? ''
  const own = (await commands.openFields('campaign', campaign.id)) ?? {}
  const copy = await create('campaign', {
    ...settableFields(campaignEntity, own),
    hierarchylevel: campaign.hierarchylevel,
    ...{ name: `${campaign.name}_copy`, template, metaaccount, enabled: false, cron_expression: null },
  })
  return copy.ok ? accepted({ campaign: copy.id, template }) : copy
}
