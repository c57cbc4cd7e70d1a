import { entityStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { cachedTarget } from './cached-target.ts'
import type { Attempt, CommandContext, CommandResult, Run } from './command-context.ts'
import { derivedId } from './event-id.ts'
import { findStandingEvent } from './find-written-event.ts'

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

/**
 * Skips an attempt whose command was already carried out, but not its follow-ups. Returns an answer without an event
 * only if its state equals the one in the store: otherwise repeats the attempt.
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
      if (isWritten || !(await target.wasStale())) return result
    }
  }
