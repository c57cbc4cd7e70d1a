import { z } from 'zod'
import { UPLOAD_STATUSES } from '../entities/campaignupload.ts'
import { FAILURE_CLASSES } from '../segment-rule.ts'
import { named } from './common.ts'
import { flag, pageQuery } from './query.ts'

const FIELDS = Array.from({ length: 16 }, (_, at) => `field${String(at + 1).padStart(2, '0')}`)
/** Targets of file columns. */
const CONTACT_TARGETS = ['phone', 'nome', ...FIELDS] as const

const id = z.string().max(200)
const text = z.string().max(1100)

/** nome, field01 … field16 (D-9.24). */
const contactTexts = {
  nome: text.optional(),
  ...(Object.fromEntries(FIELDS.map(name => [name, text.optional()])) as Readonly<
    Record<`field${string}`, z.ZodOptional<z.ZodString>>
  >),
}

/** When and where a person agreed to be written to. */
const consent = z.strictObject({ source: z.string().max(200), time: z.iso.datetime({ offset: true }) })

/** A number as people write it; one without a country code is Brazilian. */
const phone = z.string().max(100)

/** Campaign or list of a contact; exactly one of both. */
const holder = { campaign: id.optional(), list: id.optional() }

export const contactBody = named(
  'ContactCreate',
  z.strictObject({ ...holder, phone, ...contactTexts, consent: consent.optional() }),
)
export const contactChangeBody = named(
  'ContactChange',
  z.strictObject({ ...holder, phone: phone.optional(), ...contactTexts, consent: consent.nullable().optional() }),
)
/** `hints`: corrections of the number, or warnings about it. */
export const contactMadeSchema = named(
  'ContactMade',
  z.object({ id: z.string(), hints: z.array(z.enum(['ninthdigit', 'landline'])) }),
)

/** Rows of a bulk call. */
export const MAX_BULK_ROWS = 5000

/** A contact of a bulk call. */
export const contactBulkRow = z.strictObject({ phone, ...contactTexts, consent: consent.optional() })

/** `partial`: valid rows are added although others are not valid. */
export const contactBulkQuery = z.strictObject({ ...holder, partial: flag.default(false) })
/**
 * Rows {phone, nome, field01 … field16, consent}, each checked separately: a JSON array, or one object a line as
 * `application/x-ndjson`. At most 1 MB.
 */
export const contactBulkBody = named('ContactBulk', z.array(z.unknown()).min(1).max(MAX_BULK_ROWS))
export const contactBulkSchema = named(
  'ContactBulkResult',
  z.object({
    added: z.int(),
    /** Contacts of the campaign or list that the row gave other texts or a consent; needs the right to change contacts. */
    changed: z.int(),
    /** Contacts of the campaign or list that stay as they are, and numbers of an earlier row. */
    duplicates: z.int(),
    /** Of the valid rows, numbers that get no marketing. */
    suppressed: z.int(),
    /** `row` from 0; `field` is empty for a row that cannot be read. */
    rejected: z.array(z.object({ row: z.int(), field: z.string(), code: z.string(), message: z.string() })),
  }),
)
export const contactExportQuery = z.strictObject({ ...holder, segment: id.optional() })

export const contactSchema = named(
  'Contact',
  z.object({
    id: z.string(),
    /** The campaign or the list that it is in. */
    campaign: z.string().nullable(),
    list: z.string().nullable(),
    /** E.164; null where it cannot be read. */
    phone: z.string().nullable(),
    /** ISO 3166 of the number. */
    country: z.string(),
    nome: z.string(),
    fields: z.record(z.string(), z.string()),
    consent: consent.nullable(),
    added: z.iso.datetime(),
    /** The upload that it came with. */
    upload: z.string().nullable(),
    /** The number gets no campaigns, of no account. */
    suppressed: z.boolean(),
  }),
)

/** Newest first. Typed text must not be in a URL: see `POST /contact/search`. */
export const contactQuery = z.strictObject({ ...holder, ...pageQuery })
export const contactOneQuery = z.strictObject(holder)
export const contactPageSchema = named(
  'ContactPage',
  z.object({
    items: z.array(contactSchema),
    total: z.int(),
    /** Names of the columns that fields were imported from, by field. */
    names: z.record(z.string(), z.string()),
    /** Columns of the uploaded files, from 0, by the part of a contact; without those in which files differ. */
    columns: z.record(z.string(), z.int()),
    /** When contacts were added, changed or removed last. */
    changed: z.iso.datetime().nullable(),
  }),
)

/** A number finds its contact at once; a part of a name or number is looked for row by row, from `after` on. */
export const contactSearchBody = named(
  'ContactSearch',
  z.strictObject({
    ...holder,
    search: z.string().min(1).max(200),
    after: z.int().min(0).default(0),
    size: z.int().min(1).max(100).default(25),
  }),
)
/** `next`: `after` for the next search; null after the last row. */
export const contactFoundSchema = named(
  'ContactsFound',
  z.object({ items: z.array(contactSchema), next: z.int().nullable() }),
)

/** Without `suppress` the number gets nothing more. */
export const contactForgetBody = named(
  'ContactForget',
  z.strictObject({ confirm: z.literal('CONFIRM'), suppress: z.boolean().default(true) }),
)
export const contactForgottenSchema = z.object({ forgotten: z.literal(true) })

/** Column number of each part of a contact in a file, from 0. */
export const contactMappingSchema = z.strictObject({
  columns: z.partialRecord(z.enum(CONTACT_TARGETS), z.int().min(0).max(99)),
  /** False: the first line is a contact already. */
  header: z.boolean().default(true),
  /** ISO 3166; of numbers without a country code. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .default('BR'),
  /** Names that the columns have in the file, which the fields are shown with. */
  names: z.partialRecord(z.enum(CONTACT_TARGETS), z.string().max(100)).optional(),
})
/** JSON of a mapping. */
const mapping = z.string().max(5000)

/** `dryrun`: only reports the expected result. Without a mapping, columns match by name. */
export const uploadQuery = z.strictObject({ dryrun: flag.default(false), mapping: mapping.optional() })
/** `partial`: valid rows are added although others are not valid. */
export const contactImportQuery = z.strictObject({
  dryrun: flag.default(false),
  mapping,
  partial: flag.default(false),
})
/** Without it, the first line's content decides. */
export const contactPreviewQuery = z.strictObject({ header: flag.optional() })

/** Fault in a line of a file; `column`: its number from 0, or its target. */
const uploadFault = named(
  'UploadFault',
  z.object({
    line: z.int(),
    column: z.union([z.int(), z.string()]).nullable(),
    code: z.string(),
    /** In the language of who asked. */
    message: z.string(),
  }),
)

/** The same bytes were brought to the campaign before. */
const earlierUpload = z.object({ id: z.string(), time: z.iso.datetime() }).nullable()

/** A started upload, which runs in the background, or the result of a dry run. */
export const uploadAnswer = named(
  'UploadAnswer',
  z.object({
    /** Of the campaignupload; null of a dry run. */
    id: z.string().nullable(),
    status: z.enum(UPLOAD_STATUSES),
    read: z.int(),
    valid: z.int(),
    invalid: z.int(),
    /** Left out by a rule. */
    dropped: z.int(),
    /** In the campaign already, or repeated in the file. */
    duplicate: z.int(),
    /** Of the duplicates, lines whose number is in an earlier line of the file; their faults have the code `uploadline`. */
    repeated: z.int(),
    suppressed: z.int(),
    added: z.int(),
    error: z.string().nullable(),
    /** The first of them. */
    faults: z.array(uploadFault),
    again: earlierUpload,
  }),
)

export const contactPreviewSchema = named(
  'ContactPreview',
  z.object({
    encoding: z.string(),
    /** Empty: it is a workbook. */
    delimiter: z.string(),
    notes: z.array(z.enum(['hiddenrows', 'formulas', 'othersheets'])),
    header: z.boolean(),
    columns: z.array(z.object({ name: z.string(), filled: z.int() })),
    /** Without the header. */
    count: z.int(),
    /** The first 50. */
    rows: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })),
    /** As far as the columns' names tell. */
    mapping: contactMappingSchema,
    /** Of the rows shown, under that mapping. */
    faults: z.array(uploadFault),
    again: earlierUpload,
  }),
)

const level = z.string().max(200).optional()
const reason = z
  .string()
  .max(500)
  .refine(value => value.trim() !== '', { params: { code: 'required' } })

/** Without a level, the one of the session. */
export const suppressionExportQuery = z.strictObject({ hierarchylevel: level })
/** Without a level, the one of the session. */
export const suppressionQuery = z.strictObject({ hierarchylevel: level, ...pageQuery })

const placeName = z.object({
  /** Type of the channel, `metaaccount` of an account without a channel, or empty. */
  type: z.string(),
  name: z.string(),
  bot: z.string(),
})

export const suppressionEntrySchema = z.object({
  /** `stop`: no messages; `start`: messages again; `pass`: a word that was no opt-out. */
  kind: z.enum(['stop', 'start', 'pass']),
  /** Level of the list; null: the whole installation, or an account from before lists belonged to levels. */
  hierarchylevel: z.string().nullable(),
  /** `*`: all messages. */
  category: z.string(),
  source: z.string(),
  /** Code of the rule that decided; empty: none. */
  rule: z.string(),
  reason: z.string(),
  user: z.string().nullable(),
  time: z.iso.datetime(),
  /** A suppression that nothing has lifted. */
  active: z.boolean(),
  /** Name of the contact with the number; empty: none that the caller may read. */
  name: z.string(),
  /** The last digits of the contact's number. */
  ends: z.string(),
  /** As the person wrote it, or the label of the button. */
  word: z.string(),
  /** The campaign that the person answered, else the last one within 7 days. */
  campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
  channel: placeName.nullable(),
})

/** Entries that hold for a level, newest first, without whole numbers. */
export const suppressionPageSchema = named(
  'SuppressionPage',
  z.object({
    items: z.array(suppressionEntrySchema),
    total: z.int(),
    bysource: z.array(z.object({ source: z.string(), count: z.int() })),
  }),
)

export const suppressionSearchBody = named('SuppressionSearch', z.strictObject({ phone, hierarchylevel: level }))
/** State and history of one number. */
export const suppressionFoundSchema = named(
  'SuppressionFound',
  z.object({
    /** E.164 */
    phone: z.string(),
    marketing: z.boolean(),
    utility: z.boolean(),
    history: z.array(suppressionEntrySchema),
  }),
)

export const suppressionBody = named(
  'SuppressionCreate',
  z.strictObject({
    phone,
    reason,
    scope: z.enum(['marketing', 'all']).default('marketing'),
    hierarchylevel: level,
  }),
)
/** `added` false: the list had the number already. */
export const suppressionMadeSchema = z.object({ added: z.boolean() })

export const suppressionLiftBody = named('SuppressionLift', z.strictObject({ phone, reason, hierarchylevel: level }))
/** `active`: the number still gets no marketing, by a list of a level above. */
export const suppressionLiftedSchema = z.object({ lifted: z.boolean(), active: z.boolean() })

const MAX_NUMBERS = 5000
export const suppressionImportBody = named(
  'SuppressionImport',
  z.strictObject({
    phones: z.array(phone).min(1).max(MAX_NUMBERS),
    reason,
    scope: z.enum(['marketing', 'all']).default('marketing'),
    hierarchylevel: level,
  }),
)
export const suppressionImportedSchema = named(
  'SuppressionImported',
  z.object({
    added: z.int(),
    /** Numbers that the list had already. */
    known: z.int(),
    /** Places in `phones`, from 0, that are no number. */
    invalid: z.array(z.int()),
  }),
)

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
