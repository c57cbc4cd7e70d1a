import { entityStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandResult } from './command-result.ts'
import { derivedId } from './event-id.ts'
import { findStandingEvent } from './find-written-event.ts'
import type { Run } from './run.ts'

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
