import { mappedValues, mappingOf } from '#domain/campaign/mapping.ts'
import { templateVariables } from '#domain/campaign/message-body.ts'
import { MARKETING_WINDOW, placeInBrazil, type SendingWindow, windowOpens } from '#domain/campaign/sending-window.ts'
import type { Template } from '#domain/template/template.ts'
import { SENDING_DAYS } from '#schemas/entities/campaign.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RunPlan, SettledRecipient } from '#schemas/events/campaign-run.ts'
import { type HolidaysOf, OWN_HOLIDAYS } from '../../isolation/open-holidays.ts'
import type { OpenedContact } from '../audience/audience.ts'
import { categoryOf } from './plan-run.ts'
import type { SendingParts } from './port.ts'
import type { OpenRecipient, RunRow } from './run-queries.ts'

const PAIR_MS = 6000
const DAY_MS = 86_400_000
const NEVER_MS = 22 * DAY_MS

/** A recipient to send to now. */
export interface ChosenRecipient extends OpenRecipient {
  /** E.164 with its plus. */
  readonly to: string
  readonly values: ReadonlyMap<string, string>
}

interface Choice {
  readonly send: readonly ChosenRecipient[]
  /** Recipients that get no message. */
  readonly settled: readonly SettledRecipient[]
  /** Recipients postponed to a moment (ms). */
  readonly later: readonly (readonly [recipient: number, due: number, reason: 'window' | 'pair'])[]
}

const minutes = (clock: unknown, fallback: number): number => {
  const [, hours, rest] = /^(\d\d):(\d\d)$/u.exec(String(clock)) ?? []
  return hours === undefined ? fallback : Number(hours) * 60 + Number(rest)
}

/** Allowed sending hours; undefined when unrestricted. */
const windowOf = ({ settings }: RunPlan, category: string): SendingWindow | undefined => {
  if (settings.window === 'always') return undefined
  if (settings.window !== 'own') return category === 'marketing' ? MARKETING_WINDOW : undefined
  const names = Array.isArray(settings.window_days) ? settings.window_days : []
  const days = names.map(name => SENDING_DAYS.indexOf(String(name) as (typeof SENDING_DAYS)[number]))
  return {
    days: days.length === 0 ? [0, 1, 2, 3, 4, 5, 6] : days,
    from: minutes(settings.window_from, 480),
    to: minutes(settings.window_to, 1200),
  }
}

/** Public holidays in states of Brazil: state and day. */
type Calendar = ReadonlySet<string>

const BRAZIL = '+55'

/** Public holidays in the states of these numbers, for as long as a message can be postponed. */
const calendarOf = async (
  phones: readonly string[],
  now: number,
  holidays: HolidaysOf = OWN_HOLIDAYS,
): Promise<Calendar> => {
  const states = new Set(phones.filter(phone => phone.startsWith(BRAZIL)).map(phone => placeInBrazil(phone).state))
  const years = new Set([now - DAY_MS, now + NEVER_MS + DAY_MS].map(time => new Date(time).getUTCFullYear()))
  const days = new Set<string>()
  for (const state of states)
    for (const year of years)
      for (const { day, type } of await holidays({ country: 'BR', state }, year))
        if (type === 'public') days.add(`${state} ${day}`)
  return days
}

/** Next allowed moment for a number (ms): by the clock of its area code in Brazil, else by the campaign's clock. */
const opensFor = (
  phone: string,
  window: SendingWindow,
  { settings }: RunPlan,
  now: number,
  calendar: Calendar,
): number => {
  const isBrazil = phone.startsWith(BRAZIL)
  const { zone, state } = isBrazil ? placeInBrazil(phone) : { zone: String(settings.timezone), state: '' }
  const skips = isBrazil && settings.skip_holidays !== false
  return windowOpens(window, now, [zone], day => skips && calendar.has(`${state} ${day}`)) ?? now + NEVER_MS
}

/** Reason for not sending to a recipient. */
const refusalOf = (
  parts: SendingParts,
  plan: RunPlan,
  { phone }: OpenRecipient,
  contact: OpenedContact | undefined,
  stopped: ReadonlySet<string>,
): string | undefined => {
  if (contact === undefined) return 'gone'
  if (parts.audience.hmac(contact.phone) !== phone) return 'changed'
  if (stopped.has(phone)) return 'optout'
  if (plan.settings.require_consent === true && contact.consent === undefined) return 'consent'
  // Repeated sends that a person asked for are exempt: their first attempt was on the same day.
  const isCapped = plan.kind === 'all' && categoryOf(plan) === 'marketing' && plan.settings.daily_cap !== false
  const since = parts.now() - DAY_MS
  const number = parts.audience.digestsOf({ phone: contact.phone })
  return isCapped && parts.index.queries.lastSentTo(number, since, 'marketing') !== undefined ? 'dailycap' : undefined
}

/** Decrypts due recipients and decides for each: send, settle or postpone. */
export const chooseRecipients = async (
  parts: SendingParts,
  { plan }: RunRow,
  template: Template,
  due: readonly OpenRecipient[],
): Promise<Choice> => {
  const { audience, index } = parts
  const now = parts.now()
  const category = categoryOf(plan)
  const opened = await audience.open(plan.campaign, [...new Set(due.map(({ contact }) => contact))])
  const lists = await parts.lists.ofCampaign(plan.campaign, plan.metaaccount)
  const stopped = await audience.suppressed({ lists, category }, due)
  const window = windowOf(plan, category)
  const phones = window === undefined ? [] : [...opened.values()].map(({ phone }) => phone)
  const calendar = await calendarOf(phones, now, parts.holidays)
  const variables = templateVariables(template)
  const mapping = mappingOf((plan.settings as JsonObject).mapping)
  const send: ChosenRecipient[] = []
  const settled: SettledRecipient[] = []
  const later: (readonly [number, number, 'window' | 'pair'])[] = []
  for (const recipient of due) {
    const contact = opened.get(recipient.contact)
    const reason = refusalOf(parts, plan, recipient, contact, stopped)
    if (reason !== undefined || contact === undefined) {
      settled.push([recipient.n, 'skipped', reason ?? 'gone'])
      continue
    }
    const { values, missing } = mappedValues(variables, mapping, contact, template.language)
    if (missing !== undefined) {
      settled.push([recipient.n, 'failed', 'variable'])
      continue
    }
    const opens = window === undefined ? now : opensFor(contact.phone, window, plan, now, calendar)
    const last = index.queries.lastSentTo(audience.digestsOf({ phone: contact.phone }), now - PAIR_MS)
    if (opens > now) later.push([recipient.n, opens, 'window'])
    else if (last !== undefined) later.push([recipient.n, last + PAIR_MS, 'pair'])
    else send.push({ ...recipient, to: contact.phone, values })
  }
  return { send, settled, later }
}
