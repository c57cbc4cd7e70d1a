import { createHash } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import { coordinates, listOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent, ProviderMedia, ProviderUser } from '../channel-port.ts'
import { actionValue } from '../shared/message-text.ts'
import { submittedOf } from './activity.ts'

const FILE = 'application/vnd.microsoft.teams.file.download.info'
const CARD = 'application/vnd.microsoft.card.'

/** Activity ids are only unique within a conversation. */
const eventId = (activity: JsonObject): string => {
  const conversation = createHash('sha256')
    .update(scalarText(objectOf(activity.conversation).id))
    .digest('hex')
    .slice(0, 12)
  return `${scalarText(activity.id)}.${conversation}`
}

/** In a group each person has a separate conversation with the bot, which is answered in that group. */
const userOf = (activity: JsonObject): ProviderUser => {
  const [from, conversation, bot] = [
    objectOf(activity.from),
    objectOf(activity.conversation),
    objectOf(activity.recipient),
  ]
  const isGroup = conversation.isGroup === true
  const name = scalarText(from.name)
  return {
    id: isGroup ? `${scalarText(from.id)}@${scalarText(conversation.id)}` : scalarText(from.id),
    ...(name === '' ? {} : { name }),
    data: withoutEmpty({
      serviceUrl: activity.serviceUrl,
      conversation: conversation.id,
      person: from.id,
      isGroup,
      bot: bot.id,
      botName: bot.name,
      channelId: activity.channelId,
      tenant: conversation.tenantId ?? objectOf(objectOf(activity.channelData).tenant).id,
      locale: activity.locale,
    }),
  }
}

/** The text without the mentions of the bot, located by the activity's own entities. */
const wordsOf = (activity: JsonObject): string => {
  const bot = scalarText(objectOf(activity.recipient).id)
  const mentions = objectsOf(activity.entities)
    .filter(({ type, mentioned }) => type === 'mention' && scalarText(objectOf(mentioned).id) === bot)
    .map(each => scalarText(each.text))
    .filter(mention => mention !== '')
  return mentions.reduce((words, mention) => words.replaceAll(mention, ''), scalarText(activity.text)).trim()
}

const mediaOf = (activity: JsonObject): readonly ProviderMedia[] =>
  objectsOf(activity.attachments).flatMap(({ contentType, contentUrl, content, name }) => {
    const type = scalarText(contentType)
    const ref = type === FILE ? scalarText(objectOf(content).downloadUrl) : scalarText(contentUrl)
    // Teams repeats a typed text as HTML.
    if (ref === '' || type.startsWith('text/html') || type.startsWith(CARD)) return []
    return [
      {
        ref,
        type: type === FILE || type.endsWith('/*') ? '' : type,
        ...(scalarText(name) === '' ? {} : { name: scalarText(name) }),
      },
    ]
  })

const placeOf = (activity: JsonObject): ProviderContent | undefined => {
  const place = objectsOf(activity.entities).find(({ type }) => type === 'Place')
  const { latitude, longitude } = objectOf(place?.geo)
  const at = coordinates(latitude, longitude)
  return at === undefined
    ? undefined
    : { kind: 'location', data: withoutEmpty({ ...at, name: place?.name, address: place?.address }) }
}

/** Content of a press or form: a button of the bot, a value, or the inputs of an adaptive card. */
const valueContent = (value: JsonObject, words: string): ProviderContent => {
  const [of, action] = [scalarText(value.of), scalarText(value.action)]
  if (of !== '' && action !== '') return { kind: 'choice', value: actionValue(of, action), title: words || action }
  return { kind: 'order', ...submittedOf(value) }
}

const contentOf = (activity: JsonObject): ProviderContent | undefined => {
  const [words, { value }] = [wordsOf(activity), activity]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return valueContent(objectOf(value), words)
  const isPressed = objectOf(activity.channelData).postBack === true && words !== ''
  if (isPressed) return { kind: 'choice', value: words, title: words }
  const media = mediaOf(activity)
  if (media.length > 0) return { kind: 'media', media, ...(words === '' ? {} : { text: words }) }
  const said = words || scalarText(value)
  return placeOf(activity) ?? (said === '' ? undefined : { kind: 'text', text: said })
}

/** Content of an adaptive card's universal action; undefined for other invocations. */
const invokedContent = ({ name, value }: JsonObject): ProviderContent | undefined => {
  const action = objectOf(objectOf(value).action)
  if (name !== 'adaptiveCard/action') return undefined
  return valueContent(
    { ...objectOf(action.data), ...(scalarText(action.verb) === '' ? {} : { verb: scalarText(action.verb) }) },
    '',
  )
}

const botOf = ({ recipient }: JsonObject): string => scalarText(objectOf(recipient).id)

const said = (activity: JsonObject, content: ProviderContent | undefined): ProviderEvent => {
  const from = userOf(activity)
  if (content === undefined || scalarText(activity.id) === '' || from.id === '')
    return { kind: 'unknown', type: scalarText(activity.type), to: botOf(activity) }
  const replyTo = scalarText(activity.replyToId)
  return {
    kind: 'message',
    id: eventId(activity),
    from,
    to: botOf(activity),
    time: timeOf(activity.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
  }
}

const ABOUT = { messageReaction: 'reaction', messageUpdate: 'edit', messageDelete: 'deletion' } as const

/** Events of an activity. */
export const activityEvents = (activity: JsonObject): readonly ProviderEvent[] => {
  const [type, to] = [scalarText(activity.type), botOf(activity)]
  if (objectOf(activity.from).role === 'bot') return [{ kind: 'echo', id: eventId(activity), to }]
  switch (type) {
    case 'message':
      return [said(activity, contentOf(activity))]
    case 'invoke':
      return [said(activity, invokedContent(activity))]
    case 'messageReaction':
    case 'messageUpdate':
    case 'messageDelete': {
      const of = type === 'messageReaction' ? scalarText(activity.replyToId) : scalarText(activity.id)
      return [{ kind: ABOUT[type], id: eventId(activity), to, from: userOf(activity), ...(of === '' ? {} : { of }) }]
    }
    case 'installationUpdate':
      return [{ kind: 'account', name: type, to, data: withoutEmpty({ action: activity.action }) }]
    case 'conversationUpdate': {
      const added = listOf(activity.membersAdded).length
      return [{ kind: 'account', name: type, to, data: { added, removed: listOf(activity.membersRemoved).length } }]
    }
    default:
      return [{ kind: 'unknown', type: type || 'activity', to }]
  }
}
