import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import { tokenOfSession } from '#schemas/events/origin.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Keys } from '../keys/secret.ts'
import type { Command, Outcome } from '../port.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import {
  type Author,
  append,
  derivedId,
  draft,
  findStandingEvent,
  findWrittenEvent,
  NO_STREAM,
  type Tail,
  undoneSeed,
} from './append.ts'
import { type Attempt, type CommandContext, type CommandResult, cachedTarget, type Run } from './command-context.ts'

/** `resumed`: an earlier execution with this seed may have written already. */
type Execution = (seed: string, resumed: boolean) => Promise<Outcome>
/** Caller and idempotency key of a write. */
type IdempotentRequest = Pick<Command, 'caller' | 'key' | 'correlation'>
/** Carries something out; under an idempotency key at most once in 24 hours. */
export type IdempotencyGuard = (asked: IdempotentRequest, execute: Execution) => Promise<Outcome>

type Key = NonNullable<Command['key']>
type Standing =
  | { readonly status: 'new'; readonly tail: Tail }
  | { readonly status: 'started'; readonly tail: Tail; readonly event: StoredEvent }
  | { readonly status: 'answered'; readonly body: string; readonly event: StoredEvent }

interface Options {
  readonly store: EventStore
  readonly keys: Keys
  readonly now: () => Date
}

/** Retention of answers, ms. */
export const ANSWER_RETENTION_MS = 24 * 3600 * 1000
export const REQUEST_PREFIX = 'request-'
/** Longest wait for another node's answer before a takeover of its execution, ms. */
const TAKEOVER_MS = 5000
const POLL_INTERVAL_MS = 25

/**
 * Idempotency keys, one stream each: started, then answered or, on refusal, dropped. All event ids derive from the key,
 * so taking over a broken execution writes nothing twice.
 */
export const createIdempotencyGuard = ({ store, keys, now }: Options): IdempotencyGuard => {
  const flights = new Map<string, { body: string; outcome: Promise<Outcome> }>()

  const guarded = async (
    command: IdempotentRequest,
    key: Key,
    stream: string,
    execute: Execution,
  ): Promise<Outcome> => {
    const began = performance.now()
    // Most keys are new: that is not asked for, writing finds it out.
    let held: Standing = { status: 'new', tail: NO_STREAM }
    for (; ; held = await standing(store, stream, now())) {
      if (held.status !== 'new' && bodyOf(held) !== key.body) return refused('request.idempotency')
      if (held.status === 'answered') return answerOf({ store, keys }, stream, held.event)
      if (held.status === 'new') {
        const started = await write(command, stream, held.tail, 'RequestStarted', { body: key.body })
        if (started !== undefined) return carryOut(command, stream, started, execute, false)
        continue
      }
      // A clock that was set back makes what was started look young: this request's own patience counts as well.
      const age = Math.max(now().getTime() - Date.parse(held.event.time), performance.now() - began)
      if (age > TAKEOVER_MS) {
        return carryOut(command, stream, held.tail, execute, true)
      }
      await pause(POLL_INTERVAL_MS)
    }
  }

  const carryOut = async (
    command: IdempotentRequest,
    stream: string,
    tail: Tail,
    execute: Execution,
    resumed: boolean,
  ) => {
    const outcome = await execute(seedOf(stream, tail), resumed)
    if (!outcome.ok) await write(command, stream, tail, 'RequestDropped', {})
    else {
      const { id, revision, position, result } = outcome
      const sealed = result === undefined ? {} : { result: await keys.secret.encrypt(result, stream) }
      const answer = { id, revision, ...(position === undefined ? {} : { position }), ...sealed }
      await write(command, stream, tail, 'RequestAnswered', { body: command.key?.body ?? '', answer })
    }
    return outcome
  }

  /** Undefined: someone else moved the stream. */
  const write = async (command: IdempotentRequest, stream: string, tail: Tail, type: string, data: JsonObject) => {
    const { user: actor, session: causation } = command.caller
    const seed = seedOf(stream, tail)
    const author: Author = { seed, actor, time: now().toISOString(), correlation: command.correlation, causation }
    try {
      const event = { ...draft(author, type, type, null, data), id: crypto.randomUUID() }
      return await append(store, stream, tail, [event])
    } catch (error) {
      if (error instanceof WrongRevision) return undefined
      throw error
    }
  }

  return async (command, execute) => {
    const { key: given } = command
    if (given === undefined) return execute(crypto.randomUUID(), false)
    const stream = streamOf(command.caller, given)
    // A body may hold a password: readers of the log must not be able to guess it from its hash.
    const key = { ...given, body: await keys.index.hmac(given.body) }
    const flight = flights.get(stream)
    if (flight !== undefined) {
      if (flight.body !== key.body) return refused('request.idempotency')
      const outcome = await flight.outcome
      return outcome.ok ? repeatedOf(outcome) : outcome
    }
    const outcome = guarded({ ...command, key }, key, stream, execute)
    flights.set(stream, { body: key.body, outcome })
    try {
      return await outcome
    } finally {
      flights.delete(stream)
    }
  }
}

const repeatedOf = ({ once: _, ...outcome }: Extract<Outcome, { ok: true }>): Outcome => ({
  ...outcome,
  repeated: true,
})

/** Keys of a token are apart from those of its user, whose answers may hold values that the token must not read. */
const streamOf = ({ user, session }: Command['caller'], { value, method, path }: Key) => {
  const token = tokenOfSession(session)
  const scope = [...(token === undefined ? [] : [token]), user, method, path, value]
  return `${REQUEST_PREFIX}${hash('sha256', JSON.stringify(scope))}`
}

const seedOf = (stream: string, { revision }: Tail) => derivedId(stream, String(revision))

const bodyOf = (held: Exclude<Standing, { status: 'new' }>) =>
  held.status === 'answered' ? held.body : String(held.event.data.body)

const standing = async (store: EventStore, stream: string, now: Date): Promise<Standing> => {
  for await (const event of store.read(stream, { direction: 'backwards', limit: 1 })) {
    const tail = { revision: event.revision, hash: event.hash }
    const isOld = now.getTime() - Date.parse(event.time) > ANSWER_RETENTION_MS
    if (isOld || event.type === 'RequestDropped') return { status: 'new', tail }
    if (event.type === 'RequestStarted') return { status: 'started', tail, event }
    return { status: 'answered', body: String(event.data.body), event }
  }
  // A swept stream is empty and keeps its count: the same key creates other ids than before.
  return { status: 'new', tail: { ...NO_STREAM, revision: await store.revision(stream) } }
}

const answerOf = async (
  { store, keys }: Pick<Options, 'store' | 'keys'>,
  stream: string,
  event: StoredEvent,
): Promise<Outcome> => {
  const { id, revision, position, result } = event.data.answer as JsonObject
  // A log that was copied has other positions: waiting for one past its end would never end.
  const isHere = position !== undefined && String(position) <= (await store.head())
  return {
    ok: true,
    repeated: true,
    id: String(id),
    revision: Number(revision),
    ...(isHere ? { position: String(position) } : {}),
    ...(result === undefined
      ? {}
      : { result: (await keys.secret.decrypt(result as JsonObject, stream)) as JsonObject }),
  }
}

/** Streams deleted together, so that one disk write serves many. */
const TOGETHER = 64

/** Forgets the answers that are older than idempotency keys are good for; answers how many there were. */
export const sweepRequests = async (store: EventStore, now: Date): Promise<number> => {
  const head = await store.head()
  let swept = 0
  let old = new Set<string>()
  const forget = async () => {
    const done = await Promise.all([...old].map(stream => forgotten(store, stream, head, now)))
    swept += done.filter(Boolean).length
    old = new Set()
  }
  for await (const { stream, time } of store.readAll({ filter: { streamPrefixes: [REQUEST_PREFIX] } })) {
    if (!isOld(time, now)) break
    old.add(stream)
    if (old.size === TOGETHER) await forget()
  }
  await forget()
  return swept
}

/** Keeps the newest event of the log: read models check with it that they belong to this log. */
const forgotten = async (store: EventStore, stream: string, head: string, now: Date): Promise<boolean> => {
  for await (const { time, revision, position } of store.read(stream, { direction: 'backwards', limit: 1 })) {
    if (!isOld(time, now) || position === head) return false
    try {
      await store.delete(stream, revision)
      return true
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
  return false
}

const isOld = (time: string, now: Date) => now.getTime() - Date.parse(time) > ANSWER_RETENTION_MS

/**
 * Result of an execution of the same command, here or on another node, found by this one's event ids. Ends a process it
 * began first.
 */
export const findEarlierResult = async (
  context: CommandContext,
  { command, entity, author }: Run,
): Promise<Result<CommandResult> | undefined> => {
  const { store, processes, loader } = context
  const id = command.id === '' ? derivedId(author.seed, `${entity.name}:0`) : command.id
  // If no other execution has the ids, only a process can have begun without the end of the command.
  const streams = author.isSole === true ? [] : [entityStream(entity.name, id), flowStream(id)]
  const found = await Promise.all(streams.map(stream => findStandingEvent(store, author.seed, stream)))
  const written = found.find(event => event !== undefined)
  if (written !== undefined) return accepted({ id, revision: written.revision, position: written.position })
  const ended = await processes.begun(author, id)
  if (ended?.ok !== true) return ended
  const { tail } = await loader.load(entity, id, { fresh: true })
  return accepted({ id, revision: tail.revision, position: ended.value.position })
}

/** Whether this command wrote a thing and has taken that back: the same events cannot be written once more. */
export const isTakenBack = async ({ store }: CommandContext, { author, entity }: Run, id: string): Promise<boolean> =>
  (await findWrittenEvent(store, undoneSeed(author.seed), entityStream(entity.name, id))) !== undefined

/**
 * Skips an attempt whose command was already carried out, but not its follow-ups. Returns an answer without an event
 * only if its state equals the one in the store: otherwise repeats the attempt. An attempt that took back what it wrote
 * has had its state.
 */
export const idempotent =
  (attempt: Attempt): Attempt =>
  async (context, first) => {
    for (let run = first; ; run = { ...run, isRepeated: true }) {
      const done = run.isRepeated ? await findEarlierResult(context, run) : undefined
      if (done !== undefined) return done
      const target = cachedTarget(context, run)
      const result = await attempt(target.context, run)
      const isWritten = result.ok && result.value.position !== undefined
      if (isWritten || !(await target.wasStale()) || (await isTakenBack(context, run, run.command.id))) return result
    }
  }
