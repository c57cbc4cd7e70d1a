import type { JsonObject } from '#schemas/event.ts'
import type { PlannedRecipient, RunPlan } from '#schemas/events/campaign-run.ts'
import { fieldText } from '#schemas/json.ts'
import type { ExclusiveWriter } from '../../log/exclusive-append.ts'
import { openAccount } from '../meta/graph.ts'
import type { CampaignState, SendingParts } from './campaign-port.ts'

/** Recipients per event: with two short ids each, far below the limit of an append. */
const ROWS = 1000
const HOUR_MS = 3_600_000
const DEFAULT_HOURS = 72
/** Settings that a run freezes at its start. */
const FROZEN = [
  ...['mapping', 'window', 'window_days', 'window_from', 'window_to', 'skip_holidays', 'timezone'],
  ...['rate', 'warmup', 'daily_cap', 'require_consent', 'repeat'],
]

interface PlannedCampaign extends CampaignState {
  readonly template: JsonObject
  readonly account: { readonly id: string; readonly fields: JsonObject }
  readonly kind: RunPlan['kind']
  readonly of: string | null
  /** ms since 1970 */
  readonly now: number
}

/** Freezes the inputs of a run. */
export const frozenPlan = ({ id, fields, template, account, kind, of, now }: PlannedCampaign): RunPlan => {
  const hours = typeof fields.expires_after === 'number' ? fields.expires_after : DEFAULT_HOURS
  return {
    campaign: id,
    kind,
    of,
    metaaccount: account.id,
    number: fieldText(account.fields, 'phone_number_id'),
    portfolio: fieldText(account.fields, 'business_id') || fieldText(account.fields, 'waba_id'),
    template: { id: fieldText(fields, 'template'), revision: 0, fields: template },
    settings: Object.fromEntries(FROZEN.map(name => [name, fields[name] ?? null])),
    expires: new Date(now + hours * HOUR_MS).toISOString(),
  }
}

/** Whether a run omits numbers that its campaign already sent to. */
export const isNewOnly = ({ kind, settings }: RunPlan): boolean => kind === 'all' && settings.repeat !== 'everyone'

/** The plan of a run; undefined when its template or account was removed. */
const planOf = async (parts: SendingParts, { id, fields }: CampaignState): Promise<RunPlan | undefined> => {
  const template = await parts.commands.openFields('template', fieldText(fields, 'template'))
  const account = await openAccount(parts.commands, fieldText(fields, 'metaaccount'))
  if (template === undefined || account === undefined) return undefined
  const kind = fieldText(fields, 'run_kind')
  return frozenPlan({
    id,
    fields,
    template,
    account,
    kind: kind === 'failed' || kind === 'unknown' ? kind : 'all',
    of: fieldText(fields, 'run_of') || null,
    now: parts.now(),
  })
}

interface Page {
  readonly rows: readonly { readonly contact: string; readonly phone: string }[]
  /** Undefined on the last page. */
  readonly next: number | undefined
}

/** Recipients of a run: its campaign's audience, or those of another run with a certain status. */
const pageOf = async ({ audience, index }: SendingParts, plan: RunPlan, after: number): Promise<Page> => {
  if (plan.kind === 'all') return audience.page(plan.campaign, after, ROWS)
  const run = index.queries.run(plan.of ?? '')
  if (run === undefined) return { rows: [], next: undefined }
  // Positions of an audience start at 0, "before the first one"; so do these.
  const rows = index.queries.withStatus(run.seq, plan.kind, after - 1, ROWS)
  return { rows, next: rows.length < ROWS ? undefined : (rows.at(-1)?.n ?? 0) + 1 }
}

/**
 * Plans a run, or resumes its planning: one recipient per number; opted-out numbers are added as skipped. Returns false
 * when it cannot be planned.
 */
export const planRun = async (
  parts: SendingParts,
  log: ExclusiveWriter,
  run: string,
  campaign: CampaignState,
): Promise<boolean> => {
  const { index, audience } = parts
  if (log.isNew) {
    const plan = await planOf(parts, campaign)
    if (plan === undefined) return false
    await log.write([{ type: 'RunPlanned', data: plan }])
  }
  const known = index.queries.run(run)
  if (known === undefined) return false
  if (known.isOpened) return true
  const { plan, seq } = known
  const category = categoryOf(plan)
  const omitsSent = isNewOnly(plan)
  const lists = await parts.lists.ofCampaign(plan.campaign, plan.metaaccount)
  let after: number | undefined = Number(known.after ?? 0)
  let from = index.queries.size(seq)
  while (after !== undefined) {
    const page: Page = await pageOf(parts, plan, after)
    const seen = new Set<string>()
    const rows = page.rows.filter(({ phone }) => {
      if (seen.has(phone) || index.queries.hasNumber(seq, phone)) return false
      if (omitsSent && index.queries.wasSentTo(plan.campaign, phone)) return false
      seen.add(phone)
      return true
    })
    const suppressed = await audience.suppressed({ lists, category }, rows)
    const planned = rows.map(
      ({ contact, phone }): PlannedRecipient => [contact, phone, suppressed.has(phone) ? 'optout' : null],
    )
    after = page.next
    if (planned.length > 0)
      await log.write([{ type: 'RecipientsAdded', data: { from, after: String(after ?? ''), rows: planned } }])
    from += planned.length
  }
  await log.write([{ type: 'RunOpened', data: {} }])
  return true
}

/** `marketing`, `utility` or `authentication`. */
export const categoryOf = ({ template }: RunPlan): string => fieldText(template.fields as JsonObject, 'category')
