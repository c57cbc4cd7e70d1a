import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Command } from '#commands/port.ts'
import { SCIM } from '#domain/people/permission.ts'
import { scopeOf } from '#projections/access-model.ts'
import type { Access, Scope } from '#projections/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { RequestRefused } from '../http/failure.ts'
import type { Parts } from '../port.ts'
import { sessionOf, shown } from '../routes/command.ts'

const scopes = new WeakMap<Access, Scope>()

/** A scope that sees people and groups of the token's level and below: the token itself needs no right to read them. */
export const scimScope = (request: FastifyRequest): Scope => {
  const { access } = sessionOf(request)
  const known = scopes.get(access)
  if (known !== undefined) return known
  const permissions = new Set([...access.permissions, 'readuser', 'readusergroup'])
  const scope = scopeOf({ ...access, permissions })
  scopes.set(access, scope)
  return scope
}

/** Level of the token: the root of what it sees. */
export const scimLevel = (request: FastifyRequest): string => sessionOf(request).access.home

/**
 * The caller of SCIM's commands. Has every permission within the levels of the token, because the person who gave `scim`
 * has every permission. Ends with `scim`.
 */
const provisioner = (caller: Caller): Caller => ({
  ...caller,
  permits: () => true,
  provisions: true,
  refresh: async () => {
    const current = caller.refresh === undefined ? caller : await caller.refresh()
    return current?.permits(SCIM) === true ? provisioner(current) : undefined
  },
})

type ScimCommand = Pick<Command, 'entity' | 'action'> & { readonly id?: string; readonly input?: JsonObject }

/**
 * Executes a command. Returns the id of its target, and the position of what it wrote.
 * @throws RequestRefused
 */
const carryOut = async (
  parts: Parts,
  request: FastifyRequest,
  { entity, action, id = '', input = {} }: ScimCommand,
): Promise<{ readonly id: string; readonly position: string | undefined }> => {
  const { caller } = sessionOf(request)
  const command = { entity, action, id, input, caller: provisioner(caller), correlation: request.id }
  const outcome = await parts.commands.execute(command)
  if (!outcome.ok) throw new RequestRefused(outcome.refusal)
  const { revision, position } = outcome
  const written = { correlation: request.id, user: caller.user, entity, action, id: outcome.id, revision, position }
  parts.log.info(written, 'written')
  return { id: outcome.id, position }
}

/**
 * Executes a command and waits until this node shows it. Returns the id of its target.
 * @throws RequestRefused
 */
export const executeScim = async (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  command: ScimCommand,
): Promise<string> => {
  const { id, position } = await carryOut(parts, request, command)
  await shown(parts, reply, position)
  return id
}

/** Commands of one request that run at one time. */
const MAX_AT_ONCE = 8

/**
 * Executes commands, several at a time, and waits until this node shows all of them. After a refusal no further one
 * begins.
 * @throws RequestRefused with the first refusal
 */
export const executeAllScim = async (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  commands: readonly ScimCommand[],
): Promise<void> => {
  const waiting = [...commands]
  const positions: string[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { position } = await carryOut(parts, request, next)
      if (position !== undefined) positions.push(position)
    }
  }
  const refused: unknown[] = []
  const stop = (error: unknown) => {
    waiting.length = 0
    refused.push(error)
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, () => work().catch(stop)))
  if (refused.length > 0) throw refused[0]
  await shown(parts, reply, positions.toSorted().at(-1))
}
