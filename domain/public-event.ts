import { ENTITIES, type EntityName, isEntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX, conversationPart, DELIVERY_PREFIX } from '#schemas/events/conversation.ts'
import { NOTICE_GIVEN, noticeStream } from '#schemas/events/notification.ts'
import type { Field } from '#schemas/field/kind.ts'
import { objectOf, textOf } from '#schemas/json.ts'
import { MAX_EVENT_BYTES, type PublicEvent, type PublicType } from '#schemas/public-event.ts'

/** A stored event in public terms, before it is known who may receive it. */
export interface Translated {
  readonly type: PublicType
  /** An entity, or `conversation`. */
  readonly entity: EntityName | 'conversation'
  readonly id: string
  readonly revision: number | null
  /** New values by field, sealed where they are secret or personal. */
  readonly fields: JsonObject
  /** Members of `data` of this kind alone. */
  readonly more: JsonObject
}

type Kind = PublicType | ((fields: JsonObject) => Pick<Translated, 'type' | 'more'> | undefined)

const CHANGES: Readonly<Record<string, PublicType>> = {
  Created: 'entity.created',
  Changed: 'entity.changed',
  Removed: 'entity.removed',
  Restored: 'entity.restored',
}

const training = (type: 'nlu.trained' | 'nlu.failed'): Kind =>
  type === 'nlu.trained' ? type : ({ training_error }) => ({ type, more: { code: textOf(training_error) } })

const REVIEWS: Readonly<Record<string, PublicType>> = { APPROVED: 'template.approved', REJECTED: 'template.rejected' }

/** State of a part of a bot; undefined while its bot is stopped. */
const service = ({ state, status }: JsonObject) =>
  state === 'up' || state === 'down'
    ? { type: state === 'up' ? ('service.up' as const) : ('service.down' as const), more: { code: textOf(status) } }
    : undefined

/** Stored events of entities that have a kind of their own. All others are changes of an entity. */
const OF_ENTITIES: Readonly<Record<string, Kind>> = {
  BotStarted: 'bot.started',
  BotRestarted: 'bot.started',
  BotStopped: 'bot.stopped',
  DialogPublished: 'dialog.published',
  DialogUnpublished: 'dialog.unpublished',
  HandlerPublished: 'handler.published',
  VersionCreated: 'version.created',
  VersionApplied: 'version.applied',
  ConversationTestRan: ({ last }) => (objectOf(last).passed === false ? { type: 'test.failed', more: {} } : undefined),
  NluProjectTrainingFinished: training('nlu.trained'),
  NluProjectTrainingFailed: training('nlu.failed'),
  BrainTrainingFinished: training('nlu.trained'),
  BrainTrainingFailed: training('nlu.failed'),
  CampaignStarted: 'campaign.begun',
  CampaignFailedRetried: 'campaign.begun',
  CampaignUnknownResent: 'campaign.begun',
  CampaignEnded: ({ run_status }) => ({ type: 'campaign.finished', more: { status: textOf(run_status) } }),
  TemplateReviewed: ({ status }) => {
    const type = REVIEWS[textOf(status)]
    return type && { type, more: {} }
  },
  BotServiceCreated: service,
  BotServiceChanged: service,
  BotServiceRestored: service,
  DialogCommentCreated: 'comment.added',
  HandlerCommentCreated: 'comment.added',
  UserCreated: 'user.created',
  UserLocked: 'user.locked',
}

/** Notices of the system that are public events, by their message. */
const OF_NOTICES: Readonly<Record<string, (params: JsonObject) => Pick<Translated, 'type' | 'more'>>> = {
  'metricalert.crossed': ({ metric }) => ({ type: 'bot.failing', more: { metric: textOf(metric) } }),
  'channel.error': ({ code }) => ({ type: 'service.down', more: { code: textOf(code) } }),
  'channel.ok': ({ code }) => ({ type: 'service.up', more: { code: textOf(code) } }),
  'channel.token': ({ detail }) => ({ type: 'token.expiring', more: { days: Number(detail) || 0 } }),
  'apitoken.expiring': ({ days }) => ({ type: 'token.expiring', more: { days: Number(days) || 0 } }),
  'apitoken.expired': () => ({ type: 'token.expiring', more: { days: 0 } }),
}

const ended = (reason: Json | undefined) => ({
  type: 'conversation.ended' as const,
  more: { reason: textOf(reason) },
})

/** Stored events of conversations and of the delivery of their messages. */
const OF_CONVERSATIONS: Readonly<Record<string, (data: JsonObject) => Pick<Translated, 'type' | 'more'> | undefined>> =
  {
    ConversationStarted: ({ channel }) => ({ type: 'conversation.started', more: { channel: textOf(channel) } }),
    TurnTaken: data => (data.ended === undefined ? undefined : ended(data.ended)),
    ConversationEnded: ({ reason }) => ended(reason),
    AgentRequested: ({ channel }) => ({ type: 'conversation.handedoff', more: { channel: textOf(channel) } }),
  }
const OF_DELIVERIES: typeof OF_CONVERSATIONS = {
  DeliveryFailed: ({ code, channel }) => ({
    type: 'delivery.failed',
    more: { code: textOf(code), ...(typeof channel === 'string' ? { channel } : {}) },
  }),
  DeliveryReceipt: ({ status, code }) =>
    status === 'failed' ? { type: 'delivery.failed', more: { code: textOf(code) } } : undefined,
}

/** Fields of bookkeeping that no answer has. */
const withoutInternal = (entity: EntityDeclaration, fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => entity.fields[name] !== undefined && !entity.fields[name].internal),
  )

const entityEvent = ({ type, stream, revision, data }: StoredEvent): Translated | undefined => {
  const dash = stream.indexOf('-')
  const entity = stream.slice(0, dash)
  if (dash < 1 || !isEntityName(entity)) return undefined
  const declared: EntityDeclaration = ENTITIES[entity]
  if (!type.startsWith(declared.type)) return undefined
  const fields = withoutInternal(declared, objectOf(data.fields))
  const of = { entity, id: stream.slice(dash + 1), revision, fields }
  const kind = OF_ENTITIES[type]
  const found = typeof kind === 'function' ? kind(fields) : kind && { type: kind, more: {} }
  if (found !== undefined) return { ...of, ...found }
  const verb = type.slice(declared.type.length)
  const change = CHANGES[verb]
  if (change !== undefined) return { ...of, type: change, more: {} }
  // An own command changed it: its name is private, the change is not.
  return Object.keys(fields).length === 0 ? undefined : { ...of, type: 'entity.changed', more: {} }
}

const noticeEvent = ({ stream, data }: StoredEvent): Translated | undefined => {
  const { entity, id, message } = data
  const found = OF_NOTICES[textOf(message)]?.(objectOf(data.params))
  if (found === undefined || typeof entity !== 'string' || typeof id !== 'string' || !isEntityName(entity))
    return undefined
  return stream === noticeStream(entity, id) ? { entity, id, revision: null, fields: {}, ...found } : undefined
}

const conversationEvent = ({ type, stream, data }: StoredEvent): Translated | undefined => {
  const isDelivery = stream.startsWith(DELIVERY_PREFIX)
  if (!isDelivery && !stream.startsWith(CONVERSATION_PREFIX)) return undefined
  const found = (isDelivery ? OF_DELIVERIES : OF_CONVERSATIONS)[type]?.(data)
  const id = isDelivery ? stream.slice(DELIVERY_PREFIX.length) : conversationPart(stream).id
  return found && { entity: 'conversation', id, revision: null, fields: {}, ...found }
}

/** The public event that a stored one is; undefined for those that stay inside. One stored event is at most one public event. */
export const translate = (event: StoredEvent): Translated | undefined =>
  event.type === NOTICE_GIVEN ? noticeEvent(event) : (conversationEvent(event) ?? entityEvent(event))

/** Place of the subject when its event is sent. */
export interface Place {
  readonly level: string | null
  /** The bot that it belongs to. */
  readonly bot?: string
  readonly isForgotten?: boolean
}

interface Shape {
  readonly position: string
  readonly withValues: boolean
  /** Its actor is a service account. */
  readonly isByService?: boolean
  /** Personal values in clear, for a receiver who may have them. */
  readonly personal?: JsonObject
}

/** Whether the value of a field may be sent: neither secret nor personal, and no words of people. */
const isOpen = (entity: EntityDeclaration, name: string): boolean => {
  const field = entity.fields[name]
  if (field === undefined) return false
  const isSealed = field.secret || field.secretWhen !== undefined || field.personal || field.words === true
  const inside: readonly Pick<Field, 'secret' | 'personal'>[] = field.kind === 'list' ? Object.values(field.item) : []
  return !isSealed && field.kind !== 'password' && inside.every(({ secret, personal }) => !secret && !personal)
}

const valuesOf = ({ entity, fields }: Translated): JsonObject =>
  entity === 'conversation'
    ? {}
    : Object.fromEntries(Object.entries(fields).filter(([name]) => isOpen(ENTITIES[entity], name)))

/**
 * Personal fields of users whose values may be sent. Profiles of agents are excluded: each has its own key, which stays when
 * its user is forgotten.
 */
export const personalFields = ({ entity, fields }: Translated): readonly string[] =>
  entity === 'user'
    ? Object.keys(fields).filter(name => {
        const field: Field | undefined = (ENTITIES.user as EntityDeclaration).fields[name]
        return field?.personal === true && !field.secret && field.words !== true
      })
    : []

const kindOf = (actor: string | null, isByService: boolean) => {
  if (actor === null) return 'system'
  return isByService ? 'service' : 'person'
}

/** The event as it is sent to a permitted receiver. */
export const shaped = (
  { id, time, actor }: Pick<StoredEvent, 'id' | 'time' | 'actor'>,
  translated: Translated,
  { level, bot, isForgotten = false }: Place,
  { position, withValues, isByService = false, personal = {} }: Shape,
): PublicEvent => {
  const { type, entity, id: of, revision, fields, more } = translated
  const envelope = { id, type, timestamp: time, position }
  if (isForgotten) return { ...envelope, data: { entity, id: of } }
  const data: PublicEvent['data'] = {
    entity,
    id: of,
    hierarchylevel: level,
    revision,
    actor: { id: actor, kind: kindOf(actor, isByService) },
    changed: Object.keys(fields),
    ...(bot === undefined ? {} : { bot }),
    ...more,
  }
  if (!withValues || Object.keys(fields).length === 0) return { ...envelope, data }
  const names = Object.keys(personal)
  const values = { ...valuesOf(translated), ...personal }
  const full: PublicEvent = { ...envelope, data: { ...data, values, ...(names.length > 0 ? { personal: names } : {}) } }
  return new TextEncoder().encode(JSON.stringify(full)).length <= MAX_EVENT_BYTES
    ? full
    : { ...envelope, data: { ...data, valuesomitted: true } }
}
