import type { BotMessage } from '#domain/conversation/message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { ChatMessage, SentMessage } from '../../port.ts'

/** Shown in place of a masked answer (RUNTIME 85). */
const DOTS = '••••••'

/** A message of the bot as clients read it, without the names of blocks. */
export const botChatMessage = (
  { id, delay, content, actions, asks }: BotMessage,
  position: string,
  time: string,
): ChatMessage => ({
  ...(content as unknown as JsonObject),
  id: String(id),
  position,
  time,
  from: 'bot',
  type: content.type,
  delay,
  actions: actions.map(action => ({ ...action })),
  ...(asks === undefined ? {} : { wait: { ...asks } as unknown as JsonObject }),
})

const textOf = ({ type, text, value, data, attachments }: SentMessage, pressed: string | undefined): string => {
  if (pressed !== undefined) return pressed
  if (text !== undefined) return text
  if (type === 'attachment') return (attachments ?? []).map(({ name }) => String(name ?? '')).join(', ')
  return data === undefined ? (value ?? '') : JSON.stringify(data)
}

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
