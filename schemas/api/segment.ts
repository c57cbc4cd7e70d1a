import { z } from 'zod'
import { FAILURE_CLASSES } from '../segment-rule.ts'
import { named } from './common.ts'

const id = z.string().max(200)
const count = z.int().min(0)

/** {all|any: [{field, op, value} | {all|any: …}]}: depth 3, 20 conditions (schemas/segment-rule.ts). */
const rule = z.unknown()

/** Without a level, the one of the session. `campaign` or `list`: among its contacts alone. */
export const segmentSampleBody = named(
  'SegmentSample',
  z.strictObject({
    rule,
    hierarchylevel: id.optional(),
    campaign: id.optional(),
    list: id.optional(),
  }),
)
/** `error`: the count lies within `count` ± `error` with 95 % certainty; 0 where all contacts were looked at. */
export const segmentSampledSchema = named(
  'SegmentSampled',
  z.object({ count, error: count, looked: count, total: count }),
)

export const segmentColumnsQuery = z.strictObject({ hierarchylevel: id.optional() })
/** Names of the columns that contacts of a level and below were imported from, without repetition. */
export const segmentColumnsSchema = named('SegmentColumns', z.object({ names: z.array(z.string()) }))

/** People with this outcome of a campaign (`notread`: it reached them unread), or those of a segment. */
export const contactCopyBody = named(
  'ContactCopy',
  z.strictObject({
    campaign: id.optional(),
    outcome: z.enum(['sent', 'notread', 'read', 'engaged', 'failed']).optional(),
    class: z.enum(FAILURE_CLASSES).optional(),
    segment: id.optional(),
  }),
)

/** Contacts by their ids, by a rule, or all of a campaign or a list. */
export const contactRemovalBody = named(
  'ContactRemoval',
  z.strictObject({
    campaign: id.optional(),
    list: id.optional(),
    contacts: z.array(id).min(1).max(1000).optional(),
    rule: rule.optional(),
    all: z.literal(true).optional(),
    confirm: z.literal('CONFIRM'),
  }),
)

/** Work over many contacts on this node: read it again with its id for five minutes after its end. */
export const contactJobSchema = named(
  'ContactJob',
  z.object({
    id: z.string(),
    state: z.enum(['running', 'finished', 'failed']),
    done: count,
    total: count,
    /** People counted, removed or added; null until the end. */
    count: count.nullable(),
  }),
)
