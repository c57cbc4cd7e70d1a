import { createHash } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import type { ProviderContent, ProviderEvent, ProviderMedia, ProviderUser } from '../channel-port.ts'
import { coordinates, filled, group, groups, list, moment, text } from '../shared/json-reader.ts'
import { actionValue } from '../shared/message-text.ts'
import { submittedOf } from './activity.ts'

const FILE = 'application/vnd.microsoft.teams.file.download.info'
const CARD = 'application/vnd.microsoft.card.'

/** Activity ids are only unique within a conversation. */
const eventId = (activity: JsonObject): string => {
  const conversation = createHash('sha256')
    .update(text(group(activity.conversation).id))
    .digest('hex')
    .slice(0, 12)
  return `${text(activity.id)}.${conversation}`
}

/** In a group each person has a separate conversation with the bot, which is answered in that group. */
const userOf = (activity: JsonObject): ProviderUser => {
  const [from, conversation, bot] = [group(activity.from), group(activity.conversation), group(activity.recipient)]
  const isGroup = conversation.isGroup === true
  const name = text(from.name)
  return {
    id: isGroup ? `${text(from.id)}@${text(conversation.id)}` : text(from.id),
    ...(name === '' ? {} : { name }),
    data: filled({
      serviceUrl: activity.serviceUrl,
      conversation: conversation.id,
      person: from.id,
      isGroup,
      bot: bot.id,
      botName: bot.name,
      channelId: activity.channelId,
      tenant: conversation.tenantId ?? group(group(activity.channelData).tenant).id,
      locale: activity.locale,
    }),
  }
}

/** The text without the mentions of the bot, located by the activity's own entities. */
const wordsOf = (activity: JsonObject): string => {
  const bot = text(group(activity.recipient).id)
  const mentions = groups(activity.entities)
    .filter(({ type, mentioned }) => type === 'mention' && text(group(mentioned).id) === bot)
    .map(each => text(each.text))
    .filter(mention => mention !== '')
  return mentions.reduce((words, mention) => words.replaceAll(mention, ''), text(activity.text)).trim()
}

const mediaOf = (activity: JsonObject): readonly ProviderMedia[] =>
  groups(activity.attachments).flatMap(({ contentType, contentUrl, content, name }) => {
    const type = text(contentType)
    const ref = type === FILE ? text(group(content).downloadUrl) : text(contentUrl)
    // Teams repeats a typed text as HTML.
    if (ref === '' || type.startsWith('text/html') || type.startsWith(CARD)) return []
    return [
      {
        ref,
        type: type === FILE || type.endsWith('/*') ? '' : type,
        ...(text(name) === '' ? {} : { name: text(name) }),
      },
    ]
  })

const placeOf = (activity: JsonObject): ProviderContent | undefined => {
  const place = groups(activity.entities).find(({ type }) => type === 'Place')
  const { latitude, longitude } = group(place?.geo)
  const at = coordinates(latitude, longitude)
  return at === undefined
    ? undefined
    : { kind: 'location', data: filled({ ...at, name: place?.name, address: place?.address }) }
}

/** Content of a press or form: a button of the bot, a value, or the inputs of an adaptive card. */
const valueContent = (value: JsonObject, words: string): ProviderContent => {
  const [of, action] = [text(value.of), text(value.action)]
  if (of !== '' && action !== '') return { kind: 'choice', value: actionValue(of, action), title: words || action }
  return { kind: 'order', ...submittedOf(value) }
}

const contentOf = (activity: JsonObject): ProviderContent | undefined => {
  const [words, { value }] = [wordsOf(activity), activity]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return valueContent(group(value), words)
  const isPressed = group(activity.channelData).postBack === true && words !== ''
  if (isPressed) return { kind: 'choice', value: words, title: words }
  const media = mediaOf(activity)
  if (media.length > 0) return { kind: 'media', media, ...(words === '' ? {} : { text: words }) }
  const said = words || text(value)
  return placeOf(activity) ?? (said === '' ? undefined : { kind: 'text', text: said })
}

/** Content of an adaptive card's universal action; undefined for other invocations. */
const invokedContent = ({ name, value }: JsonObject): ProviderContent | undefined => {
  const action = group(group(value).action)
  if (name !== 'adaptiveCard/action') return undefined
  return valueContent({ ...group(action.data), ...(text(action.verb) === '' ? {} : { verb: text(action.verb) }) }, '')
}

const botOf = ({ recipient }: JsonObject): string => text(group(recipient).id)

const said = (activity: JsonObject, content: ProviderContent | undefined): ProviderEvent => {
  const from = userOf(activity)
  if (content === undefined || text(activity.id) === '' || from.id === '')
    return { kind: 'unknown', type: text(activity.type), to: botOf(activity) }
  const replyTo = text(activity.replyToId)
  return {
    kind: 'message',
    id: eventId(activity),
    from,
    to: botOf(activity),
    time: moment(activity.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
  }
}

const ABOUT = { messageReaction: 'reaction', messageUpdate: 'edit', messageDelete: 'deletion' } as const

/** Events of an activity. */
export const activityEvents = (activity: JsonObject): readonly ProviderEvent[] => {
  const [type, to] = [text(activity.type), botOf(activity)]
  if (group(activity.from).role === 'bot') return [{ kind: 'echo', id: eventId(activity), to }]
  switch (type) {
    case 'message':
      return [said(activity, contentOf(activity))]
    case 'invoke':
      return [said(activity, invokedContent(activity))]
    case 'messageReaction':
    case 'messageUpdate':
    case 'messageDelete': {
      const of = type === 'messageReaction' ? text(activity.replyToId) : text(activity.id)
      return [{ kind: ABOUT[type], id: eventId(activity), to, from: userOf(activity), ...(of === '' ? {} : { of }) }]
    }
    case 'installationUpdate':
      return [{ kind: 'account', name: type, to, data: filled({ action: activity.action }) }]
    case 'conversationUpdate': {
      const added = list(activity.membersAdded).length
      return [{ kind: 'account', name: type, to, data: { added, removed: list(activity.membersRemoved).length } }]
    }
    default:
      return [{ kind: 'unknown', type: type || 'activity', to }]
  }
}
