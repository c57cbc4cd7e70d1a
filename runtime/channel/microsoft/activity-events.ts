import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import { coordinates, listOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type {
  OutgoingMessage,
  OutgoingOption,
  ProviderContent,
  ProviderEvent,
  ProviderMedia,
  ProviderUser,
} from '../channel-port.ts'
import { actionValue, readActionValue } from '../shared/message-text.ts'
import { activityOf, submittedOf } from './activity.ts'

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

/** Cards that Teams does not show. */
const UNKNOWN_TO_TEAMS = ['audio', 'video', 'animation'].map(name => CARD + name)

const isTeams = ({ data }: ProviderUser): boolean => data?.channelId === 'msteams'

/** Teams has another name for a press with a value. */
const actionFor = (action: JsonObject, to: ProviderUser): JsonObject =>
  isTeams(to) && action.type === 'postBack'
    ? { ...action, type: 'messageBack', displayText: scalarText(action.title), text: scalarText(action.title) }
    : action

const optionAction = ({ id, title, url }: OutgoingOption): JsonObject => {
  if (url !== undefined) return { type: 'openUrl', title, value: url }
  const pressed = readActionValue(id)
  const value: Json = pressed === undefined ? id : { of: pressed.of, action: pressed.value }
  return { type: 'postBack', title, text: title, displayText: title, value }
}

/** Replaces a card that Teams cannot show. */
const teamsCard = (attachment: JsonObject): JsonObject => {
  if (!UNKNOWN_TO_TEAMS.includes(scalarText(attachment.contentType))) return attachment
  const content = objectOf(attachment.content)
  const url = scalarText(objectsOf(content.media)[0]?.url)
  const open = { type: 'openUrl', title: scalarText(content.title) || '▶', value: url }
  const buttons = [...(url === '' ? [] : [open]), ...objectsOf(content.buttons)]
  return { contentType: `${CARD}hero`, content: withoutEmpty({ title: content.title, text: content.text, buttons }) }
}

const attachmentFor = (attachment: JsonObject, to: ProviderUser): JsonObject => {
  const shown = isTeams(to) ? teamsCard(attachment) : attachment
  const content = objectOf(shown.content)
  if (!Array.isArray(content.buttons)) return shown
  return { ...shown, content: { ...content, buttons: objectsOf(content.buttons).map(each => actionFor(each, to)) } }
}

/** Teams shows suggested actions only in some chats, but cards in all. */
const optionsActivity = ({ text: words, options }: Extract<OutgoingMessage, { kind: 'buttons' }>, to: ProviderUser) => {
  const actions = options.map(option => actionFor(optionAction(option), to))
  if (!isTeams(to)) return { text: words, textFormat: 'markdown', suggestedActions: { actions, to: [] } }
  return { attachments: [{ contentType: `${CARD}hero`, content: { text: words, buttons: actions } }] }
}

const DEFAULT_TYPES = {
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  document: 'application/pdf',
} as const

/** From stores other than its own, Teams only takes files as images. */
const mediaActivity = (message: Extract<OutgoingMessage, { kind: 'media' }>, to: ProviderUser): JsonObject => {
  const { media, url, type, name, caption } = message
  if (isTeams(to) && media !== 'image') {
    const words = [caption, `[${name || url}](${url})`].filter(each => each !== '').join('\n\n')
    return { text: words, textFormat: 'markdown' }
  }
  const attachment = withoutEmpty({ contentType: type || DEFAULT_TYPES[media], contentUrl: url, name })
  return withoutEmpty({ text: caption, textFormat: 'markdown', attachments: [attachment] })
}

const saidActivity = (message: OutgoingMessage, to: ProviderUser): JsonObject | undefined => {
  switch (message.kind) {
    case 'text':
      return { text: message.text, textFormat: 'markdown' }
    case 'buttons':
      return optionsActivity(message, to)
    case 'media':
      return mediaActivity(message, to)
    case 'native': {
      const {
        text: words,
        textFormat,
        attachments,
        attachmentLayout,
        inputHint,
      } = activityOf('', message.message, undefined)
      const shown = objectsOf(attachments).map(attachment => attachmentFor(attachment, to))
      return withoutEmpty({ text: words, textFormat, attachments: shown, attachmentLayout, inputHint })
    }
    default:
      return undefined
  }
}

/** A message as an activity of the bot to a person; undefined when it has no equivalent. */
export const outgoingActivity = (message: OutgoingMessage, to: ProviderUser): JsonObject | undefined => {
  const said = saidActivity(message, to)
  if (said === undefined) return undefined
  const { data = {}, name } = to
  return {
    type: 'message',
    from: withoutEmpty({ id: data.bot, name: data.botName }),
    recipient: withoutEmpty({ id: data.person ?? to.id, name }),
    conversation: withoutEmpty({ id: data.conversation }),
    ...(data.locale === undefined ? {} : { locale: data.locale }),
    ...said,
  }
}
