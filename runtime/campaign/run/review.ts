import type { z } from 'zod'
import { mappedValues, mappingOf } from '#domain/campaign/mapping.ts'
import { templateVariables } from '#domain/campaign/message-body.ts'
import { templateOf } from '#domain/template/from-fields.ts'
import type { campaignReviewSchema } from '#schemas/api/campaign.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'
import { sendReasonText } from '../../refusal-text.ts'
import type { OpenedContact } from '../audience/audience.ts'
import type { CampaignAudience } from './port.ts'
import { messagingLimit } from './portfolio-limit.ts'
import type { RunIndex } from './run-index.ts'

const ROWS = 1000
const EXAMPLES = 5

interface Reviewed {
  readonly id: string
  readonly fields: JsonObject
  readonly template: JsonObject
  readonly account: JsonObject | undefined
  readonly audience: CampaignAudience
  /** Opt-out lists that hold for the campaign. */
  readonly lists: readonly string[]
  readonly index: RunIndex
  readonly language: Language
}

/** Checks all recipients of a campaign as a run would, without sending. */
export const reviewCampaign = async (given: Reviewed): Promise<z.output<typeof campaignReviewSchema>> => {
  const { id, fields, account, audience, index, language, lists } = given
  const template = templateOf(given.template)
  const variables = templateVariables(template)
  const mapping = mappingOf(fields.mapping)
  const reasons = new Map<string, { count: number; readonly contacts: string[] }>()
  const faultOf = (phone: string, contact: OpenedContact | undefined, stopped: ReadonlySet<string>) => {
    if (fields.repeat !== 'everyone' && index.queries.wasSentTo(id, phone)) return 'already'
    if (stopped.has(phone)) return 'optout'
    if (contact === undefined) return 'gone'
    if (fields.require_consent === true && contact.consent === undefined) return 'consent'
    return mappedValues(variables, mapping, contact, template.language).missing === undefined ? undefined : 'variable'
  }
  let [total, ready] = [0, 0]
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<CampaignAudience['page']>> = await audience.page(id, after, ROWS)
    const stopped = await audience.suppressed({ lists, category: template.category.toLowerCase() }, page.rows)
    const opened = await audience.open(
      id,
      page.rows.map(({ contact }) => contact),
    )
    for (const { contact, phone } of page.rows) {
      total += 1
      const reason = faultOf(phone, opened.get(contact), stopped)
      if (reason === undefined) {
        ready += 1
        continue
      }
      const known = reasons.get(reason) ?? { count: 0, contacts: [] }
      known.count += 1
      if (known.contacts.length < EXAMPLES) known.contacts.push(contact)
      reasons.set(reason, known)
    }
    after = page.next
  }
  const limit = messagingLimit(String(account?.messaging_limit ?? ''))
  const rate = typeof fields.rate === 'number' ? fields.rate : 1
  return {
    total,
    ready,
    notsent: [...reasons].map(([code, found]) => ({ code, text: sendReasonText(language, code), ...found })),
    limit: Number.isFinite(limit) ? limit : null,
    seconds: Math.ceil(ready / rate),
  }
}
