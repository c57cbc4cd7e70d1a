import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { listOn, type PricedCount, type PriceList, sumOf } from '#domain/campaign/price.ts'
import { messagingLimit } from '#domain/meta/account.ts'
import { sendReasonText } from '#runtime/localized-text.ts'
import type { campaignReviewSchema } from '#schemas/api/campaign.ts'
import type { JsonObject } from '#schemas/event.ts'
import { OMITTED, type RunPlan, type Variant } from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import { type OpenedSender, sourceOf } from '../../channel/template/open-senders.ts'
import { type CheckedLinks, type LinkCheck, LinkedFiles, type ReviewedRecipient } from './linked-files.ts'
import {
  type ChoosingParts,
  decideRecipients,
  frozenPlan,
  hoursKey,
  isNewOnly,
  partOf,
  sendingHours,
} from './plan-run.ts'
import type { SelectedRow } from './selection.ts'
import { campaignRate, portfolioRoom, START_RATE, simulateSending, WARMUP_FROM } from './send-rate.ts'
import { dayOf } from './statistics.ts'

const ROWS = 1000
const EXAMPLES = 5
const DAY_MS = 86_400_000
/** Larger reviews are not waited for. */
export const MAX_WAITED = 2000
/** A result is kept this long after its end. */
const KEPT_MS = 300_000

interface Reviewed {
  readonly id: string
  readonly fields: JsonObject
  readonly template: JsonObject
  /** The template that it is compared with. */
  readonly templateB?: JsonObject | undefined
  /** Price lists of its level. */
  readonly prices?: readonly PriceList[]
  /** Undefined: the number that the campaign names does not exist, or is disabled. */
  readonly opened: OpenedSender | undefined
  /** Rate that its number begins with, messages per second. */
  readonly startRate?: number
  /** Messages of conversations that its number sends per second. */
  readonly otherRate?: number
  /** Checks links of files; without it `media` is null. */
  readonly linkCheck?: LinkCheck
  readonly signal?: AbortSignal
  /** Called after each page with the number of rows so far. */
  readonly progress?: (done: number) => void
}

interface Omitted {
  readonly code: string
  count: number
  readonly examples: ReviewedRecipient[]
  /** Rows without a value, by variable. */
  readonly variables: Map<string, number>
}

interface FoundReview {
  readonly total: number
  readonly ready: number
  readonly later: readonly {
    readonly code: 'window' | 'pair' | 'limit' | 'winner'
    readonly count: number
    readonly at: number
  }[]
  readonly notsent: readonly Omitted[]
  readonly limit: number | null
  readonly rate: number
  readonly seconds: number
  /** A receipt settles a send whose answer was lost. */
  readonly settles: boolean
  readonly cost: Estimate
  /** Recipients of each part of a comparison. */
  readonly variants: Readonly<Record<Variant, number>> | null
  /** Addresses of files in the messages; null: none, or not checked. */
  readonly media: CheckedLinks | null
}

/** Highest cost of a run: it includes messages that the provider may not bill. */
interface Estimate {
  readonly counts: readonly PricedCount[]
  readonly list: PriceList | undefined
  /** Undefined without a list. */
  readonly sum: { readonly amount: string; readonly unpriced: number } | undefined
  /** Messages of a simulated number cost nothing. */
  readonly isFree: boolean
}

const FREE = { amount: '0.00', unpriced: 0 }

const estimateOf = (
  counts: readonly PricedCount[],
  { simulated }: RunPlan,
  lists: readonly PriceList[],
  now: number,
): Estimate => {
  const list = listOn(lists, dayOf(now))
  const isFree = simulated === true
  return { counts, list, isFree, sum: isFree ? FREE : list && sumOf(list, counts) }
}

/** Recipients that get a message now or later. */
interface Sendable {
  readonly sendable: number
  readonly later: FoundReview['later']
  /** Recipients of the run, with those that get none. */
  readonly planned: number
  /** Number and one telephone number of those with the same sending hours. */
  readonly hours: ReadonlyMap<string, { readonly phone: string; readonly count: number }>
  readonly startRate: number
  readonly otherRate: number
}

/** Applies the limit of the account and the pace to the recipients that may get a message. */
const figuresOf = async (
  parts: ChoosingParts,
  plan: RunPlan,
  account: JsonObject | undefined,
  { sendable, later, planned, hours, startRate, otherRate }: Sendable,
): Promise<Omit<FoundReview, 'total' | 'notsent' | 'settles' | 'cost' | 'variants' | 'media'>> => {
  const now = parts.now()
  const { room, until } = portfolioRoom(parts, { plan }, account)
  const ready = Math.min(sendable, room)
  const limit = messagingLimit(String(account?.messaging_limit ?? ''))
  const rate = campaignRate(plan.settings.rate, account)
  const opens = await sendingHours(
    parts,
    plan,
    [...hours.values()].map(({ phone }) => phone),
  )
  const end = simulateSending({
    ...{ now, room, most: rate, rate: startRate, others: otherRate },
    groups: [...hours.values()].map(({ phone, count }) => ({ count, opens: time => opens(phone, time) })),
    isWarmedUp: plan.settings.warmup === false || planned < WARMUP_FROM,
    leaving: Number.isFinite(limit) ? parts.index.queries.leaving(plan.portfolio, now - DAY_MS) : [],
  })
  return {
    ready,
    later: ready === sendable ? later : [...later, { code: 'limit', count: sendable - ready, at: until }],
    limit: Number.isFinite(limit) ? limit : null,
    rate,
    seconds: Math.ceil((end - now) / 1000),
  }
}

/** A page of the recipients of a plan, as planning reads them. */
const reviewedPage = async (
  { audience, selections }: ChoosingParts,
  plan: RunPlan,
  after: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly rows: readonly SelectedRow[]; readonly next: string | undefined; readonly looked: number }> => {
  if (selections !== undefined && plan.selection !== undefined) return selections.page(plan, after, signal)
  const { rows, next } = await audience.page(plan.campaign, Number(after), ROWS)
  return { rows, next: next === undefined ? undefined : String(next), looked: rows.length }
}

const senderOf = (fields: JsonObject, opened: OpenedSender | undefined) => {
  const { number = '', portfolio = '', isSimulated = false } = opened ?? {}
  return { ...sourceOf(fields), number, portfolio, isSimulated }
}

/** Decides about each recipient of a campaign as a run that starts now. Nothing is sent. */
export const reviewCampaign = async (parts: ChoosingParts, given: Reviewed): Promise<FoundReview> => {
  const { id, fields, opened, startRate = START_RATE, otherRate = 0, linkCheck, signal, progress, prices = [] } = given
  const { selections } = parts
  const now = parts.now()
  const selection = (await selections?.of(fields)) ?? 'none'
  const plan = frozenPlan({
    id,
    fields,
    template: given.template,
    templateB: given.templateB,
    selection: selection === 'none' ? undefined : selection,
    from: senderOf(fields, opened),
    kind: 'all',
    of: null,
    now,
  })
  const omitsSent = isNewOnly(plan)
  const omitted = new Map<string, Omitted>()
  const postponed = new Map<'window' | 'pair' | 'winner', { count: number; at: number }>()
  const omit = (code: string, example: ReviewedRecipient) => {
    const known = omitted.get(code) ?? { code, count: 0, examples: [], variables: new Map<string, number>() }
    known.count += 1
    if (known.examples.length < EXAMPLES) known.examples.push(example)
    if (example.variable !== null)
      known.variables.set(example.variable, (known.variables.get(example.variable) ?? 0) + 1)
    omitted.set(code, known)
  }
  const hours = new Map<string, { readonly phone: string; count: number }>()
  const countries = new Map<string, number>()
  const variants: Record<Variant, number> = { a: 0, b: 0, rest: 0 }
  const seen = new Set<string>()
  const links = new LinkedFiles(plan)
  let [total, sendable, already, looked] = [0, 0, 0, 0]
  for (let after: string | undefined = '0'; after !== undefined; ) {
    signal?.throwIfAborted()
    const page = await reviewedPage(parts, plan, after, signal)
    const rows = page.rows.filter(({ phone }) => plan.selection === undefined || !seen.has(phone))
    if (plan.selection !== undefined) for (const { phone } of rows) seen.add(phone)
    const candidates = rows.map((row): SelectedRow & { readonly variant?: Variant } => {
      const variant = partOf(plan, row.phone)
      return variant === undefined ? row : { ...row, variant }
    })
    const verdicts = await decideRecipients(parts, plan, plan.comparison?.winner ?? null, candidates)
    const sent = parts.index.queries.sentTo(id, omitsSent ? rows.map(({ phone }) => phone) : [])
    for (const [place, row] of rows.entries()) {
      const { contact, phone, country = '', upload = null, line } = row
      total += 1
      const verdict = verdicts[place]
      const example = { contact, line: line ?? total, upload, variable: null }
      const isSent = sent.has(phone)
      const isOmitted = !isSent && plan.selection !== undefined && selections?.isOmitted(plan.selection, row) === true
      if (!isSent && !isOmitted && (verdict?.is === 'send' || verdict?.is === 'later')) {
        const same = hours.get(hoursKey(verdict.to)) ?? { phone: verdict.to, count: 0 }
        same.count += 1
        hours.set(hoursKey(verdict.to), same)
        countries.set(country, (countries.get(country) ?? 0) + 1)
        const part = candidates[place]?.variant
        if (part !== undefined) variants[part] += 1
        links.add(verdict.values, part ?? '', example)
      }
      if (isSent) {
        already += 1
        omit('already', example)
      } else if (isOmitted) omit(OMITTED, example)
      else if (verdict?.is === 'send') sendable += 1
      else if (verdict?.is === 'later' && verdict.reason !== 'cap') {
        const known = postponed.get(verdict.reason)
        const at = Math.min(known?.at ?? verdict.at, verdict.at)
        postponed.set(verdict.reason, { count: (known?.count ?? 0) + 1, at })
      } else if (verdict !== undefined && verdict.is !== 'later')
        omit(verdict.reason, { ...example, variable: verdict.is === 'failed' ? verdict.variable : null })
    }
    after = page.next
    looked += page.looked
    progress?.(looked)
  }
  const later = [...postponed].map(([code, found]) => ({ code, ...found }))
  const notsent = [...omitted.values()].toSorted((one, other) => other.count - one.count)
  return {
    total,
    notsent,
    ...(await figuresOf(parts, plan, opened?.account, {
      sendable,
      later,
      hours,
      planned: total - already,
      startRate,
      otherRate,
    })),
    settles: opened?.sender.settles !== false,
    cost: estimateOf(
      [...countries].map(([country, count]) => ({ category: fieldText(given.template, 'category'), country, count })),
      ...([plan, prices, now] as const),
    ),
    variants: plan.comparison === undefined ? null : variants,
    // Nothing of a simulated number leaves the machine.
    media: linkCheck === undefined || plan.simulated === true ? null : await links.check(linkCheck, signal),
  }
}

interface ReviewJob {
  readonly id: string
  readonly campaign: string
  readonly total: number
  done: number
  readonly result: Promise<FoundReview>
  found: FoundReview | undefined
  /** ms since 1970; undefined while it runs. */
  ended: number | undefined
}

/** Reviews of campaigns that run on this node, and their results for a while. */
export class ReviewJobs {
  readonly #jobs = new Map<string, ReviewJob>()
  readonly #closed = new AbortController()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** A running or finished review. */
  find(id: string, campaign: string): ReviewJob | undefined {
    this.#forget()
    const job = this.#jobs.get(id)
    return job?.campaign === campaign ? job : undefined
  }

  /** The running review of a campaign, or a new one. `total`: rows of its audience. */
  start(campaign: string, total: number, review: (of: Pick<Reviewed, 'signal' | 'progress'>) => Promise<FoundReview>) {
    this.#forget()
    const running = [...this.#jobs.values()].find(job => job.campaign === campaign && job.ended === undefined)
    if (running !== undefined) return running
    const { signal } = this.#closed
    const progress = (done: number) => {
      job.done = done
    }
    const job: ReviewJob = {
      id: randomUUID(),
      campaign,
      total,
      done: 0,
      result: Promise.resolve().then(() => review({ signal, progress })),
      found: undefined,
      ended: undefined,
    }
    this.#jobs.set(job.id, job)
    const end = (found: FoundReview | undefined) => {
      job.found = found
      job.ended = this.#now()
    }
    job.result.then(end, () => end(undefined))
    return job
  }

  close(): void {
    this.#closed.abort()
  }

  #forget(): void {
    for (const [id, { ended }] of this.#jobs)
      if (ended !== undefined && this.#now() - ended > KEPT_MS) this.#jobs.delete(id)
  }
}

type Review = z.output<typeof campaignReviewSchema>

/** Uploads that added the contacts named in a review. */
export const uploadsIn = ({ found }: ReviewJob): readonly string[] => [
  ...new Set(
    [
      ...(found?.notsent.flatMap(({ examples }) => examples) ?? []),
      ...(found?.media?.faults.map(({ example }) => example) ?? []),
    ].flatMap(({ upload }) => upload ?? []),
  ),
]

const shownEstimate = ({ counts, list, sum, isFree }: Estimate): Review['cost'] => ({
  counts: counts.map(one => ({ ...one })),
  list: list === undefined ? null : { id: list.id, name: list.name, currency: list.currency, from: list.from },
  atmost: sum?.amount ?? null,
  unpriced: sum?.unpriced ?? 0,
  free: isFree,
})

/** A review as the API returns it; without figures while it runs. */
export const shownReview = (
  { id, total, done, found }: ReviewJob,
  language: Language,
  /** Name of the file of an upload. */
  fileOf: (upload: string) => string | undefined,
): Review => {
  const text = (code: string) => sendReasonText(language, code)
  if (found === undefined)
    return {
      ...{
        job: id,
        progress: { done, total },
        total,
        ready: 0,
        later: [],
        notsent: [],
        limit: null,
        rate: 0,
        seconds: 0,
      },
      settles: true,
      cost: null,
      variants: null,
      media: null,
    }
  const placed = ({ upload, ...one }: ReviewedRecipient) => ({
    ...one,
    file: upload === null ? null : (fileOf(upload) ?? ''),
  })
  return {
    ...found,
    job: id,
    progress: null,
    cost: shownEstimate(found.cost),
    later: found.later.map(({ code, count, at }) => ({ code, count, at: new Date(at).toISOString() })),
    notsent: found.notsent.map(({ code, count, examples, variables }) => ({
      code,
      text: text(code),
      count,
      contacts: examples.map(({ contact }) => contact),
      examples: examples.map(placed),
      variables: [...variables].map(([variable, missing]) => ({ variable, count: missing })),
    })),
    media: found.media && {
      ...found.media,
      faults: found.media.faults.map(({ code, detail, count, url, isPasted, variables, example }) => ({
        ...{ code, detail, count, variables: [...variables] },
        // An address of a contact may say who they are.
        url: isPasted ? url : null,
        example: placed(example),
      })),
    },
  }
}
