import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowKind } from '#realtime/port.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Whether the caller may know of the flow at all; answers 404 otherwise. */
export const isThere = async ({ read }: Parts, request: FastifyRequest, reply: FastifyReply, kind: FlowKind) => {
  const { id } = request.params as { id: string }
  if ((await read.detail(sessionOf(request).scope, kind, id)) !== undefined) return true
  refuse(reply, { code: 'entity.notfound' })
  return false
}
