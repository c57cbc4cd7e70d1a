import type { z } from 'zod'
import { classifyGraphError } from '#domain/campaign/delivery.ts'
import { amountOf, listOn, type PriceList, priceListOf, priceOf } from '#domain/campaign/price.ts'
import { type ErrorClass, isCapReason, reasonClass } from '#domain/campaign/provider-error.ts'
import type { ReadModels } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { sendReasonText } from '#runtime/localized-text.ts'
import {
  type campaignStatisticsSchema,
  DELIVERY_STATUSES,
  RECIPIENT_STATES,
  type RecipientState,
} from '#schemas/api/campaign.ts'
import type { Variant } from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import { levelChain } from '../../conversation/effect/turn-settings.ts'
import type { CostCount, RunQueries, RunRow, StatusCount } from './run-queries.ts'

type Statistics = z.output<typeof campaignStatisticsSchema>
type Act = Statistics['byreason'][number]['act']

/** Our reasons, by the action that a user can take. */
const ACTS: Readonly<Record<string, Act>> = {
  variable: 'contact',
  consent: 'contact',
  changed: 'retry',
  cancelled: 'retry',
  expired: 'retry',
  network: 'retry',
  '429': 'retry',
  // Meta holds marketing back from some people: their contact is right.
  '130472': 'none',
}
const CODE = /^\d{1,9}$/u
const TEMPLATE_CODE = /^132/u
const CLASS_ACTS: Readonly<Record<ErrorClass, Act>> = {
  throttle: 'retry',
  transient: 'retry',
  cap: 'tomorrow',
  recipient: 'contact',
  optedout: 'contact',
  template: 'template',
  account: 'account',
  window: 'none',
  defect: 'none',
}

const actOf = (status: ReasonedStatus, reason: string): Act => {
  // Unknown whether it was sent, for any reason: the contact is not at fault.
  if (status === 'unknown') return 'resend'
  if (isCapReason(reason)) return 'tomorrow'
  const known = ACTS[reason]
  if (known !== undefined) return known
  const found = reasonClass(reason)
  if (found !== undefined) return CLASS_ACTS[found]
  if (!CODE.test(reason)) return 'none'
  const outcome = classifyGraphError(Number(reason))
  const { kind } = outcome
  // The person wants no messages: their contact is right.
  if (outcome.kind === 'failed' && outcome.stopped) return 'none'
  if (kind === 'again') return 'retry'
  if (TEMPLATE_CODE.test(reason)) return 'template'
  return kind === 'pause' ? 'account' : kind === 'failed' ? 'contact' : 'none'
}

const REASONED = ['failed', 'unknown', 'skipped'] as const
type ReasonedStatus = (typeof REASONED)[number]
const HANDED_OVER: readonly RecipientState[] = ['accepted', 'sent', 'delivered', 'read', 'engaged']
const DELIVERED: readonly RecipientState[] = ['delivered', 'read', 'engaged']
const OPEN: readonly RecipientState[] = ['waiting', 'claimed']

/** Numbers of recipients by state (RECIPIENT_STATES), and what follows from them. */
export const sumsOf = (counts: readonly StatusCount[]) => {
  const among = (states: readonly RecipientState[]) =>
    counts.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0)
  const states = Object.fromEntries(RECIPIENT_STATES.map(state => [state, among([state])]))
  const total = among(RECIPIENT_STATES)
  const handedover = among(HANDED_OVER)
  return {
    ...(states as Record<RecipientState, number>),
    total,
    held: counts.reduce((sum, { held }) => sum + held, 0),
    handedover,
    progress: total === 0 ? 0 : (total - among(OPEN)) / total,
    deliveredrate: handedover === 0 ? null : among(DELIVERED) / handedover,
  }
}

const DAY_MS = 86_400_000

/** A key and its sums. */
const summed = <Key, Value>(sums: Map<Key, Value>, key: Key, initial: Value, add: (value: Value) => Value): void => {
  sums.set(key, add(sums.get(key) ?? initial))
}

/**
 * Cost of accepted messages: the prices in receipts, and separately the price lists' prices of billable messages without
 * a price in their receipt.
 */
export const costOf = (
  counts: readonly CostCount[],
  lists: readonly PriceList[],
  /** Messages of a simulated number cost nothing. */
  isSimulated = false,
): Statistics['cost'] => {
  const reported = new Map<string, { micros: bigint; count: number }>()
  const computed = new Map<PriceList, { micros: bigint; count: number }>()
  const shown = new Map<string, Statistics['cost']['counts'][number]>()
  let [unpriced, free, open] = [0, 0, 0]
  for (const { day, country, category, isBillable, currency, micros, count } of counts) {
    summed(shown, `${category} ${country}`, { category, country, count: 0 }, sum => ({
      ...sum,
      count: sum.count + count,
    }))
    if (currency !== '') {
      summed(reported, currency, { micros: 0n, count: 0 }, sum => ({
        micros: sum.micros + BigInt(micros),
        count: sum.count + count,
      }))
      continue
    }
    const isFree = isSimulated || isBillable === false
    if (isFree) free += count
    else if (isBillable === null) open += count
    if (isFree || isBillable === null) continue
    const list = listOn(lists, dayOf(day * DAY_MS))
    const price = list && priceOf(list, category, country)
    if (list === undefined || price === undefined) {
      unpriced += count
      continue
    }
    summed(computed, list, { micros: 0n, count: 0 }, sum => ({
      micros: sum.micros + price * BigInt(count),
      count: sum.count + count,
    }))
  }
  return {
    counts: [...shown.values()].toSorted((one, other) => other.count - one.count),
    reported: [...reported].map(([currency, { micros, count }]) => ({ currency, amount: amountOf(micros), count })),
    computed: [...computed].map(([{ id, name, currency, from }, { micros, count }]) => ({
      ...{ currency, amount: amountOf(micros), count },
      list: { id, name, currency, from },
    })),
    ...{ unpriced, free, open },
  }
}

const VARIANTS: readonly Variant[] = ['a', 'b', 'rest']

/** Figures of the parts of a comparison; null for runs without one. */
export const comparisonOf = (
  queries: Pick<RunQueries, 'counts'>,
  campaign: string,
  run: RunRow | undefined,
  isOneRun: boolean,
): Statistics['comparison'] => {
  const { plan, seq, winner = null } = run ?? {}
  const { comparison, template: a } = plan ?? {}
  if (comparison === undefined || a === undefined) return null
  const b = comparison.template
  const named = ({ id, fields }: typeof b) => ({ id, name: fieldText(fields, 'templateName') })
  const templates = { a: named(a), b: named(b), rest: winner === null ? null : named(winner === 'a' ? a : b) }
  return {
    winner,
    variants: VARIANTS.map(variant => {
      const counts = queries.counts({ campaign, ...(isOneRun ? { run: seq } : {}) }, variant)
      const { total, waiting, handedover, delivered, read, engaged, failed, unknown } = sumsOf(counts)
      return {
        ...{ variant, template: templates[variant] },
        ...{ total, waiting, handedover, delivered, read, engaged, failed, unknown },
      }
    }),
  }
}

/** Result of a campaign or a run, with its reasons as text. */
export const statisticsOf = (
  counts: readonly StatusCount[],
  rate: readonly { readonly at: number; readonly count: number }[],
  language: Language,
): Omit<Statistics, 'cost' | 'comparison'> => {
  const bystatus: Record<string, number> = Object.fromEntries(DELIVERY_STATUSES.map(status => [status, 0]))
  const reasons = new Map<string, { readonly status: ReasonedStatus; readonly code: string; count: number }>()
  for (const { status, reason, count } of counts) {
    bystatus[status] = (bystatus[status] ?? 0) + count
    const reasoned = REASONED.find(one => one === status)
    if (reason === null || reasoned === undefined) continue
    const key = `${reasoned} ${reason}`
    const known = reasons.get(key) ?? { status: reasoned, code: reason, count: 0 }
    known.count += count
    reasons.set(key, known)
  }
  return {
    ...sumsOf(counts),
    bystatus: bystatus as Statistics['bystatus'],
    byreason: [...reasons.values()]
      .toSorted((one, other) => other.count - one.count)
      .map(({ status, code, count }) => ({
        code,
        text: sendReasonText(language, code),
        status,
        count,
        act: actOf(status, code),
      })),
    rate: rate.map(({ at, count }) => ({ at: new Date(at).toISOString(), count })),
  }
}

/** Price lists that hold for a level: those of the nearest level, itself or above, that has one which has begun. */
export const priceListsOf = async (
  read: Pick<ReadModels, 'list' | 'levels'>,
  level: string | null,
  now: number,
): Promise<readonly PriceList[]> => {
  const rows = await allRows(read, SYSTEM_SCOPE, 'pricelist')
  if (rows.length === 0 || level === null) return []
  const chain = await levelChain(read as ReadModels, level)
  const today = dayOf(now)
  for (const id of chain.toReversed()) {
    const own = rows.filter(({ hierarchylevel }) => hierarchylevel === id)
    const lists = own
      .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
      .map(row => priceListOf(row.id, row))
    if (listOn(lists, today) !== undefined) return lists
  }
  return []
}

/** YYYY-MM-DD, UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
