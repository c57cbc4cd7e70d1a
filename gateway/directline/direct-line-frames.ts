import { activityOf } from '#runtime/channel/microsoft/activity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ChatSession } from '../chat/chat-access.ts'
import type { Frames } from '../chat/listener.ts'

const BOT = { id: 'bot', role: 'bot' } as const

/** Signals the end of a conversation. */
export const endActivity = (conversation: string): JsonObject => ({
  type: 'endOfConversation',
  id: `${conversation}-end`,
  timestamp: new Date().toISOString(),
  channelId: 'directline',
  conversation: { id: conversation },
  from: BOT,
})

/** Activity sets of Direct Line 3.0; an empty frame keeps the socket open. */
export const directLineFrames = ({ conversation, user }: ChatSession): Frames => ({
  messages: messages =>
    messages.map(message => ({
      activities: [activityOf(conversation, message, user)],
      watermark: message.position,
    })),
  state: () => undefined,
  typing: position => ({
    activities: [{ type: 'typing', channelId: 'directline', conversation: { id: conversation }, from: BOT }],
    watermark: position,
  }),
  ended: position => ({ activities: [endActivity(conversation)], watermark: position }),
  ping: () => '',
})
