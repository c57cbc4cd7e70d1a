import { z } from 'zod'
import { RUN_STATES } from '../entities/campaign.ts'
import { named } from './common.ts'
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

/** States of a recipient; each recipient has exactly one. */
export const RECIPIENT_STATES = [
  'skipped',
  'waiting',
  'claimed',
  'accepted',
  'sent',
  'delivered',
  'read',
  'engaged',
  'failed',
  'unknown',
] as const
export type RecipientState = (typeof RECIPIENT_STATES)[number]

const count = z.int().min(0)
/** Decimal text, never rounded: `2581.06`. */
const amount = z.string().regex(/^\d+\.\d{2,6}$/)
const priceListName = z.object({ id: z.string(), name: z.string(), currency: z.string(), from: z.string() })
/** Messages by category and country (ISO 3166; empty where it is not known). */
const pricedCount = z.object({ category: z.string(), country: z.string(), count })
const status = z.enum(DELIVERY_STATUSES)

/** `name`: the first free one by default. `contacts`: its contacts are copied too, which needs the rights to read and create them. */
export const campaignDuplicateBody = named(
  'CampaignDuplicate',
  z.strictObject({ name: z.string().max(200).optional(), contacts: z.boolean().default(false) }),
)
/** `contacts`: number of copied contacts. */
export const campaignDuplicatedSchema = z.object({ id: z.string(), contacts: count })

export const campaignRunQuery = z.strictObject({ campaign: z.string().max(100) })
/** Without a run the whole campaign: there each number counts once. */
export const campaignStatisticsQuery = z.strictObject({ run: z.string().max(64).optional() })

/**
 * Numbers of recipients. The states from `skipped` to `unknown` are disjoint: their sum is `total`. `waiting`: not sent yet;
 * `claimed`: being sent; `accepted`: the provider took it and sent no receipt yet (`held` of them it checks first).
 */
export const campaignStatisticsSchema = named(
  'CampaignStatistics',
  z.object({
    total: count,
    skipped: count,
    waiting: count,
    claimed: count,
    accepted: count,
    sent: count,
    delivered: count,
    read: count,
    engaged: count,
    failed: count,
    unknown: count,
    held: count,
    /** Messages that the provider took: accepted, sent, delivered, read and engaged. */
    handedover: count,
    /** From 0 to 1: the share that is neither waiting nor claimed. */
    progress: z.number(),
    /** From 0 to 1: delivered, read and engaged ones among those handed over; null without any. */
    deliveredrate: z.number().nullable(),
    bystatus: z.record(status, count),
    byreason: z.array(
      z.object({
        /** Code of Meta, or a word of ours. */
        code: z.string(),
        text: z.string(),
        /** Status of those recipients. */
        status: z.enum(['failed', 'unknown', 'skipped']),
        count,
        /**
         * Possible next step: resend, resend after 24 hours, resend although some may get it twice, correct the
         * contact, the template or the account, or nothing.
         */
        act: z.enum(['retry', 'tomorrow', 'resend', 'contact', 'template', 'account', 'none']),
      }),
    ),
    /** Messages a minute in the last hour; `at` UTC, ISO 8601. */
    rate: z.array(z.object({ at: z.string(), count })),
    /**
     * Cost of the messages handed over. `reported`: sums of the prices in receipts, by currency. `computed`: billable
     * messages without a price in their receipt, by the price list of their day; the list has no price for `unpriced`
     * ones. The two are never added. `free`: not billed. `open`: no receipt has said so far whether they are billed.
     */
    cost: z.object({
      counts: z.array(pricedCount),
      reported: z.array(z.object({ currency: z.string(), amount, count })),
      computed: z.array(z.object({ currency: z.string(), amount, count, list: priceListName })),
      unpriced: count,
      free: count,
      open: count,
    }),
    /** Two templates that are compared; null without. */
    comparison: z
      .object({
        winner: z.enum(['a', 'b']).nullable(),
        variants: z.array(
          z.object({
            variant: z.enum(['a', 'b', 'rest']),
            /** Null for the rest before a winner is chosen. */
            template: z.object({ id: z.string(), name: z.string() }).nullable(),
            total: count,
            waiting: count,
            handedover: count,
            delivered: count,
            read: count,
            engaged: count,
            failed: count,
            unknown: count,
          }),
        ),
      })
      .nullable(),
  }),
)

/** `job` of an answer that has `progress`: the answer is that of the same review. */
export const campaignReviewQuery = z.strictObject({ job: z.string().max(64).optional() })

/** A recipient that a review names. */
const reviewExample = z.object({
  contact: z.string(),
  /** In `file`; if `file` is null, the place in the list of contacts. From 1. */
  line: z.int(),
  /** Name of the file that the contact was imported from. */
  file: z.string().nullable(),
  variable: z.string().nullable(),
})

/**
 * Dry run over all recipients by the rules of sending. Above 2,000 recipients it runs in the background: `progress` is
 * null when it is finished, and the figures exist only then.
 */
export const campaignReviewSchema = named(
  'CampaignReview',
  z.object({
    job: z.string(),
    progress: z.object({ done: count, total: count }).nullable(),
    total: count,
    /** Recipients that a run started now would send to now. */
    ready: count,
    /**
     * Recipients that it would send to later: outside their window, too soon after another message, or beyond the
     * limit, or when the winner of a comparison is chosen (`at`: the end of the run without one).
     */
    later: z.array(z.object({ code: z.enum(['window', 'pair', 'limit', 'winner']), count, at: z.string() })),
    /** All others by reason, with up to five of each; `line` is the place in the list of contacts, from 1. */
    notsent: z.array(
      z.object({
        code: z.string(),
        text: z.string(),
        count,
        contacts: z.array(z.string()),
        examples: z.array(reviewExample),
        /** Variables without a value or a default, with the number of recipients of each. */
        variables: z.array(z.object({ variable: z.string(), count })),
      }),
    ),
    /** People the account may reach in 24 hours; null: not limited or not known. */
    limit: count.nullable(),
    /** Maximum messages per second: the setting of the campaign, at most 80 % of the throughput of its number. */
    rate: z.number(),
    /** Seconds until the last message of a run that starts now, with its rising rate, sending hours and limits. */
    seconds: count,
    /** False: a send whose answer is lost may stay unknown for ever, because receipts do not name it. */
    settles: z.boolean(),
    /** Null while it runs. `atmost` in the currency of `list`; null without a list. `unpriced` messages are not in it. */
    cost: z
      .object({
        counts: z.array(pricedCount),
        list: priceListName.nullable(),
        atmost: amount.nullable(),
        unpriced: count,
        /** A simulated number: nothing is billed. */
        free: z.boolean(),
      })
      .nullable(),
    /** Recipients of each part of a comparison of two templates; null without one. */
    variants: z.object({ a: count, b: count, rest: count }).nullable(),
    /**
     * Addresses of files in the messages, each asked for once; null without any, and for a simulated number. `unchecked`:
     * messages beyond the first 20 different addresses or after 15 s, and all that the caller may not ask for now.
     */
    media: z
      .object({
        checked: count,
        unchecked: count,
        faults: z.array(
          z.object({
            code: z.enum(['address', 'unreachable', 'status', 'type', 'size']),
            /** The status, the content type (empty without one) or the bytes. */
            detail: z.string(),
            /** Messages with this address. */
            count,
            variables: z.array(z.string()),
            /** Null: it is a value of contacts, of which `example` is the first. */
            url: z.string().nullable(),
            example: reviewExample,
          }),
        ),
      })
      .nullable(),
  }),
)

/** Telephones that belong to the own people. Without a contact, the values of the first one are sent. */
export const campaignTestBody = named(
  'CampaignTest',
  z.strictObject({
    phones: z.array(z.string().max(100)).min(1).max(5),
    contact: z.string().max(200).optional(),
    /** Of a comparison: `b` sends its second template. Default: a. */
    variant: z.enum(['a', 'b']).optional(),
  }),
)
export const campaignTestSchema = named(
  'CampaignTestResult',
  z.object({
    results: z.array(
      z.object({
        /** E.164 */
        phone: z.string(),
        sent: z.boolean(),
        /** Code of the provider, or a word of ours. */
        reason: z.string().nullable(),
        text: z.string().nullable(),
      }),
    ),
  }),
)

/** `simulated`: tests go to any persona, without test numbers. */
export const testNumberPage = named(
  'TestNumberPage',
  z.object({
    items: z.array(z.object({ id: z.string(), phone: z.string(), verified: z.boolean() })),
    simulated: z.boolean(),
  }),
)
export const testNumberBody = z.strictObject({ phone: z.string().max(100) })
/** The code was sent; it is valid for 10 minutes and five tries. */
export const testNumberBegunSchema = z.object({ id: z.string() })
export const testNumberCodeBody = z.strictObject({ number: z.string().max(200), code: z.string().regex(/^\d{6}$/) })
export const testNumberVerifiedSchema = z.object({ verified: z.literal(true) })
export const testNumberRemoveBody = z.strictObject({ number: z.string().max(200) })
export const testNumberRemovedSchema = z.object({ removed: z.literal(true) })

export const campaignRecipientQuery = z.strictObject({
  ...pageQuery,
  run: z.string().max(64).optional(),
  status: status.optional(),
  reason: z.string().max(64).optional(),
})
export const campaignRecipientExportQuery = campaignRecipientQuery.omit({ page: true, size: true })

const moment = z.string().nullable()

/** `phone`, `nome` and `values` are empty for those who were forgotten, and for who may not read contacts. */
const campaignRecipient = z.object({
  contact: z.string(),
  phone: z.string().nullable(),
  nome: z.string().nullable(),
  run: z.string(),
  status,
  reason: z.string().nullable(),
  text: z.string().nullable(),
  /** Attempts to send the message. */
  tries: count,
  /** Present values of the contact in the fields that fill the variables of the template, without the name. */
  values: z.array(z.string()),
  claimed: moment,
  sent: moment,
  delivered: moment,
  read: moment,
  engaged: moment,
})
export const campaignRecipientPage = named(
  'CampaignRecipientPage',
  z.object({ items: z.array(campaignRecipient), total: count, page: z.int(), size: z.int() }),
)

/** A whole number, or a part of a name or number, which must not be in a URL. `after`: the `next` of the answer before. */
export const campaignRecipientSearchBody = named(
  'CampaignRecipientSearch',
  z.strictObject({
    search: z.string().min(1).max(200),
    after: z
      .string()
      .regex(/^[01]\.\d{1,15}$/)
      .optional(),
    size: z.int().min(1).max(100).default(25),
  }),
)
/** Each number once, in no order. `next` is null after the last contact. */
export const campaignRecipientsFound = named(
  'CampaignRecipientsFound',
  z.object({ items: z.array(campaignRecipient), next: z.string().nullable() }),
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
        handedover: count,
        failed: count,
        /** Lists and segments of its plan; null: it had none. */
        audience: z
          .object({
            own: count,
            lists: z.array(z.object({ id: z.string(), name: z.string(), count })),
            segments: z.array(z.object({ id: z.string(), name: z.string(), count, rule: z.unknown() })),
            minus: z.array(z.object({ id: z.string(), name: z.string() })),
            /** People that minus lists left out. */
            omitted: count,
          })
          .nullable(),
      }),
    ),
  }),
)
