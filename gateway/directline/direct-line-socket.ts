import type { IncomingMessage } from 'node:http'
import type { SocketRequest } from '../chat/chat-socket.ts'
import type { ChatTokens } from '../chat/chat-token.ts'
import { directLineFrames } from './direct-line-frames.ts'

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
