import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { MessageQuery } from '#projections/message-matrix.ts'
import { botMessagesQuery, MESSAGE_LOCALES, messageMatrixQuery, messageMatrixSchema } from '#schemas/api/message.ts'
import { idParam } from '#schemas/api/write.ts'
import { RequestRefused } from '../http/request-refused.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'

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
