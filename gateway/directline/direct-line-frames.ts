import type { IncomingMessage } from 'node:http'
import { activityOf } from '#runtime/channel/microsoft/activity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ChatSession } from '../chat/chat-access.ts'
import type { SocketRequest } from '../chat/chat-socket.ts'
import type { ChatTokens } from '../chat/chat-token.ts'
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
const directLineFrames = ({ conversation, user }: ChatSession): Frames => ({
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

const STREAM = /^\/directline\/([^/]{1,300})\/conversations\/([\w-]{1,100})\/stream$/

/** An upgrade to a streamUrl, which only listens. */
export const directLineSocket =
  (tokens: ChatTokens) =>
  (request: IncomingMessage): SocketRequest | undefined => {
    const url = URL.parse(request.url ?? '', 'http://gateway')
    const [, channel, conversation] = STREAM.exec(url?.pathname ?? '') ?? []
    if (url === null || channel === undefined || conversation === undefined) return undefined
    const read = async () => {
      const content = await tokens.readTicket(url.searchParams.get('t') ?? undefined)
      return content !== undefined && encodeURIComponent(content.channel) === channel ? content : undefined
    }
    return {
      conversation,
      content: read(),
      after: (url.searchParams.get('watermark') ?? '').replace(/~$/, '').slice(0, 200),
      frames: directLineFrames,
      protocol: undefined,
      isTwoWay: false,
    }
  }
