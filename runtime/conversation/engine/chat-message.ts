import { actionsOf, type BotMessage, pressedWords, shownActions } from '#domain/conversation/message.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import type { ChatMessage, SentMessage } from '../../port.ts'

/** Shown in place of a masked answer (RUNTIME 85). */
const DOTS = '••••••'

/** A message of the bot as clients read it, without the names of blocks. */
export const botChatMessage = (message: BotMessage, position: string, time: string): ChatMessage => ({
  ...(message.content as unknown as JsonObject),
  id: String(message.id),
  position,
  time,
  from: 'bot',
  type: message.content.type,
  delay: message.delay,
  actions: [...shownActions(message)],
  ...(message.asks === undefined ? {} : { wait: { ...message.asks } as unknown as JsonObject }),
})

/** The message of a campaign that a message of a person answers; undefined for other messages. */
export const campaignChatMessage = ({ campaign }: SentMessage, position: string): ChatMessage | undefined => {
  const { id, time, text, buttons } = (campaign?.message ?? {}) as JsonObject
  if (typeof id !== 'string' || typeof time !== 'string' || typeof text !== 'string') return undefined
  const titles = Array.isArray(buttons) ? buttons.map(String) : []
  return {
    ...{ id, position, time, text, from: 'bot', type: 'text', source: 'campaign', delay: 0 },
    campaign: String(campaign?.id ?? ''),
    template: String(campaign?.template ?? ''),
    actions: titles.map(title => ({ id: '', type: 'postBack', title, value: '' })),
  }
}

/** Words of a press on a message that was said; undefined for other messages. */
export const shownPress = (said: ReadonlyMap<number, BotMessage>, { of, value }: SentMessage): string | undefined => {
  const message = said.get(Number(of))
  const action = message && actionsOf(message).find(({ id }) => id === value)
  return action && pressedWords(action)
}

const textOf = ({ type, text, value, data, attachments }: SentMessage, pressed: string | undefined): string => {
  if (pressed !== undefined) return pressed
  if (text !== undefined) return text
  if (type === 'attachment') return (attachments ?? []).map(({ name }) => String(name ?? '')).join(', ')
  return data === undefined ? (value ?? '') : JSON.stringify(data)
}

/** When a person wrote a message, which a provider may deliver late. ISO 8601 UTC. */
export const writtenAt = ({ data, time }: Pick<StoredEvent, 'data' | 'time'>): string =>
  typeof data.written === 'number' ? new Date(data.written).toISOString() : time

/** A message of a person; undefined for one that shows nothing, such as a command of the menu or an opening. */
export const userChatMessage = (
  sent: SentMessage,
  {
    position,
    time,
    pressed,
    masked,
  }: { position: string; time: string; pressed?: string | undefined; masked: boolean },
): ChatMessage | undefined => {
  if (sent.type === 'menu' || sent.type === 'opening') return undefined
  const shown: Record<string, Json> = masked
    ? { text: DOTS }
    : {
        text: textOf(sent, pressed),
        // A file that was not fetched shows its name alone.
        ...(sent.attachments === undefined
          ? {}
          : { attachments: sent.attachments.filter(({ error }) => error === undefined) }),
        ...(sent.type === 'location' && sent.data !== undefined ? { data: sent.data } : {}),
      }
  return {
    ...shown,
    id: sent.id,
    position,
    time,
    from: 'user',
    type: sent.type === 'choice' ? 'text' : sent.type,
    actions: [],
  }
}
