import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { readNotificationsBody } from '#schemas/api/home.ts'
import { notificationQuery } from '#schemas/api/query.ts'
import { nothingSchema, notificationPageSchema } from '#schemas/api/write.ts'
import { accepted } from '#schemas/refusal.ts'
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
