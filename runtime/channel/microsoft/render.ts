import type { Json, JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf, scalarText, withoutEmpty } from '#schemas/json.ts'
import type { OutgoingMessage, OutgoingOption, ProviderUser } from '../channel-port.ts'
import { readActionValue } from '../shared/message-text.ts'
import { activityOf } from './activity.ts'

const CARD = 'application/vnd.microsoft.card.'
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
