import { z } from 'zod'
import { json, named } from './common.ts'

/** The level of a thing: absent where it has none or may not be seen. */
export const levelOfQuery = z.object({ id: z.string().max(200) })
export const levelOfSchema = z.object({ hierarchylevel: z.string().optional() })

/** 204: nothing is answered. */
export const nothingSchema = z.null()

/** `cleared`: references whose target was removed while they were written. */
export const createdSchema = named(
  'Created',
  z.object({
    id: z.string(),
    revision: z.int(),
    /** Of a webhook, shown once. */
    secret: z.string().optional(),
    cleared: z.array(z.object({ path: z.string(), id: z.string() })).optional(),
    /** Of an API token: the token itself, in this answer alone. */
    token: z.string().optional(),
  }),
)
export const revisionSchema = named('Revision', z.object({ revision: z.int() }))
/** A named command may answer more than its revision, e.g. a new password. */
export const actionResultSchema = z.looseObject({ revision: z.int() })

export const removeBody = named('Removal', z.strictObject({ confirm: z.literal('CONFIRM').optional() }))
export const restoreBody = named(
  'Restoration',
  z.strictObject({
    revision: z.int().min(0),
    fields: z.array(z.string().max(200)).max(200).optional(),
    /** Why a dialog or handler comes back although tests fail; needs the permission to publish untested. */
    reason: z.string().max(2000).optional(),
  }),
)

export const personSchema = named(
  'Person',
  z.object({
    id: z.string(),
    username: z.string().nullable(),
    firstname: z.string().optional(),
    lastname: z.string().optional(),
    forgotten: z.literal(true).optional(),
    /** A service account; `username` is its name. */
    kind: z.literal('service').optional(),
  }),
)

/** Things assignable below their level, but not opened there. */
export const assignableSchema = named(
  'Assignable',
  z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
)

const changeLineSchema = named(
  'Change',
  z.object({
    path: z.string(),
    before: json,
    after: json,
    secret: z.literal(true).optional(),
    words: z.literal(true).optional(),
  }),
)

/** The API token that a request was made with. */
const tokenNameSchema = z.object({ id: z.string(), name: z.string().nullable() })

export const historySchema = named(
  'History',
  z.object({
    items: z.array(
      z.object({
        revision: z.int(),
        type: z.string(),
        time: z.iso.datetime(),
        actor: personSchema.nullable(),
        token: tokenNameSchema.optional(),
        action: z.string(),
        changes: z.array(changeLineSchema),
      }),
    ),
    total: z.int(),
  }),
)

/**
 * References to a thing or its contents. `total` and `kinds` count those the caller may see, `hidden` the rest; `field`
 * is a property of the block if `flow` names one.
 */
export const usedBySchema = named(
  'UsedBy',
  z.object({
    items: z.array(
      z.object({
        entity: z.string(),
        id: z.string(),
        title: z.string(),
        field: z.string(),
        flow: z.object({ dialog: z.string(), block: z.string() }).optional(),
      }),
    ),
    total: z.int(),
    hidden: z.int(),
    kinds: z.array(z.object({ entity: z.string(), total: z.int() })),
  }),
)

/** One line of the audit. */
export const auditLineSchema = z.object({
  entity: z.string(),
  entityid: z.string(),
  name: z.string().nullable(),
  action: z.string(),
  service: z.string(),
  user: personSchema.nullable(),
  groups: z.array(z.string()),
  roles: z.array(z.string()),
  hierarchy: z.string().nullable(),
  time: z.iso.datetime(),
  revision: z.int(),
  /** Of edits of a flow: the revision before the first of them. */
  since: z.int().optional(),
  changes: z.array(changeLineSchema),
  /** Address and browser of the request; null where none is known, or after 90 days. `name`: tried at sign-in. */
  origin: z.object({ address: z.string(), agent: z.string().nullable(), name: z.string().optional() }).nullable(),
  token: tokenNameSchema.optional(),
  /** Of a flow that a command changed: as in the flow's history. */
  source: z.looseObject({ kind: z.string() }).optional(),
})

export const auditPageSchema = named(
  'AuditPage',
  z.object({ items: z.array(auditLineSchema), total: z.int(), page: z.int(), size: z.int() }),
)

/** Events per time span, oldest first. */
export const auditActivitySchema = named(
  'AuditActivity',
  z.object({ items: z.array(z.object({ from: z.string(), count: z.int() })) }),
)

export const notificationPageSchema = named(
  'NotificationPage',
  z.object({
    items: z.array(
      z.object({
        id: z.string(),
        /** Code of the sentence: `bot.started`. */
        message: z.string(),
        /** The sentence in the language of the caller. */
        text: z.string(),
        params: z.record(z.string(), json),
        time: z.iso.datetime(),
        /** Number of events: edits of a flow by the same people on one day are grouped. */
        counter: z.int(),
        notificationType: z.enum(['alert', 'warn', 'info']),
        scope: z.string(),
        hierarchy: z.string().nullable(),
        entity: z.string().optional(),
        entityid: z.string().optional(),
        actor: personSchema.optional(),
        read: z.boolean(),
      }),
    ),
    /** Scopes with notifications, independent of the filter. */
    scopes: z.array(z.string()),
    total: z.int(),
    unread: z.int(),
    page: z.int(),
    size: z.int(),
  }),
)
