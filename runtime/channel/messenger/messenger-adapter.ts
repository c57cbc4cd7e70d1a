import type { Json, JsonObject } from '#schemas/event.ts'
import { coordinates, listOf, numberOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ChatMessage } from '../../port.ts'
import type {
  Capabilities,
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  OutgoingOption,
  ProviderAnswer,
  ProviderContent,
  ProviderEvent,
  ProviderMedia,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
  Recipient,
} from '../channel-port.ts'
import { debugTokenUrl, graphCode, tokenEndOf } from '../shared/graph.ts'
import {
  byStatus,
  checked,
  field,
  objectBody,
  posting,
  reading,
  retryAfter,
  withBearer,
} from '../shared/provider-call.ts'
import { hubHandshake, verifyHub } from '../shared/signature.ts'

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
const messengerEvents = (body: JsonObject): readonly ProviderEvent[] =>
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

/** Buttons per template; more options become quick replies. */
const MAX_BUTTONS = 3

const template = (payload: JsonObject): JsonObject => ({ attachment: { type: 'template', payload } })

const button = ({ id, title, url }: OutgoingOption): JsonObject =>
  url === undefined ? { type: 'postback', title, payload: id } : { type: 'web_url', title, url }

const quickReply = ({ id, title }: OutgoingOption): JsonObject => ({ content_type: 'text', title, payload: id })

/** Options are buttons if one opens a page and all fit, else quick replies, which disappear after the answer. */
const optionsMessage = ({ text: words, options }: Extract<OutgoingMessage, { kind: 'buttons' }>): JsonObject => {
  const links = options.filter(({ url }) => url !== undefined)
  if (links.length > 0 && options.length <= MAX_BUTTONS)
    return template({ template_type: 'button', text: words, buttons: options.map(button) })
  const answers = options.filter(({ url }) => url === undefined)
  const lines = links.map(({ title, url = '' }) => `${title}: ${url}`)
  return withoutEmpty({ text: [words, ...lines].join('\n'), quick_replies: answers.map(quickReply) })
}

type Card = Extract<OutgoingMessage, { kind: 'carousel' }>['cards'][number]

const element = ({ title, text: words, image, options }: Card): JsonObject =>
  withoutEmpty({ title, subtitle: words, image_url: image, buttons: options.map(button) })

const amount = (value: Json | undefined): number | undefined => numberOf(value)

const receiptMessage = (message: ChatMessage): JsonObject => {
  const held = objectOf(message.receipt)
  const sum = objectOf(held.summary)
  const time = timeOf(held.timestamp)
  const elements = objectsOf(held.elements).map(item =>
    withoutEmpty({
      title: item.title,
      subtitle: item.subtitle,
      quantity: amount(item.quantity),
      price: amount(item.price) ?? 0,
      currency: item.currency,
      image_url: item.image_url,
    }),
  )
  const totals = ['subtotal', 'shipping_cost', 'total_tax', 'total_cost'].map(
    name => [name, amount(sum[name])] as const,
  )
  const address = objectOf(held.address)
  return template(
    withoutEmpty({
      template_type: 'receipt',
      recipient_name: held.recipient_name,
      merchant_name: held.merchant_name,
      order_number: held.order_number,
      currency: held.currency,
      payment_method: held.payment_method,
      order_url: held.order_url,
      timestamp: time === 0 ? undefined : String(Math.round(time / 1000)),
      elements,
      ...(scalarText(address.street_1) === '' ? {} : { address: withoutEmpty(address) }),
      summary: withoutEmpty(Object.fromEntries(totals)),
      adjustments: objectsOf(held.adjustments).map(one => withoutEmpty({ name: one.name, amount: amount(one.amount) })),
    }),
  )
}

const FILE_TYPES = { image: 'image', audio: 'audio', video: 'video', document: 'file' } as const

const messageOf = (message: OutgoingMessage): JsonObject | undefined => {
  switch (message.kind) {
    case 'text':
      return { text: message.text }
    case 'buttons':
      return optionsMessage(message)
    case 'media':
      return { attachment: { type: FILE_TYPES[message.media], payload: { url: message.url } } }
    case 'carousel':
      return template({ template_type: 'generic', elements: message.cards.map(element) })
    case 'native':
      return message.message.type === 'receipt' ? receiptMessage(message.message) : undefined
    default:
      return undefined
  }
}

/** Body of a message for the Send API; undefined when it has no equivalent. */
const messengerBody = (message: OutgoingMessage, { id, isLate }: Recipient): JsonObject | undefined => {
  const held = messageOf(message)
  const kind = isLate ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : { messaging_type: 'RESPONSE' }
  return held === undefined ? undefined : { recipient: { id }, ...kind, message: held }
}

/** Graph's codes of temporary errors; a subcode of FINAL_SUBCODES makes them final. */
const RETRY_CODES: ReadonlySet<number> = new Set([1, 2, 4, 32, 613, 1200])
const FINAL_SUBCODES: ReadonlySet<string> = new Set(['2018344'])

const classify = (answer: ProviderAnswer): Outcome => {
  const code = graphCode(answer.body)
  const subcode = scalarText(objectOf(objectOf(answer.body).error).error_subcode)
  if (code === undefined || answer.status >= 500) return byStatus(answer, body => scalarText(objectOf(body).message_id))
  if (RETRY_CODES.has(code) && !FINAL_SUBCODES.has(subcode)) return { kind: 'retry', after: retryAfter(answer) }
  return { kind: 'final', code: subcode === '' ? String(code) : `${code}.${subcode}` }
}

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withBearer(request, field(fields, 'pagetoken'))

interface MessengerOptions {
  /** Value of `object` in a request body. */
  readonly object: string
  readonly capabilities: Capabilities
  /** The provider shows "typing" to people. */
  readonly hasTyping?: true
  /** Graph's address of the account that sends. */
  readonly accountUrl: (fields: JsonObject) => string
  readonly nameField: string
  /** Field of the account with the id that its events name; it may be a group with that id. */
  readonly idField: (fields: JsonObject) => string
}

const ADDRESS_SECONDS = 86_400
/** A failed look-up is repeated after a minute; values expire 30 s early. */
const FAILED_SECONDS = 90

/** Ids by which events name the account; refused while the provider does not answer. */
const addressesOf = async (
  { accountUrl, idField }: Pick<MessengerOptions, 'accountUrl' | 'idField'>,
  fields: JsonObject,
  values: ProviderValues,
): Promise<Result<readonly string[]>> => {
  const name = idField(fields)
  const found = await values.remember('addresses', async () => {
    const url = `${accountUrl(fields)}?fields=${[...new Set(['id', name])].join(',')}`
    const asked = await values.ask(authorized(reading(url), fields))
    const body = objectOf(asked.ok && asked.value.status === 200 ? asked.value.body : undefined)
    const ids = [scalarText(body.id), scalarText(body[name]) || scalarText(objectOf(body[name]).id)].filter(
      id => id !== '',
    )
    return accepted({ value: ids.join(' '), seconds: ids.length === 0 ? FAILED_SECONDS : ADDRESS_SECONDS })
  })
  if (!found.ok) return found
  return found.value === '' ? refused('channel.answer', { params: { error: '—' } }) : accepted(found.value.split(' '))
}

/** The Messenger API, which Instagram shares. */
export const messengerAdapter = ({
  object,
  capabilities,
  hasTyping,
  accountUrl,
  nameField,
  idField,
}: MessengerOptions): ChannelAdapter => ({
  capabilities,
  handshake: (request, fields) => hubHandshake(request, field(fields, 'verifytoken')),
  verify: (request, fields) => verifyHub(request, field(fields, 'app_secret')),
  parse(request) {
    const body = objectBody(request, held => held.object === object && Array.isArray(held.entry))
    return body.ok ? accepted(messengerEvents(body.value)) : body
  },
  render: (message, to, fields) => posting(`${accountUrl(fields)}/messages`, messengerBody(message, to)),
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify,
  ...(hasTyping === undefined
    ? {}
    : {
        typing({ id }: ProviderUser, fields: JsonObject) {
          const body = { recipient: { id }, sender_action: 'typing_on' }
          const url = `${accountUrl(fields)}/messages`
          return authorized({ method: 'POST', url, headers: [], body }, fields)
        },
      }),
  // File addresses are signed and short-lived; no token is sent to them.
  mediaRequest: ref => accepted(reading(ref)),
  addresses: (fields, values) => addressesOf({ accountUrl, idField }, fields, values),
  async tokenEnds(fields, values) {
    const url = debugTokenUrl(fields, field(fields, 'pagetoken'))
    return tokenEndOf(await values.ask(authorized(reading(url), fields)))
  },
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${accountUrl(fields)}?fields=${nameField}`), fields))
    return checked(asked, body => scalarText(objectOf(body)[nameField]))
  },
})
