import { readPlace } from '#domain/conversation/answer/read-answer.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, objectsOf, textOf, trimmedText } from '#schemas/json.ts'
import { locationText } from '../../channel/shared/message-text.ts'
import type { ChatMessage } from '../../port.ts'

/** A place of a person: its name, its address and a link to a map. */
export const placeText = (data: Json | undefined): string => {
  const read = readPlace(isObject(data) ? data : {})
  if (!read.ok || !isObject(read.value)) return ''
  const { name, address, geo } = read.value
  const place = isObject(geo) ? geo : {}
  const lines = [trimmedText(name), locationText({ ...place, address: trimmedText(address) })]
  return lines.filter(line => line !== '').join('\n')
}

/** Times of transcripts, as in conversations: agents and people share the bot's country. */
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' })

/** Text of a message, with its files by name and address. */
const textOfMessage = ({ text, title, data, type, attachments, actions }: ChatMessage): string => {
  const said = type === 'location' ? placeText(data) : trimmedText(text) || trimmedText(title)
  const files = objectsOf(attachments).map(({ name, contentUrl }) => `${textOf(name)}: ${textOf(contentUrl)}`)
  const buttons = objectsOf(actions).map(action => trimmedText(action.title))
  const lines = [said, ...files].filter(line => line !== '')
  return lines.length > 0 ? lines.join('\n') : buttons.filter(line => line !== '').join(' · ') || `[${type}]`
}

/** Name of a person to agents: their own, their telephone, else a word. */
export const personName = (name: string, id: string, locale: string): string =>
  name.trim() || (/^\+?\d{8,15}$/u.test(id) ? id : locale.startsWith('en') ? 'Visitor' : 'Visitante')

/** Lines `09:12 Luana: text`. Contains no masked answer: the conversation shows only dots for it. */
export const transcriptOf = (messages: readonly ChatMessage[], person: string): string =>
  messages
    .map(message => {
      const { from, time } = message
      const name = from === 'user' ? person : trimmedText(message.name) || 'Bot'
      return `${CLOCK.format(Date.parse(time))} ${name}: ${textOfMessage(message)}`
    })
    .join('\n')
