import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { MessageQuery } from '#projections/query-results.ts'
import { readNotificationsBody } from '#schemas/api/home.ts'
import { botMessagesQuery, MESSAGE_LOCALES, messageMatrixQuery, messageMatrixSchema } from '#schemas/api/message.ts'
import { notificationQuery } from '#schemas/api/query.ts'
import { idParam, nothingSchema, notificationPageSchema } from '#schemas/api/write.ts'
import { accepted } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { withTexts } from '../notification-text.ts'
import type { Parts } from '../port.ts'
import { runWrite, sessionOf } from './command.ts'

/** The bell: the caller's notifications, and which of them are read. */
export const addNotification = (app: FastifyInstance, parts: Parts): void => {
  app.get<{ Querystring: z.output<typeof notificationQuery> }>(
    '/notification',
    { schema: { tags: ['notification'], querystring: notificationQuery, response: { 200: notificationPageSchema } } },
    async request => {
      const { unread, scope: about, page, size } = request.query
      const query = {
        page,
        size,
        ...(unread === undefined ? {} : { unread }),
        ...(about === undefined ? {} : { scope: about }),
      }
      const { scope } = sessionOf(request)
      const found = await parts.read.notifications(scope, query)
      return { ...found, items: await withTexts(parts.read, scope, found.items, request.language) }
    },
  )

  app.post<{ Body: z.output<typeof readNotificationsBody> }>(
    '/notification/read',
    { schema: { tags: ['notification'], body: readNotificationsBody, response: { 204: nothingSchema } } },
    async (request, reply) => {
      const { caller, scope } = sessionOf(request)
      const { body } = request
      const ids = 'ids' in body ? { ids: await parts.read.joinedNotifications(scope, body.ids) } : {}
      const done = await runWrite(parts, request, reply, async () => {
        return accepted({ position: await parts.record.seen({ caller, correlation: request.id, ...ids }) })
      })
      return done === undefined ? reply : reply.code(204).send()
    },
  )
}

/** Messages by code and language: of a level, and as a bot says them. */
export const addMessages = (app: FastifyInstance, { read }: Parts): void => {
  const answer = async (
    request: FastifyRequest,
    place: MessageQuery['place'],
    { search, missing, page, size }: z.output<typeof botMessagesQuery>,
  ) => {
    const matrix = await read.messages(sessionOf(request).scope, {
      place,
      locales: MESSAGE_LOCALES,
      page,
      size,
      ...(search === undefined ? {} : { search }),
      ...(missing === undefined ? {} : { missing }),
    })
    if (matrix === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    return matrix
  }

  app.get<{ Querystring: z.output<typeof messageMatrixQuery> }>(
    '/localemessage/matrix',
    {
      config: { permission: 'readlocalemessage' },
      schema: { tags: ['localemessage'], querystring: messageMatrixQuery, response: { 200: messageMatrixSchema } },
    },
    async request => {
      const { hierarchylevel = sessionOf(request).access.level, ...query } = request.query
      return answer(request, { entity: 'hierarchy', id: hierarchylevel }, query)
    },
  )

  app.get<{ Params: { id: string }; Querystring: z.output<typeof botMessagesQuery> }>(
    '/bot/:id/messages',
    {
      config: { permission: 'readbot' },
      schema: {
        tags: ['botspecificlocalemessage'],
        params: idParam,
        querystring: botMessagesQuery,
        response: { 200: messageMatrixSchema },
      },
    },
    async request => {
      return answer(request, { entity: 'bot', id: request.params.id }, request.query)
    },
  )
}
