import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { namesBody, namesSchema } from '#schemas/api/names.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'

/** Titles of many things in one call; each kind by its own read permission. */
export const addNames = (app: FastifyInstance, { read }: Parts): void => {
  app.post<{ Body: z.output<typeof namesBody> }>(
    '/names',
    { config: { effect: 'reads' }, schema: { tags: ['names'], body: namesBody, response: { 200: namesSchema } } },
    async request => read.names(sessionOf(request).scope, request.body.ids),
  )
}
