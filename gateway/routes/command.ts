import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { canonical } from '#commands/pipeline/append.ts'
import type { Caller, Command, Outcome } from '#commands/port.ts'
import { type Span, traced } from '#commands/tracer.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { tokenOfSession } from '#schemas/events/origin.ts'
import type { Refusal, Result } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import type { Parts, Session } from '../port.ts'
import { refuse } from '../problem.ts'

/** A write waits this long until its own node shows it. */
export const READ_YOUR_WRITES_TIMEOUT_MS = 5_000

/** The session of a route that needs one: the guard has let nobody else through. */
export const sessionOf = (request: FastifyRequest): Session => {
  if (request.session === undefined) throw new RequestRefused({ code: 'auth.required' })
  return request.session
}

export const callerOf = (request: FastifyRequest): Caller => sessionOf(request).caller

/** The caller with the rights of this moment; undefined after the end of the session. */
const refreshed = async (caller: Caller): Promise<Caller | undefined> =>
  caller.refresh === undefined ? caller : caller.refresh()

/** Ends a download. @throws when the session ended, or the right or the level was taken */
export const requireStillPermitted = async (caller: Caller, permission: string): Promise<void> => {
  const current = await refreshed(caller)
  const mayRead = current?.permits(permission) === true && current.subtree.has(caller.level)
  if (!mayRead) throw new Error('the download ends: its right was taken')
}

/** The session, or the token, has ended while a request of it was answered. */
export const accessEnded = (session: string | null): RequestRefused =>
  new RequestRefused({ code: tokenOfSession(session) === undefined ? 'auth.required' : 'auth.token' })

/** The caller with the rights of this moment, which the route still has to find sufficient. */
const currentCallerOf = async (request: FastifyRequest): Promise<Caller> => {
  const caller = callerOf(request)
  const current = await refreshed(caller)
  if (current === undefined) throw accessEnded(caller.session)
  const { permission } = request.routeOptions.config
  if (permission !== undefined && !current.permits(permission)) throw new RequestRefused({ code: 'access.forbidden' })
  return current
}

/** Idempotency-Key with what scopes it and the hash of what was sent. */
const keyOf = (request: FastifyRequest, body: Json): Command['key'] => {
  const value = request.headers['idempotency-key']
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(value))
    throw new RequestRefused({ code: 'request.unreadable' })
  const [path = '', query = ''] = request.url.split('?')
  const content = canonical([query, request.headers['if-match'] ?? null, body])
  return { value, method: request.method, path, body: createHash('sha256').update(content).digest('hex') }
}

/**
 * `If-Match: "12"`, or `W/"12"` from a compressing proxy; of a list the newest counts. Undefined for `*`, which matches
 * any revision, and without the header.
 */
export const revisionOf = (request: FastifyRequest): number | undefined => {
  const value = request.headers['if-match']
  if (value === undefined || value.trim() === '*') return undefined
  const revisions = value.split(',').map(part => /^(?:W\/)?"?(\d{1,15})"?$/.exec(part.trim())?.[1])
  if (revisions.includes(undefined)) throw new RequestRefused({ code: 'entity.revision' })
  return Math.max(...revisions.map(Number))
}

/** The same for what is not written without the header. */
export const neededRevisionOf = (request: FastifyRequest): number | undefined => {
  if (request.headers['if-match'] === undefined) throw new RequestRefused({ code: 'request.precondition' })
  return revisionOf(request)
}

type CommandRequest = Pick<Command, 'entity' | 'action'> & {
  readonly id?: string
  readonly input?: JsonObject
  /** Bytes that the input names by their hash. */
  readonly content?: readonly Uint8Array[]
  readonly revision?: number | undefined
  readonly only?: number | undefined
}
type SuccessfulOutcome = Extract<Outcome, { ok: true }>

/** Hands a request to the command handler and waits until the answer can be read back; `undefined` when it was refused. */
export const runCommand = (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  given: CommandRequest,
): Promise<SuccessfulOutcome | undefined> => {
  const attributes = { 'parley.entity': given.entity, 'parley.action': given.action }
  return traced(parts.tracer, 'parley.command', { trace: 'joins', attributes }, span =>
    carryOut(parts, request, reply, given, span),
  )
}

const carryOut = async (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  given: CommandRequest,
  span: Span,
): Promise<SuccessfulOutcome | undefined> => {
  const input = given.input ?? (request.body as JsonObject | undefined) ?? {}
  const key = keyOf(request, input)
  const outcome = await parts.commands.execute({
    entity: given.entity,
    action: given.action,
    id: given.id ?? '',
    input,
    caller: await currentCallerOf(request),
    correlation: request.id,
    ...(given.content === undefined ? {} : { content: given.content }),
    ...(given.revision === undefined ? {} : { revision: given.revision }),
    ...(given.only === undefined ? {} : { only: given.only }),
    ...(key === undefined ? {} : { key }),
  })
  span.set({ 'parley.outcome': outcome.ok ? 'done' : outcome.refusal.code })
  if (!outcome.ok) {
    refuse(reply, ofEntity(outcome.refusal, given.entity))
    return undefined
  }
  const isShown = await shown(parts, reply, outcome.position)
  const { id, revision, position } = outcome
  const { entity, action } = given
  const { user } = callerOf(request)
  // A store that is away now has the command: the release follows when it is back.
  const made = { entity, action, id, input, actor: user, correlation: request.id }
  await parts.releases.made(made).catch(error => parts.log.error(error))
  const written = { correlation: request.id, user, entity, action, id, revision, position, shown: isShown }
  parts.log.info(written, 'written')
  return outcome
}

/** Answer of a write that is no command of an entity. */
interface WriteResult {
  readonly position?: string | undefined
  readonly result?: JsonObject
}

interface WriteOptions {
  /** Input that an idempotency key is tied to, if not the parsed body. */
  readonly body?: Json
  /** Further members of a refusal's answer. */
  readonly refusedMembers?: () => JsonObject | undefined
}

/**
 * Same guarantees as {@link runCommand} for a write that is no command: returns its answer, undefined when it was
 * refused. All written ids derive from the seed, which a repeated request has again.
 */
export const runWrite = async (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  write: (seed: string, caller: Caller, resumed: boolean) => Promise<Result<WriteResult>>,
  more: WriteOptions = {},
): Promise<JsonObject | undefined> => {
  const { body = (request.body as Json | undefined) ?? {} } = more
  const key = keyOf(request, body)
  const asked = {
    caller: await currentCallerOf(request),
    correlation: request.id,
    ...(key === undefined ? {} : { key }),
  }
  const outcome = await parts.commands.once(asked, async (seed, resumed) => {
    const written = await write(seed, asked.caller, resumed)
    if (!written.ok) return written
    const { position, result = {} } = written.value
    return { ok: true, id: '', revision: 0, result, ...(position === undefined ? {} : { position }) }
  })
  if (!outcome.ok) {
    refuse(reply, outcome.refusal, more.refusedMembers?.())
    return undefined
  }
  await shown(parts, reply, outcome.position)
  return outcome.result ?? {}
}

/** Some texts differ by the kind of thing (`Dialog already exists`). */
const ofEntity = (refusal: Refusal, entity: string): Refusal =>
  refusal.code === 'entity.name.taken' ? { ...refusal, params: { entity, ...refusal.params } } : refusal

/** Waits until this node shows what was written; past the limit it says so, turns unready and answers false. */
export const shown = async (parts: Parts, reply: FastifyReply, position: string | undefined): Promise<boolean> => {
  if (position === undefined) return true
  const reached = () => parts.read.reached(position, READ_YOUR_WRITES_TIMEOUT_MS)
  if (await traced(parts.tracer, 'parley.projected', {}, reached)) return true
  reply.header('parley-projection', 'behind')
  parts.readiness.fellBehind(position)
  return false
}
