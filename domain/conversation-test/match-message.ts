import type { BotMessage, CardContent } from '#domain/conversation/message.ts'
import type { OfferedAction } from '#domain/conversation/state.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual } from '#schemas/json.ts'
import type { BlockPlace } from './test-result.ts'
import type { BotExpectation } from './test-schema.ts'

/** A message, and the kind of answer that is waited for behind it. */
export interface ReceivedMessage {
  readonly message: BotMessage
  readonly wait: string | undefined
  /** The block that says it; undefined for the bot's own messages. */
  readonly by?: BlockPlace | undefined
}

interface ShownCard {
  readonly title: string
  readonly subtitle: string
  readonly text: string
  readonly image: string
  readonly buttons: readonly string[]
}

const titles = (actions: readonly OfferedAction[]): readonly string[] =>
  actions.filter(({ type }) => type !== 'skip').map(({ title }) => title)

const shownCard = ({ title, subtitle, text, image, actions }: CardContent): ShownCard => ({
  title,
  subtitle,
  text,
  image,
  buttons: titles(actions),
})

const cardsOf = ({ content, actions }: BotMessage): readonly ShownCard[] => {
  switch (content.type) {
    case 'card':
      return [shownCard({ ...content, actions })]
    case 'carousel':
      return content.cards.map(shownCard)
    case 'media':
      return [{ title: content.title, subtitle: '', text: content.text, image: content.url, buttons: titles(actions) }]
    default:
      return []
  }
}

/** All words of a message, a line for each of its parts. */
const wordsOf = (message: BotMessage): string => {
  const { content } = message
  if (content.type === 'text') return content.text
  if (content.type === 'location') return content.address
  const cards = cardsOf(message).flatMap(({ title, subtitle, text }) => [title, subtitle, text])
  return cards.filter(part => part !== '').join('\n')
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim()

/** A message as a step would expect it: its text alone, where that is all. */
export const describeMessage = ({ message, wait }: ReceivedMessage): Json => {
  const { content } = message
  const text = plain(wordsOf(message))
  const options = titles(message.actions)
  const [card] = cardsOf(message)
  if (content.type === 'text' && options.length === 0 && wait === undefined && text !== 'any') return text
  return {
    ...(content.type === 'text' ? { text } : { type: content.type }),
    ...(card === undefined || card.title === '' ? {} : { card: card.title }),
    ...(options.length === 0 ? {} : { options }),
    ...(wait === undefined ? {} : { wait }),
  }
}

const fitsCard = (wanted: NonNullable<BotExpectation['card']>, card: ShownCard): boolean => {
  if (typeof wanted === 'string') return plain(card.title) === plain(wanted)
  const { buttons, ...texts } = wanted
  const isSaid = (['title', 'subtitle', 'text', 'image'] as const).every(name => {
    const text = texts[name]
    return text === undefined || plain(card[name]) === plain(text)
  })
  return isSaid && (buttons === undefined || jsonEqual(buttons, card.buttons as Json))
}

/** Whether a message is what a step expects. */
export const matchesExpectation = (expected: string | BotExpectation, seen: ReceivedMessage): boolean => {
  if (expected === 'any') return true
  const { message, wait } = seen
  const words = plain(wordsOf(message))
  if (typeof expected === 'string') return words === plain(expected)
  const { text, contains, matches, type, options, card, wait: waited } = expected
  if (text !== undefined && words !== plain(text)) return false
  if (contains !== undefined && !words.includes(contains)) return false
  if (matches !== undefined && !new RegExp(matches, 'u').test(words)) return false
  if (type !== undefined && message.content.type !== type) return false
  if (options !== undefined && !jsonEqual([...options], [...titles(message.actions)])) return false
  if (card !== undefined && !cardsOf(message).some(each => fitsCard(card, each))) return false
  return waited === undefined || wait === waited
}

/** Plain data of an expectation. */
export const describeExpectation = (expected: string | BotExpectation): Json =>
  typeof expected === 'string' ? expected : (expected as JsonObject)
