import type { FastifyInstance } from 'fastify'
import type { Sample } from '#runtime/sample/open-sample.ts'
import { handle } from '../http/handle.ts'
import { sessionOf } from './command.ts'

/** The sample workspace: whether it is being made, and its removal. */
export const addSample = (app: FastifyInstance, sample: Sample): void => {
  handle(app, 'GET /sample', {}, request => sample.state(sessionOf(request).caller))

  handle(app, 'DELETE /sample', { permission: 'deletehierarchy' }, async request => {
    const removed = await sample.remove(sessionOf(request).caller)
    return { ...removed, kept: [...removed.kept] }
  })
}
