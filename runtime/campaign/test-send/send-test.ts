import { randomUUID } from 'node:crypto'
import {
  fillTemplate,
  mappedValues,
  mappingOf,
  optionalVariables,
  templateVariables,
} from '#domain/campaign/message-body.ts'
import { isSendableThere, registrationOf, templateOf } from '#domain/template/template.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { openAccount, openGraph } from '../../channel/shared/graph.ts'
import { type OpenedSender, sourceOf } from '../../channel/template/open-senders.ts'
import type { RuntimeParts } from '../../parts.ts'
import type { OpenedContact } from '../audience/audience.ts'

/** A campaign with what it is sent with. */
export interface TestedCampaign {
  readonly fields: JsonObject
  readonly template: JsonObject
  readonly opened: OpenedSender
}

/** Undefined when the campaign, its template or its number does not exist; `b` is the second one of a comparison. */
export const openTested = async (
  { commands, senders }: Pick<RuntimeParts, 'commands' | 'senders'>,
  id: string,
  variant: 'a' | 'b' = 'a',
): Promise<TestedCampaign | undefined> => {
  const fields = await commands.openFields('campaign', id)
  const named = fields && fieldText(fields, variant === 'b' ? 'template_b' : 'template')
  const template = named ? await commands.openFields('template', named) : undefined
  const opened = fields && (await senders.open(sourceOf(fields)))
  return fields === undefined || template === undefined || opened === undefined
    ? undefined
    : { fields, template, opened }
}

/** Result of a test to one number: `reason` is why it was not sent, or undefined. */
interface SentTest {
  readonly phone: string
  readonly reason: string | undefined
}

/** Key of a test: no receipt with it belongs to a run. */
const testKey = (): string => `test:${randomUUID()}`

/** Sends the campaign's message with the values of a contact to test numbers. Statistics do not count it. */
export const sendTest = async (
  { fields, template: stored, opened }: TestedCampaign,
  contact: OpenedContact,
  phones: readonly string[],
): Promise<readonly SentTest[]> => {
  const template = templateOf(stored)
  const registration = registrationOf(stored)
  const { values, missing } = mappedValues(
    templateVariables(template, registration),
    mappingOf(fields.mapping),
    contact,
    template.language,
    optionalVariables(template, registration),
  )
  if (!isSendableThere(stored)) return phones.map(phone => ({ phone, reason: 'template' }))
  if (missing !== undefined) return phones.map(phone => ({ phone, reason: 'variable' }))
  const message = fillTemplate(template, values, registration)
  return Promise.all(
    phones.map(async phone => {
      const sent = await opened.sender.send(message, phone, testKey())
      return { phone, reason: sent.kind === 'accepted' ? undefined : sent.reason }
    }),
  )
}

const wrong = (rule: string): Result<never> =>
  refused('validation.failed', { errors: [{ path: 'phone', code: 'format', params: { rule } }] })

/**
 * Sends a code to a telephone: with an approved template for codes of the number, else as a text, which Meta takes when the
 * telephone has written to the number within 24 hours.
 */
export const sendCode = async (
  parts: Pick<RuntimeParts, 'read' | 'commands' | 'call' | 'settings'>,
  { fields, opened }: TestedCampaign,
  phone: string,
  code: string,
): Promise<Result<null>> => {
  const { metaaccount, channel } = sourceOf(fields)
  const place = channel === '' ? { metaaccount } : { channel }
  const rows = await allRows(parts.read, SYSTEM_SCOPE, 'template', place)
  for (const { id } of rows.filter(({ category }) => category === 'authentication')) {
    const stored = await parts.commands.openFields('template', id)
    if (stored === undefined || !isSendableThere(stored)) continue
    const message = fillTemplate(templateOf(stored), new Map([['code', code]]), registrationOf(stored))
    const sent = await opened.sender.send(message, phone, testKey())
    if (sent.kind === 'accepted') return accepted(null)
  }
  const account = channel === '' ? await openAccount(parts.commands, metaaccount) : undefined
  if (account === undefined) return wrong('testcodeway')
  const answer = await openGraph(parts.call, parts.settings.GRAPH_URL).ask(account.credentials, {
    method: 'POST',
    path: `/${opened.number}/messages`,
    body: { messaging_product: 'whatsapp', to: phone, type: 'text', text: { body: `Parley: ${code}` } },
    isOnce: true,
  })
  return answer.ok ? accepted(null) : wrong('testcodewindow')
}
