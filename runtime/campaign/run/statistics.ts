import type { z } from 'zod'
import { classifyGraphError } from '#domain/campaign/delivery.ts'
import { type ErrorClass, isCapReason, reasonClass } from '#domain/campaign/provider-error.ts'
import {
  type campaignStatisticsSchema,
  DELIVERY_STATUSES,
  RECIPIENT_STATES,
  type RecipientState,
} from '#schemas/api/campaign.ts'
import type { Language } from '#schemas/language.ts'
import { sendReasonText } from '../../refusal-text.ts'
import type { StatusCount } from './run-queries.ts'

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

/** Result of a campaign or a run, with its reasons as text. */
export const statisticsOf = (
  counts: readonly StatusCount[],
  rate: readonly { readonly at: number; readonly count: number }[],
  language: Language,
): Statistics => {
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
