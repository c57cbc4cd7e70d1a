import type { JsonObject } from '#schemas/event.ts'
import type { ProviderEvent, ProviderUser } from '../port.ts'
import { filled, group, groups, moment, text } from '../shared/member.ts'
import { readContent } from './read-content.ts'

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'played', 'failed'])
const isState = (state: string): state is Receipt['state'] => STATES.has(state)

/** The sender of a message: since 2026 a business-scoped id may replace the number. */
const userOf = (message: JsonObject, value: JsonObject): ProviderUser => {
  const number = text(message.from)
  const scoped = text(message.from_user_id)
  const contacts = groups(value.contacts)
  const contact =
    contacts.find(
      each => (number !== '' && text(each.wa_id) === number) || (scoped !== '' && each.user_id === scoped),
    ) ?? (contacts.length === 1 ? contacts[0] : undefined)
  const bsuid = scoped || text(contact?.user_id)
  const name = text(group(contact?.profile).name)
  const data = filled({ phone: number || text(contact?.wa_id), bsuid, parent: contact?.parent_user_id })
  return {
    id: number || text(contact?.wa_id) || bsuid,
    ...(name === '' ? {} : { name }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  }
}

/** Payload of an advertisement, a shared link or a template's button, which may be mapped to a channel payload. */
const payloadOf = (message: JsonObject): string => {
  const referral = group(message.referral)
  return text(group(message.button).payload) || text(referral.ref) || text(referral.source_id)
}

const ABOUT = { reaction: 'message_id', edit: 'original_message_id', revoke: 'original_message_id' } as const
const KINDS = { reaction: 'reaction', edit: 'edit', revoke: 'deletion' } as const

const messageEvent = (message: JsonObject, value: JsonObject): ProviderEvent => {
  const [type, id, from] = [text(message.type), text(message.id), userOf(message, value)]
  if (type === 'reaction' || type === 'edit' || type === 'revoke') {
    const of = text(group(message[type])[ABOUT[type]])
    return { kind: KINDS[type], id, from, ...(of === '' ? {} : { of }) }
  }
  if (type === 'system') return { kind: 'account', name: 'system', data: group(message.system) }
  const content = readContent(message)
  if (content === undefined || id === '' || from.id === '') return { kind: 'unknown', type: type || 'message' }
  const replyTo = text(group(message.context).id)
  const payload = payloadOf(message)
  return {
    kind: 'message',
    id,
    from,
    to: text(group(value.metadata).phone_number_id),
    time: moment(message.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(payload === '' ? {} : { payload }),
  }
}

const receiptEvent = (status: JsonObject): ProviderEvent => {
  // Gupshup identifies the message by the id in its own response.
  const [state, id] = [text(status.status), text(status.gs_id) || text(status.id)]
  if (!isState(state) || id === '') return { kind: 'unknown', type: `status.${state}` }
  const code = text(groups(status.errors)[0]?.code)
  const callback = text(status.biz_opaque_callback_data)
  return {
    kind: 'receipt',
    id,
    state,
    time: moment(status.timestamp),
    ...(code === '' ? {} : { code }),
    ...(callback === '' ? {} : { callback }),
  }
}

const echoEvent = (message: JsonObject): ProviderEvent => ({ kind: 'echo', id: text(message.id) })

/** Events of a change's value, or of a body in the older flat format. */
const valueEvents = (value: JsonObject): readonly ProviderEvent[] => [
  ...groups(value.messages).map(message => messageEvent(message, value)),
  ...groups(value.statuses).map(receiptEvent),
  ...groups(value.message_echoes).map(echoEvent),
]

/** Changes about the account, a number or a template. */
const ABOUT_ACCOUNT =
  /^(?:account_|message_template_|template_|phone_number_|business_|user_preferences$|security$|group_)/u

const changeEvents = (change: JsonObject): readonly ProviderEvent[] => {
  const [name, value] = [text(change.field), group(change.value)]
  if (ABOUT_ACCOUNT.test(name)) return [{ kind: 'account', name, data: value }]
  const events = valueEvents(value)
  return events.length === 0 ? [{ kind: 'unknown', type: name || 'change' }] : events
}

/** Events of a Cloud API body: of several numbers, or of the single number of the older format. */
export const cloudEvents = (body: JsonObject): readonly ProviderEvent[] =>
  Array.isArray(body.entry)
    ? groups(body.entry).flatMap(entry => groups(entry.changes).flatMap(changeEvents))
    : valueEvents(body)

/** Whether a body has the Cloud API's format or its older one. */
export const isCloudBody = (body: JsonObject): boolean =>
  ['entry', 'messages', 'statuses'].some(name => Array.isArray(body[name]))
