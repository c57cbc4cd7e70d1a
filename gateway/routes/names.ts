import type { FastifyInstance } from 'fastify'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'

/** Titles of many things in one call; each kind by its own read permission. */
export const addNames = (app: FastifyInstance, { read }: Parts): void => {
  handle(app, 'POST /names', { effect: 'reads' }, async request =>
    read.names(sessionOf(request).scope, request.body.ids),
  )
}
