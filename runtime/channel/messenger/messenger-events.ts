import type { JsonObject } from '#schemas/event.ts'
import { coordinates, listOf, numberOf, objectOf, objectsOf, scalarText, timeOf } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent, ProviderMedia, ProviderUser } from '../channel-port.ts'

const MEDIA = new Set([
  'image',
  'audio',
  'video',
  'file',
  'share',
  'story_mention',
  'ig_reel',
  'reel',
  'ig_story',
  'ig_post',
])

const mediaOf = (attachments: readonly JsonObject[]): readonly ProviderMedia[] =>
  attachments.flatMap(({ type, payload }) => {
    const ref = scalarText(objectOf(payload).url)
    return MEDIA.has(scalarText(type)) && ref !== '' ? [{ ref, type: '' }] : []
  })

const placeOf = (attachments: readonly JsonObject[]): ProviderContent | undefined => {
  const found = attachments.find(({ type }) => type === 'location')
  const { lat, long } = objectOf(objectOf(found?.payload).coordinates)
  const place = coordinates(lat, long)
  return place === undefined ? undefined : { kind: 'location', data: place }
}

/** A link that a person shared. */
const linkOf = (attachments: readonly JsonObject[]): string => {
  const found = attachments.find(({ type }) => type === 'fallback')
  return scalarText(objectOf(found?.payload).url) || scalarText(found?.url)
}

/** Content of a Messenger or Instagram message; undefined for unknown types. */
const readContent = (message: JsonObject): ProviderContent | undefined => {
  const words = scalarText(message.text)
  const value = scalarText(objectOf(message.quick_reply ?? message.quickReply).payload)
  if (value !== '') return { kind: 'choice', value, title: words || value }
  const attachments = objectsOf(message.attachments)
  const place = placeOf(attachments)
  if (place !== undefined) return place
  const media = mediaOf(attachments)
  if (media.length > 0) return { kind: 'media', media, ...(words === '' ? {} : { text: words }) }
  const said = words || linkOf(attachments)
  return said === '' ? undefined : { kind: 'text', text: said }
}

/** Members of an event that all kinds share. */
interface EventContext {
  readonly event: JsonObject
  readonly from: ProviderUser
  readonly to: string
  readonly time: number
}

const said = (
  { from, to, time }: EventContext,
  id: string,
  content: ProviderContent,
  more: { readonly replyTo?: string; readonly payload?: string } = {},
): ProviderEvent => ({
  kind: 'message',
  id,
  from,
  to,
  time,
  content,
  ...(more.replyTo === undefined || more.replyTo === '' ? {} : { replyTo: more.replyTo }),
  ...(more.payload === undefined || more.payload === '' ? {} : { payload: more.payload }),
})

const messageEvent = (context: EventContext, message: JsonObject): ProviderEvent => {
  const [id, { to }] = [scalarText(message.mid), context]
  // The sender of an echo is the page itself.
  if (message.is_echo === true) return { kind: 'echo', id, to: context.from.id }
  if (message.is_deleted === true) return { kind: 'deletion', id, to, from: context.from, of: id }
  const content = readContent(message)
  if (content === undefined || id === '' || context.from.id === '') return { kind: 'unknown', type: 'message', to }
  return said(context, id, content, {
    replyTo: scalarText(objectOf(message.reply_to).mid),
    payload: scalarText(objectOf(message.referral).ref),
  })
}

/** An event without an id is unique per person and time. */
const idOf = ({ from, time }: EventContext, kind: string): string => `${kind}.${from.id}.${time}`

const postbackEvent = (context: EventContext, postback: JsonObject): ProviderEvent => {
  const [payload, title] = [scalarText(postback.payload), scalarText(postback.title)]
  const value = payload || title
  if (value === '' || context.from.id === '') return { kind: 'unknown', type: 'postback', to: context.to }
  const ref = scalarText(objectOf(postback.referral).ref)
  const id = scalarText(postback.mid) || idOf(context, 'postback')
  return said(context, id, { kind: 'choice', value, title: title || value }, { payload: ref || payload })
}

/** A link that opened the chat, or a page plugin: its content is a payload, not text of the person. */
const referralEvent = (context: EventContext, kind: string, referral: JsonObject): ProviderEvent => {
  const ref = scalarText(referral.ref)
  if (ref === '' || context.from.id === '') return { kind: 'unknown', type: kind, to: context.to }
  return said(context, idOf(context, kind), { kind: 'opening' }, { payload: ref })
}

/** Facebook reports a time up to which all was delivered or read; Instagram names the message that was read. */
const receiptEvents = ({ event, from, to, time }: EventContext): readonly ProviderEvent[] => {
  const state = event.read === undefined ? 'delivered' : 'read'
  const held = objectOf(event.read ?? event.delivery)
  const ids = [...listOf(held.mids), held.mid ?? ''].map(scalarText).filter(id => id !== '')
  const until = numberOf(held.watermark)
  return [
    ...ids.map((id): ProviderEvent => ({ kind: 'receipt', id, to, state, time })),
    ...(until === undefined || from.id === ''
      ? []
      : [{ kind: 'watermark', to, user: from.id, state, until: timeOf(until) } as const]),
  ]
}

/** Events about the page, or about the app that handles its conversations. */
const ACCOUNT = [
  ...['pass_thread_control', 'take_thread_control', 'request_thread_control', 'app_roles', 'account_linking'],
  ...['policy_enforcement', 'policy-enforcement'],
]

const eventsOf = (context: EventContext): readonly ProviderEvent[] => {
  const { event } = context
  if (event.message !== undefined) return [messageEvent(context, objectOf(event.message))]
  if (event.postback !== undefined) return [postbackEvent(context, objectOf(event.postback))]
  if (event.read !== undefined || event.delivery !== undefined) return receiptEvents(context)
  if (event.referral !== undefined) return [referralEvent(context, 'referral', objectOf(event.referral))]
  if (event.optin !== undefined) return [referralEvent(context, 'optin', objectOf(event.optin))]
  const [reaction, edit] = [objectOf(event.reaction), objectOf(event.message_edit)]
  const of = scalarText(reaction.mid) || scalarText(edit.mid)
  if (of !== '') {
    const kind = event.reaction === undefined ? 'edit' : 'reaction'
    return [{ kind, id: idOf(context, kind), to: context.to, from: context.from, of }]
  }
  const name = ACCOUNT.find(each => event[each] !== undefined)
  if (name !== undefined) return [{ kind: 'account', name, to: context.to, data: objectOf(event[name]) }]
  const type = Object.keys(event).find(each => !['sender', 'recipient', 'timestamp'].includes(each))
  return [{ kind: 'unknown', type: type ?? 'event', to: context.to }]
}

/** `entry`: id of the page or account whose events these are. */
const contextOf = (event: JsonObject, entry: string): EventContext => ({
  event,
  from: { id: scalarText(objectOf(event.sender).id) },
  to: scalarText(objectOf(event.recipient).id) || entry,
  time: timeOf(event.timestamp),
})

/** Events of a Messenger or Instagram request. Messages that another app answers (standby) are ignored. */
export const messengerEvents = (body: JsonObject): readonly ProviderEvent[] =>
  objectsOf(body.entry).flatMap(entry => {
    const to = scalarText(entry.id)
    return [
      ...objectsOf(entry.messaging).flatMap(event => eventsOf(contextOf(event, to))),
      ...objectsOf(entry.standby).map(
        ({ message }): ProviderEvent => ({ kind: 'echo', id: scalarText(objectOf(message).mid), to }),
      ),
      ...objectsOf(entry.changes).map(
        ({ field }): ProviderEvent => ({ kind: 'unknown', type: `changes.${scalarText(field)}`, to }),
      ),
    ]
  })
