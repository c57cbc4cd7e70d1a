import { z } from 'zod'
import { RUN_STATES } from '../entities/campaign.ts'
import { named } from './name.ts'
import { pageQuery } from './query.ts'

/** Statuses of messages by the names of the specification, and those that nothing was sent to. */
export const DELIVERY_STATUSES = [
  'queuedAtPlatform',
  'queuedAtGupshup',
  'queuedAtWhatsapp',
  'sent_successfully',
  'read_by_user',
  'engaged',
  'failed',
  'unknown',
  'skipped',
] as const

const count = z.int().min(0)
const status = z.enum(DELIVERY_STATUSES)

export const campaignRunQuery = z.strictObject({ campaign: z.string().max(100) })
/** Without a run the whole campaign: there each number counts once. */
export const campaignStatisticsQuery = z.strictObject({ run: z.string().max(64).optional() })

/** What became of the recipients; `sent` holds those that read, `read` those that engaged. */
export const campaignStatisticsSchema = named(
  'CampaignStatistics',
  z.object({
    total: count,
    waiting: count,
    sent: count,
    failed: count,
    unknown: count,
    skipped: count,
    read: count,
    engaged: count,
    bystatus: z.record(status, count),
    byreason: z.array(
      z.object({
        /** Code of Meta, or a word of ours. */
        code: z.string(),
        text: z.string(),
        count,
        /** What can be done: send again, correct the contact, the template, the account, or nothing. */
        act: z.enum(['retry', 'contact', 'template', 'account', 'none']),
      }),
    ),
    /** Messages a minute in the last hour; `at` UTC, ISO 8601. */
    rate: z.array(z.object({ at: z.string(), count })),
  }),
)

/** A dry run over all recipients: who would get it, who would not and why, with up to five of each. */
export const campaignReviewSchema = named(
  'CampaignReview',
  z.object({
    total: count,
    ready: count,
    notsent: z.array(z.object({ code: z.string(), text: z.string(), count, contacts: z.array(z.string()) })),
    /** People whom the account may reach in 24 hours; null where that is not limited or not known. */
    limit: count.nullable(),
    /** Seconds that it takes at the pace of the campaign, windows and Meta's limits aside. */
    seconds: count,
  }),
)

export const campaignRecipientQuery = z.strictObject({
  ...pageQuery,
  run: z.string().max(64).optional(),
  status: status.optional(),
  reason: z.string().max(64).optional(),
})
export const campaignRecipientExportQuery = campaignRecipientQuery.omit({ page: true, size: true })

const moment = z.string().nullable()

/** `phone` and `nome` are null for those who were forgotten, and for who may not read contacts. */
export const campaignRecipientPage = named(
  'CampaignRecipientPage',
  z.object({
    items: z.array(
      z.object({
        contact: z.string(),
        phone: z.string().nullable(),
        nome: z.string().nullable(),
        run: z.string(),
        status,
        reason: z.string().nullable(),
        text: z.string().nullable(),
        claimed: moment,
        sent: moment,
        delivered: moment,
        read: moment,
        engaged: moment,
      }),
    ),
    total: count,
    page: z.int(),
    size: z.int(),
  }),
)

/** Newest first. */
export const campaignRunPage = named(
  'CampaignRunPage',
  z.object({
    items: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['all', 'failed', 'unknown']),
        status: z.enum(RUN_STATES),
        started: z.string(),
        ended: moment,
        expires: z.string(),
        total: count,
        sent: count,
        failed: count,
      }),
    ),
  }),
)
