import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { activityOf } from '#runtime/channel/microsoft/activity.ts'
import type { ChatMessage } from '#runtime/port.ts'
import { chatMessageBody, chatPageQuery, conversationParam, MAX_CHAT_BODY, transcriptQuery } from '#schemas/api/chat.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { addMultipart, bytesOf, filePartOf, MULTIPART_FRAME } from '../http/multipart.ts'
import { refuse } from '../problem.ts'
import type { Accept } from './accept-message.ts'
import { type ChatAccess, chatOf } from './chat-access.ts'
import type { UploadFile } from './chat-file.ts'
import type { ChatParts } from './chat-port.ts'
import type { ChatTokens } from './chat-token.ts'
import { asJson, asList, asText, nextLink, paceOf, pageText, transcriptPage, transcriptText } from './transcript.ts'

interface Services {
  readonly parts: ChatParts
  readonly access: ChatAccess
  readonly tokens: ChatTokens
  readonly accept: Accept
  readonly upload: UploadFile
}

const BASE = '/chat/conversations/:id'
const gone: Refusal = { code: 'entity.notfound' }

/** Operations on one conversation, for callers with its token. */
export const addChatSession = async (app: FastifyInstance, services: Services): Promise<void> => {
  const { parts, access, tokens, accept } = services
  const { conversations } = parts
  const config = { door: access.door() }

  app.post(
    `${BASE}/messages`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: access.door({ counts: 'message' }) },
      schema: { params: conversationParam, body: chatMessageBody },
    },
    async (request, reply) => {
      const body = request.body as z.output<typeof chatMessageBody>
      const stored = await accept(chatOf(request), body)
      if (!stored.ok) return refuse(reply, stored.refusal)
      return reply.code(202).send({ id: body.id, position: stored.value.position })
    },
  )

  app.post(
    `${BASE}/token`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: access.door({}, tokens.readKept) },
      schema: { params: conversationParam },
    },
    async request => {
      return tokens.issue(chatOf(request))
    },
  )

  app.post(
    `${BASE}/end`,
    { bodyLimit: MAX_CHAT_BODY, config, schema: { params: conversationParam } },
    async (request, reply) => {
      const ended = await conversations.end(chatOf(request).conversation, 'person')
      return ended.ok ? reply.code(204).send() : refuse(reply, ended.refusal)
    },
  )

  app.delete(BASE, { config, schema: { params: conversationParam } }, async (request, reply) => {
    const forgotten = await conversations.forget(chatOf(request).conversation)
    return forgotten.ok ? reply.code(204).send() : refuse(reply, forgotten.refusal)
  })

  addReading(app, services)
  addTranscript(app, services)
  await addFiles(app, services)
}

function addReading(app: FastifyInstance, { parts: { conversations }, access }: Services): void {
  app.get(
    `${BASE}/messages`,
    { config: { door: access.door() }, schema: { params: conversationParam, querystring: chatPageQuery } },
    async (request, reply) => {
      const { after, size } = request.query as z.output<typeof chatPageQuery>
      const page = await conversations.read(chatOf(request).conversation, after, size)
      if (page === undefined) return refuse(reply, gone)
      if (page.messages.length > 0) app.openDoor.count(request, 'read', { amount: page.messages.length })
      return page
    },
  )
}

function addTranscript(app: FastifyInstance, { parts: { conversations }, access }: Services): void {
  app.get(
    `${BASE}/transcript`,
    { config: { door: access.door() }, schema: { params: conversationParam, querystring: transcriptQuery } },
    async (request, reply) => {
      const { conversation } = chatOf(request)
      const { format, ...part } = request.query as z.output<typeof transcriptQuery>
      const first = await transcriptPage(conversations, conversation, part)
      if (first === undefined) return refuse(reply, gone)
      const { messages, next } = first
      const user = (await conversations.owner(conversation))?.user
      const activity = (message: ChatMessage) => activityOf(conversation, message, user)
      reply.type(format === 'text' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
      if (part.after === undefined && part.size === undefined) {
        const source = { conversations, conversation, first, pace: paceOf(app, request) }
        const asJsonOrList = format === 'json' ? asJson(conversation, message => message) : asList(activity)
        return reply.send(Readable.from(transcriptText(source, format === 'text' ? asText : asJsonOrList)))
      }
      if (messages.length > 0) app.openDoor.count(request, 'read', { amount: messages.length })
      reply.headers(nextLink(request, first))
      if (format === 'text') return reply.send(pageText(messages))
      return format === 'json' ? { conversation, messages, next } : messages.map(activity)
    },
  )
}

async function addFiles(app: FastifyInstance, { parts, access, upload }: Services): Promise<void> {
  const fileSize = bytesOf(parts.settings.UPLOAD_MB_CHAT)
  await app.register(async files => {
    await addMultipart(files, { fileSize })
    files.post(
      `${BASE}/files`,
      {
        bodyLimit: fileSize + MULTIPART_FRAME,
        config: { door: access.door({ counts: 'file', isUpload: true }) },
        schema: { params: conversationParam },
      },
      async (request, reply) => {
        const stored = await upload(request, await filePartOf(request))
        if (!stored.ok) return refuse(reply, stored.refusal)
        const { owner: _owner, ...file } = stored.value
        return reply.code(201).send(file)
      },
    )
  })
}
