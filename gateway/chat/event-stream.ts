import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { chatStreamQuery, conversationParam } from '#schemas/api/chat.ts'
import { sourceOf } from '../http/client-address.ts'
import { refuse } from '../problem.ts'
import { createSocketLimit } from '../realtime/socket-limit.ts'
import { type ChatAccess, chatOf } from './chat-access.ts'
import { CHAT_FRAMES } from './chat-frames.ts'
import { Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'
import { type ChatParts, limitsOf } from './port.ts'

interface Services {
  readonly parts: ChatParts
  readonly access: ChatAccess
  readonly listeners: Listeners
}

/** GET /chat/conversations/{id}/stream without an upgrade: the frames of the socket as server-sent events. */
export const addEventStream = (app: FastifyInstance, { parts, access, listeners }: Services): void => {
  const limits = limitsOf(parts)
  const limit = createSocketLimit(limits.socketsPerSource, limits.sockets)
  app.get(
    '/chat/conversations/:id/stream',
    {
      config: { door: access.door({ isLight: true }) },
      schema: { params: conversationParam, querystring: chatStreamQuery },
    },
    (request, reply) => {
      const { conversation } = chatOf(request)
      const { after = request.headers['last-event-id'] } = request.query as z.output<typeof chatStreamQuery>
      const refusal = listeners.refusal(conversation)
      const release = refusal === undefined ? limit.take(sourceOf(request.ip)) : undefined
      if (release === undefined)
        return refuse(reply, refusal ?? { code: 'request.toomany', params: { retryAfter: 60 } })
      const stream = new PassThrough()
      const socket = request.raw.socket
      const close = (code: number) => {
        if (code === 4408) socket.destroy()
        else stream.end(`event: close\ndata: ${code}\n\n`)
      }
      const sink = {
        send: (text: string, position: string) => {
          stream.write(`${position === '' ? '' : `id: ${position}\n`}data: ${text}\n\n`)
        },
        pending: () => stream.readableLength + stream.writableLength + reply.raw.writableLength,
        close,
      }
      const { conversations, now } = parts
      const listener = new Listener(
        { conversations, conversation, frames: CHAT_FRAMES, sink, limits, now },
        String(after ?? ''),
      )
      const forget = listeners.add(conversation, listener)
      reply.raw.on('close', () => {
        listener.stop()
        forget()
        release()
        stream.destroy()
      })
      void listener.run()
      return reply
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .type('text/event-stream; charset=utf-8')
        .send(stream)
    },
  )
}
