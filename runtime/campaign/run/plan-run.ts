import { TimeSlicer } from '#commands/time-slicer.ts'
import { templateFor, variantOf, winnerIn } from '#domain/campaign/comparison.ts'
import { mappedValues, mappingOf, optionalVariables, templateVariables } from '#domain/campaign/message-body.ts'
import { isCapReason } from '#domain/campaign/provider-error.ts'
import { MARKETING_WINDOW, placeInBrazil, type SendingWindow, windowOpens } from '#domain/campaign/sending-window.ts'
import { simulationConflict } from '#domain/campaign/simulated-number.ts'
import { registrationOf, type Template, type TemplateRegistration, templateOf } from '#domain/template/template.ts'
import { SENDING_DAYS } from '#schemas/entities/campaign.ts'
import type { JsonObject } from '#schemas/event.ts'
import {
  OMITTED,
  type PlannedPage,
  type PlannedRecipient,
  type RunPlan,
  type RunSelection,
  type SettledRecipient,
  type Variant,
} from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import { type OpenedSender, type SenderSource, sourceOf } from '../../channel/template/open-senders.ts'
import { type HolidaysOf, INLINE_HOLIDAYS } from '../../isolation/pooled-work.ts'
import type { ExclusiveWriter } from '../../log/stream-aggregate.ts'
import type { OpenedContact } from '../audience/audience.ts'
import type { CampaignState, SendingParts } from './campaign-port.ts'
import type { OpenRecipient, RunRow } from './run-queries.ts'
import type { SelectedRow } from './selection.ts'

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
  /** The template that it is compared with. */
  readonly templateB?: JsonObject | undefined
  /** Absent: its own contacts alone. */
  readonly selection?: RunSelection | undefined
  readonly from: SenderSource & Pick<OpenedSender, 'number' | 'portfolio' | 'isSimulated'>
  readonly kind: RunPlan['kind']
  readonly of: string | null
  /** ms since 1970 */
  readonly now: number
}

/** Freezes the inputs of a run. */
export const frozenPlan = (planned: PlannedCampaign): RunPlan => {
  const { id, fields, template, templateB, selection, from, kind, of, now } = planned
  const hours = typeof fields.expires_after === 'number' ? fields.expires_after : DEFAULT_HOURS
  return {
    campaign: id,
    kind,
    of,
    metaaccount: from.metaaccount,
    ...(from.channel === '' ? {} : { channel: from.channel }),
    number: from.number,
    ...(from.isSimulated ? { simulated: true } : {}),
    portfolio: from.portfolio,
    template: { id: fieldText(fields, 'template'), revision: 0, fields: template },
    ...(templateB === undefined ? {} : { comparison: comparisonOf(fields, templateB) }),
    ...(selection === undefined ? {} : { selection }),
    settings: Object.fromEntries(FROZEN.map(name => [name, fields[name] ?? null])),
    expires: new Date(now + hours * HOUR_MS).toISOString(),
  }
}

const DEFAULT_SHARE = 20

const comparisonOf = (fields: JsonObject, templateB: JsonObject): NonNullable<RunPlan['comparison']> => ({
  template: { id: fieldText(fields, 'template_b'), fields: templateB },
  share: typeof fields.compare_share === 'number' ? fields.compare_share : DEFAULT_SHARE,
  winner: winnerIn(fields),
})

/** Part of a recipient in the comparison of a run; undefined without one. */
export const partOf = ({ campaign, comparison }: RunPlan, phone: string): Variant | undefined =>
  comparison === undefined
    ? undefined
    : comparison.winner === null
      ? variantOf(campaign, phone, comparison.share)
      : 'rest'

/** A template as it is sent. */
interface SentForm {
  readonly template: Template
  readonly registration: TemplateRegistration
}

const formOf = (fields: JsonObject): SentForm => ({
  template: templateOf(fields),
  registration: registrationOf(fields),
})

/** Templates of a run: A, and B of a comparison. */
export const formsOf = ({ template, comparison }: RunPlan): { readonly a: SentForm; readonly b: SentForm } => {
  const a = formOf(template.fields)
  return { a, b: comparison === undefined ? a : formOf(comparison.template.fields) }
}

/** The account or channel that a run is sent from. */
export const planSource = ({ metaaccount, channel = '' }: RunPlan): SenderSource => ({ metaaccount, channel })

/** Whether a run omits numbers that its campaign already sent to. */
export const isNewOnly = ({ kind, settings }: RunPlan): boolean => kind === 'all' && settings.repeat !== 'everyone'

/** The plan of a run; undefined when its template or sender was removed. */
const planOf = async (parts: SendingParts, { id, fields }: CampaignState): Promise<RunPlan | undefined> => {
  const template = await parts.commands.openFields('template', fieldText(fields, 'template'))
  const source = sourceOf(fields)
  const opened = await parts.senders.open(source)
  const other = fieldText(fields, 'template_b')
  const templateB = other === '' ? undefined : await parts.commands.openFields('template', other)
  if (other !== '' && templateB === undefined) return undefined
  const kind = fieldText(fields, 'run_kind')
  const isAgain = kind === 'failed' || kind === 'unknown'
  const selection = isAgain ? 'none' : await (parts.selections?.of(fields) ?? 'none')
  if (template === undefined || opened === undefined || selection === undefined) return undefined
  return frozenPlan({
    id,
    fields,
    template,
    templateB,
    from: { ...source, ...opened },
    selection: selection === 'none' ? undefined : selection,
    kind: isAgain ? kind : 'all',
    of: fieldText(fields, 'run_of') || null,
    now: parts.now(),
  })
}

/** A row with its part of an earlier comparison. */
type PlannedRow = SelectedRow & { readonly variant?: Variant | '' }

interface Page {
  readonly rows: readonly PlannedRow[]
  /** Undefined on the last page. */
  readonly next: string | undefined
  readonly source: number
  /** Contacts of lists and segments, which the campaign gets a copy of. */
  readonly freeze?: (rows: readonly PlannedRow[]) => Promise<readonly (string | undefined)[]>
}

/** Recipients of a run: those of its campaign, or those of another run with a certain status. */
const pageOf = async ({ audience, index, selections }: SendingParts, plan: RunPlan, after: string): Promise<Page> => {
  if (plan.kind === 'all') {
    if (selections === undefined || plan.selection === undefined) {
      const { rows, next } = await audience.page(plan.campaign, Number(after), ROWS)
      return { rows, next: next === undefined ? undefined : String(next), source: 0 }
    }
    const { rows, members, next, source } = await selections.page(plan, after)
    const memberOf = new Map(rows.map((row, place) => [row, members[place]] as const))
    const freeze = (some: readonly PlannedRow[]) =>
      selections.freeze(
        plan.campaign,
        some.flatMap(row => memberOf.get(row) ?? []),
      )
    return { rows, next, source, ...(members.length === 0 ? {} : { freeze }) }
  }
  const run = index.queries.run(plan.of ?? '')
  if (run === undefined) return { rows: [], next: undefined, source: 0 }
  // Positions of an audience start at 0, "before the first one"; so do these.
  const rows = index.queries.withStatus(run.seq, plan.kind, Number(after) - 1, ROWS)
  const next = rows.length < ROWS ? undefined : String((rows.at(-1)?.n ?? 0) + 1)
  return {
    rows: rows.map(({ contact, phone, country, variant }) => ({ contact, phone, country, variant })),
    next,
    source: 0,
  }
}

/** The rows of a page under the contacts that a campaign froze them with, without those that cannot be read. */
const frozenRows = async ({ freeze }: Page, rows: readonly PlannedRow[]): Promise<readonly PlannedRow[]> => {
  if (freeze === undefined || rows.length === 0) return rows
  const contacts = await freeze(rows)
  return rows.flatMap((row, place) => {
    const contact = contacts[place]
    return contact === undefined ? [] : [{ ...row, contact }]
  })
}

/**
 * Plans a run, or resumes its planning: one recipient per number; opted-out numbers are added as skipped. `gone`: it
 * cannot be planned. `interrupted`: planning continues later from the last page.
 */
export const planRun = async (
  parts: SendingParts,
  log: ExclusiveWriter,
  run: string,
  campaign: CampaignState,
  isInterrupted: () => boolean = () => false,
): Promise<'planned' | 'gone' | 'interrupted'> => {
  const { index, audience, selections } = parts
  if (log.isNew) {
    const plan = await planOf(parts, campaign)
    if (plan === undefined) return 'gone'
    await log.write([{ type: 'RunPlanned', data: plan }])
  }
  const known = index.queries.run(run)
  if (known === undefined) return 'gone'
  if (known.isOpened) return 'planned'
  const { plan, seq } = known
  const { selection } = plan
  const category = categoryOf(plan)
  const omitsSent = isNewOnly(plan)
  const lists = await parts.lists.ofCampaign(plan.campaign, plan.metaaccount)
  let after: string | undefined = known.after ?? '0'
  let from = index.queries.size(seq)
  while (after !== undefined) {
    if (isInterrupted()) return 'interrupted'
    const page: Page = await pageOf(parts, plan, after)
    const phones = page.rows.map(({ phone }) => phone)
    const seen = new Set(index.queries.numbersIn(seq, phones))
    const sent = index.queries.sentTo(plan.campaign, omitsSent ? phones : [])
    const chosen = page.rows.filter(({ phone }) => {
      if (seen.has(phone) || sent.has(phone)) return false
      seen.add(phone)
      return true
    })
    const rows = await frozenRows(page, chosen)
    const suppressed = await audience.suppressed({ lists, category }, rows)
    const planned = rows.map((row): PlannedRecipient => {
      const { contact, phone, country = '', variant } = row
      const isOmitted = selection !== undefined && selections?.isOmitted(selection, row) === true
      const skipped = isOmitted ? OMITTED : suppressed.has(phone) ? 'optout' : null
      // A repeated send stays in its part: the person has seen, or may have seen, that template.
      const part = variant === undefined || variant === '' ? partOf(plan, phone) : variant
      const isCompared = part !== undefined && plan.comparison !== undefined
      return isCompared ? [contact, phone, skipped, country, part] : [contact, phone, skipped, country]
    })
    after = page.next
    if (planned.length > 0) {
      const data: PlannedPage = { from, after: after ?? '', rows: planned, source: page.source }
      await log.write([{ type: 'RecipientsAdded', data }])
    }
    from += planned.length
  }
  await log.write([{ type: 'RunOpened', data: {} }])
  return 'planned'
}

/** `marketing`, `utility` or `authentication`. */
export const categoryOf = ({ template }: RunPlan): string => fieldText(template.fields as JsonObject, 'category')

const PAIR_MS = 6000
const DAY_MS = 86_400_000
const NEVER_MS = 22 * DAY_MS

interface FilledMessage {
  /** E.164 with its plus. */
  readonly to: string
  readonly values: ReadonlyMap<string, string>
}

/** A recipient to send to now. */
export type ChosenRecipient = OpenRecipient & FilledMessage

interface Choice {
  readonly send: readonly ChosenRecipient[]
  /** Recipients that get no message. */
  readonly settled: readonly SettledRecipient[]
  /** Recipients postponed to a moment (ms). */
  readonly later: readonly (readonly [recipient: number, due: number, reason: LaterReason])[]
}

type LaterReason = 'window' | 'pair' | 'cap' | 'winner'

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
  holidays: HolidaysOf = INLINE_HOLIDAYS,
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

/** Numbers with the same key have the same sending hours. */
export const hoursKey = (phone: string): string => {
  if (!phone.startsWith(BRAZIL)) return ''
  const { state, zone } = placeInBrazil(phone)
  return `${state} ${zone}`
}

/** Next allowed moments of numbers, from a moment on (ms): computed once for numbers with the same hours. */
export const sendingHours = async (
  { now, holidays }: Pick<SendingParts, 'now' | 'holidays'>,
  plan: RunPlan,
  phones: readonly string[],
): Promise<(phone: string, time: number) => number> => {
  const window = windowOf(plan, categoryOf(plan))
  if (window === undefined) return (_phone, time) => time
  const calendar = await calendarOf(phones, now(), holidays)
  let known = { time: Number.NaN, opens: new Map<string, number>() }
  return (phone, time) => {
    if (known.time !== time) known = { time, opens: new Map() }
    const key = hoursKey(phone)
    const opens = known.opens.get(key) ?? opensFor(phone, window, plan, time, calendar)
    known.opens.set(key, opens)
    return opens
  }
}

/** Dependencies of a decision. */
export type ChoosingParts = Pick<SendingParts, 'audience' | 'holidays' | 'index' | 'lists' | 'now' | 'selections'>

/** A recipient as it is decided about: `phone` is the HMAC of its number, `audience` where it is not the campaign's. */
type Candidate = Pick<OpenRecipient, 'contact' | 'phone'> &
  Partial<Pick<OpenRecipient, 'variant'>> &
  Pick<SelectedRow, 'audience'>

/** Decision about a recipient at this moment. */
type Verdict =
  | (FilledMessage & { readonly is: 'send' })
  | { readonly is: 'skipped'; readonly reason: string }
  /** `variable` has neither a value nor a default. */
  | { readonly is: 'failed'; readonly reason: 'variable'; readonly variable: string }
  | (FilledMessage & { readonly is: 'later'; readonly reason: LaterReason; readonly at: number })

/** Results of the look-ups for all candidates of a page. */
interface Lookups {
  /** HMACs of numbers that opted out. */
  readonly stopped: ReadonlySet<string>
  /** Last sends of the last 6 seconds, and of marketing in the last 24 hours where they count (ms), by contact. */
  readonly pairs: ReadonlyMap<string, number>
  readonly capped: ReadonlyMap<string, number>
}

const lookUp = async (
  { audience, index, lists, now }: ChoosingParts,
  plan: RunPlan,
  candidates: readonly Candidate[],
  opened: ReadonlyMap<string, OpenedContact>,
): Promise<Lookups> => {
  const category = categoryOf(plan)
  const scope = { lists: await lists.ofCampaign(plan.campaign, plan.metaaccount), category }
  const stopped = await audience.suppressed(scope, candidates)
  const contacts = [...opened.keys()]
  const people = Array.from(opened.values(), ({ phone }) => audience.digestsOf({ phone }))
  const lastOf = (since: number, of = '') =>
    new Map([...index.queries.lastSends(people, since, of)].map(([place, at]) => [contacts[place] ?? '', at]))
  // Repeated sends that a person asked for are exempt: their first attempt was on the same day.
  const isCapped = plan.kind === 'all' && category === 'marketing' && plan.settings.daily_cap !== false
  const capped = isCapped ? lastOf(now() - DAY_MS, 'marketing') : new Map<string, number>()
  return { stopped, pairs: lastOf(now() - PAIR_MS), capped }
}

/** Reason for not sending to a recipient. */
const refusalOf = (
  { audience }: ChoosingParts,
  plan: RunPlan,
  { contact: id, phone }: Candidate,
  contact: OpenedContact | undefined,
  { stopped, capped }: Lookups,
): string | undefined => {
  if (contact === undefined) return 'gone'
  if (audience.hmac(contact.phone) !== phone) return 'changed'
  const conflict = simulationConflict(plan.simulated === true, contact.phone)
  if (conflict !== undefined) return conflict
  if (stopped.has(phone)) return 'optout'
  if (plan.settings.require_consent === true && contact.consent === undefined) return 'consent'
  return capped.has(id) ? 'dailycap' : undefined
}

/** A day after the failure that a repeated send follows, where the provider limits marketing to the person (ms); else 0. */
const cappedUntil = (index: SendingParts['index'], { kind, of }: RunPlan, { phone }: Candidate): number => {
  const failure = kind === 'failed' ? index.queries.failureIn(of ?? '', phone) : undefined
  return failure !== undefined && isCapReason(failure.reason) ? failure.claimed + DAY_MS : 0
}

/** Reads the values of a contact for the template that it gets; for both templates while no winner is known. */
const valueReader = (plan: RunPlan) => {
  const mapping = mappingOf((plan.settings as JsonObject).mapping)
  const readerOf = ({ template, registration }: SentForm) => {
    const variables = templateVariables(template, registration)
    const optional = optionalVariables(template, registration)
    return (contact: OpenedContact) => mappedValues(variables, mapping, contact, template.language, optional)
  }
  const forms = formsOf(plan)
  const readers = { a: readerOf(forms.a), b: readerOf(forms.b) }
  return (contact: OpenedContact, variant: Variant | '', winner: 'a' | 'b' | null) => {
    const read = readers[templateFor(variant, winner)](contact)
    return variant === 'rest' && winner === null && read.missing === undefined ? readers.b(contact) : read
  }
}

/**
 * Decrypts recipients of a plan and decides about each, in their order. The sender and the review of a campaign use this one
 * function, so that a review says what a run does.
 */
export const decideRecipients = async (
  parts: ChoosingParts,
  plan: RunPlan,
  winner: 'a' | 'b' | null,
  candidates: readonly Candidate[],
): Promise<readonly Verdict[]> => {
  const { audience, index } = parts
  const now = parts.now()
  const opened = new Map<string, OpenedContact>()
  for (const [of, some] of Map.groupBy(candidates, candidate => candidate.audience ?? plan.campaign))
    for (const [contact, clear] of await audience.open(of, [...new Set(some.map(({ contact }) => contact))]))
      opened.set(contact, clear)
  const found = await lookUp(parts, plan, candidates, opened)
  const phones = Array.from(opened.values(), ({ phone }) => phone)
  const opensAt = await sendingHours(parts, plan, phones)
  const valuesFor = valueReader(plan)
  const slices = new TimeSlicer()
  const verdicts: Verdict[] = []
  const decide = (candidate: Candidate): Verdict => {
    const contact = opened.get(candidate.contact)
    const reason = refusalOf(parts, plan, candidate, contact, found)
    if (reason !== undefined || contact === undefined) return { is: 'skipped', reason: reason ?? 'gone' }
    const { values, missing } = valuesFor(contact, candidate.variant ?? '', winner)
    if (missing !== undefined) return { is: 'failed', reason: 'variable', variable: missing }
    const message = { to: contact.phone, values }
    if (candidate.variant === 'rest' && winner === null)
      return { ...message, is: 'later', reason: 'winner', at: Date.parse(plan.expires) }
    const opens = opensAt(contact.phone, now)
    if (opens > now) return { ...message, is: 'later', reason: 'window', at: opens }
    const capped = cappedUntil(index, plan, candidate)
    if (capped > now) return { ...message, is: 'later', reason: 'cap', at: capped }
    const last = found.pairs.get(candidate.contact)
    if (last !== undefined) return { ...message, is: 'later', reason: 'pair', at: last + PAIR_MS }
    return { ...message, is: 'send' }
  }
  for (const candidate of candidates) {
    verdicts.push(decide(candidate))
    if (slices.isOver) await slices.next()
  }
  return verdicts
}

/** Decides about due recipients: send, settle or postpone. */
export const chooseRecipients = async (
  parts: ChoosingParts,
  { plan, winner }: Pick<RunRow, 'plan' | 'winner'>,
  due: readonly OpenRecipient[],
): Promise<Choice> => {
  const verdicts = await decideRecipients(parts, plan, winner, due)
  const send: ChosenRecipient[] = []
  const settled: SettledRecipient[] = []
  const later: Choice['later'][number][] = []
  for (const [place, recipient] of due.entries()) {
    const verdict = verdicts[place]
    if (verdict === undefined) continue
    const { n } = recipient
    if (verdict.is === 'send') send.push({ ...recipient, to: verdict.to, values: verdict.values })
    else if (verdict.is === 'later') later.push([n, verdict.at, verdict.reason])
    else settled.push([n, verdict.is, verdict.reason])
  }
  return { send, settled, later }
}
