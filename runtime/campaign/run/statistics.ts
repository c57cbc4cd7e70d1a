import type { z } from 'zod'
import { judgeCode } from '#domain/campaign/send-error.ts'
import { type campaignStatisticsSchema, DELIVERY_STATUSES } from '#schemas/api/campaign.ts'
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
  '131049': 'retry',
}
const CODE = /^\d{1,9}$/u
const TEMPLATE_CODE = /^132/u

const actOf = (reason: string): Act => {
  const known = ACTS[reason]
  if (known !== undefined) return known
  if (!CODE.test(reason)) return 'none'
  const { kind } = judgeCode(Number(reason))
  if (kind === 'again') return 'retry'
  if (TEMPLATE_CODE.test(reason)) return 'template'
  return kind === 'pause' ? 'account' : kind === 'failed' ? 'contact' : 'none'
}

const SENT = new Set(['sent_successfully', 'read_by_user', 'engaged'])
const REASONED = new Set(['failed', 'unknown', 'skipped'])
const WAITING = new Set(['queuedAtPlatform', 'queuedAtGupshup', 'queuedAtWhatsapp'])

/** Numbers of recipients by status. */
export const sumsOf = (counts: readonly StatusCount[]) => {
  const among = (statuses: ReadonlySet<string>) =>
    counts.reduce((sum, { status, count }) => sum + (statuses.has(status) ? count : 0), 0)
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    waiting: among(WAITING),
    sent: among(SENT),
    failed: among(new Set(['failed'])),
    unknown: among(new Set(['unknown'])),
    skipped: among(new Set(['skipped'])),
    read: among(new Set(['read_by_user', 'engaged'])),
    engaged: among(new Set(['engaged'])),
  }
}

/** Result of a campaign or a run, with its reasons as text. */
export const statisticsOf = (
  counts: readonly StatusCount[],
  rate: readonly { readonly at: number; readonly count: number }[],
  language: Language,
): Statistics => {
  const bystatus: Record<string, number> = Object.fromEntries(DELIVERY_STATUSES.map(status => [status, 0]))
  const reasons = new Map<string, number>()
  for (const { status, reason, count } of counts) {
    bystatus[status] = (bystatus[status] ?? 0) + count
    if (reason !== null && REASONED.has(status)) reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  }
  return {
    ...sumsOf(counts),
    bystatus: bystatus as Statistics['bystatus'],
    byreason: [...reasons]
      .toSorted(([, one], [, other]) => other - one)
      .map(([code, count]) => ({ code, text: sendReasonText(language, code), count, act: actOf(code) })),
    rate: rate.map(({ at, count }) => ({ at: new Date(at).toISOString(), count })),
  }
}
