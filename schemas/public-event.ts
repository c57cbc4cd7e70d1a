import { z } from 'zod'
import { json, named } from './api/common.ts'

/** Largest event that is sent, bytes of JSON: values above it are left out. */
export const MAX_EVENT_BYTES = 20_000

const ACTOR_KINDS = ['person', 'service', 'system'] as const

/** Members of `data` of every kind. A forgotten person's event has `entity` and `id` alone. */
const COMMON = {
  entity: z.string(),
  id: z.string(),
  hierarchylevel: z.string().nullable().optional(),
  /** Of the thing, from 1; null for events outside the history of a thing. */
  revision: z.int().nullable().optional(),
  actor: z.object({ id: z.string().nullable(), kind: z.enum(ACTOR_KINDS) }).optional(),
  /** Names of the fields that have a new value. */
  changed: z.array(z.string()).optional(),
  /** Id of the bot that the thing belongs to. */
  bot: z.string().optional(),
  /** New values by field, on request. Neither secrets nor words of people. */
  values: z.record(z.string(), json).optional(),
  /** Names of the fields in `values` that are personal values of a user; absent without any. */
  personal: z.array(z.string()).optional(),
  /** The values were above 20 kB: read the thing instead. */
  valuesomitted: z.literal(true).optional(),
}

interface PublicKind {
  /** Members of `data` beside those of every kind. */
  readonly data?: Readonly<Record<string, z.ZodType>>
  /** Of the example. */
  readonly entity: string
  readonly changed?: readonly string[]
  readonly example?: Readonly<Record<string, string | number>>
}

const code = z.string()

/** All kinds of public events. Names of stored events are private and may change; these do not. */
export const PUBLIC_KINDS = {
  'bot.started': { entity: 'bot', changed: ['runningstatus'] },
  'bot.stopped': { entity: 'bot', changed: ['runningstatus'] },
  /** A figure of the bot crossed a limit. */
  'bot.failing': { entity: 'metricalert', data: { metric: code }, example: { metric: 'failed' } },
  'dialog.published': { entity: 'dialog', changed: ['published', 'publishedrevision', 'published_at'] },
  'dialog.unpublished': { entity: 'dialog', changed: ['published'] },
  'handler.published': { entity: 'handler', changed: ['published', 'publishedrevision', 'published_at'] },
  'version.created': { entity: 'version', changed: ['bot', 'name'] },
  'version.applied': { entity: 'version' },
  /** A kept test ran and failed. */
  'test.failed': { entity: 'conversationtest', changed: ['last'] },
  'nlu.trained': { entity: 'nluproject', changed: ['training_status', 'models'] },
  'nlu.failed': {
    entity: 'nluproject',
    changed: ['training_status', 'training_error'],
    data: { code },
    example: { code: 'work.time' },
  },
  'conversation.started': {
    entity: 'conversation',
    data: { channel: z.string() },
    example: { channel: 'f1b0d0f5-4f6d-4b7e-8a43-0f3a4d7c9a11' },
  },
  'conversation.ended': { entity: 'conversation', data: { reason: code }, example: { reason: 'person' } },
  'conversation.handedoff': {
    entity: 'conversation',
    data: { channel: z.string() },
    example: { channel: '2e07c8a1-9a5b-4a53-8a3c-6e7d0b0a5f20' },
  },
  'campaign.begun': { entity: 'campaign', changed: ['run', 'run_status'] },
  'campaign.finished': {
    entity: 'campaign',
    changed: ['run_status'],
    data: { status: z.enum(['completed', 'cancelled', 'expired']) },
    example: { status: 'completed' },
  },
  'template.approved': { entity: 'template', changed: ['status'] },
  'template.rejected': { entity: 'template', changed: ['status', 'rejected_reason'] },
  /** A message of a conversation did not arrive. */
  'delivery.failed': {
    entity: 'conversation',
    data: { channel: z.string().optional(), code },
    example: { code: 'window' },
  },
  /** A part of a bot, or a channel. */
  'service.down': { entity: 'botservice', changed: ['state', 'status'], data: { code }, example: { code: 'nlu' } },
  'service.up': { entity: 'botservice', changed: ['state', 'status'], data: { code }, example: { code: 'ready' } },
  'comment.added': { entity: 'dialogcomment', changed: ['dialog', 'block', 'text'] },
  'user.created': { entity: 'user', changed: ['username', 'usergroup'] },
  'user.locked': { entity: 'user', changed: ['locked'] },
  /** A token of the API, or of a channel, ends soon; at 0 days that of the API has ended. */
  'token.expiring': { entity: 'apitoken', data: { days: z.int() }, example: { days: 14 } },
  'entity.created': { entity: 'globalvariable', changed: ['name', 'value'] },
  'entity.changed': { entity: 'globalvariable', changed: ['value'] },
  'entity.removed': { entity: 'globalvariable' },
  'entity.restored': { entity: 'globalvariable', changed: ['name', 'value'] },
} as const satisfies Readonly<Record<string, PublicKind>>

export type PublicType = keyof typeof PUBLIC_KINDS
export const PUBLIC_TYPES = Object.keys(PUBLIC_KINDS) as readonly PublicType[]

export const isPublicType = (name: string): name is PublicType => Object.hasOwn(PUBLIC_KINDS, name)

/** `BotStartedEvent` of `bot.started`. */
const schemaName = (type: PublicType): string =>
  `${type.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

const WITH_REVISION = new Set<PublicType>(
  PUBLIC_TYPES.filter(type => !['bot.failing', 'token.expiring', 'delivery.failed'].includes(type)),
)

/** An event of a kind as it is sent. */
const publicExample = (type: PublicType) => {
  const { entity, changed, example }: PublicKind = PUBLIC_KINDS[type]
  const isOfConversation = entity === 'conversation'
  return {
    id: '8d0a4c7e-1f5b-4a0c-9d6e-3b2f7a5c1e90',
    type,
    timestamp: '2026-11-29T12:00:00.000Z',
    position: 'MDAwMDAwMDAwMDAwMDA0MiA.5f2c1a9b8e7d6c5f',
    data: {
      entity,
      id: '0f4d2b1c-6a7e-4c3d-8b5a-9e1f0c2d3b4a',
      hierarchylevel: '84cd1f0e-2b3a-4d5c-9e8f-7a6b5c4d3e2f',
      revision: WITH_REVISION.has(type) && !isOfConversation ? 3 : null,
      actor: isOfConversation
        ? { id: null, kind: 'system' as const }
        : { id: '6b1e7d2a-5c4f-4e3b-a2d1-0f9e8d7c6b5a', kind: 'person' as const },
      changed: [...(changed ?? [])],
      ...example,
    },
  }
}

const kindSchema = <T extends PublicType>(type: T) => {
  const { data = {} }: PublicKind = PUBLIC_KINDS[type]
  // Optional: the event of a forgotten person has none of them.
  const own = Object.fromEntries(Object.entries(data).map(([name, schema]) => [name, schema.optional()]))
  return named(
    schemaName(type),
    z
      .object({
        /** The same whenever the event is sent. */
        id: z.string(),
        type: z.literal(type),
        timestamp: z.iso.datetime(),
        /** Cursor behind this event, for `after`. */
        position: z.string(),
        data: z.object({ ...COMMON, ...own }),
      })
      .meta({ examples: [publicExample(type)] }),
  )
}

const [firstType = 'bot.started', ...otherTypes] = PUBLIC_TYPES

/** Any public event. */
export const publicEventSchema = named(
  'PublicEvent',
  z.union([kindSchema(firstType), ...otherTypes.map(type => kindSchema(type))]),
)

/** A public event in the program. */
export interface PublicEvent {
  readonly id: string
  readonly type: PublicType
  readonly timestamp: string
  readonly position: string
  readonly data: z.output<z.ZodObject<typeof COMMON>> & Readonly<Record<string, unknown>>
}
