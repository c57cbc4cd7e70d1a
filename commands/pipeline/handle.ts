import { type Result, refused } from '#schemas/refusal.ts'
import type { Command, Outcome } from '../port.ts'
import { chainOf } from '../process/descendants.ts'
import { EventTooLarge, WrongRevision } from '../store/port.ts'
import { BUSY, WorkBusy } from '../time-slicer.ts'
import type { Author } from './author.ts'
import type { Attempt, CommandContext, CommandResult, Run } from './command-context.ts'
import { findEarlierResult } from './idempotent.ts'
import { isPermitted } from './permission.ts'

/** Attempts at one command before a conflict of revisions becomes an error. */
const MAX_ATTEMPTS = 100

/**
 * One command through the pipeline: authorize, load, decide, append, and again after a conflict. Loading, deciding and
 * appending are the registered attempt's.
 */
export const handleCommand = async (
  context: CommandContext,
  command: Command,
  seed: string,
  isRepeated: boolean,
): Promise<Outcome> => {
  const entity = context.entityOf(command.entity)
  if (entity === undefined) return refused('entity.notfound')
  if (!isPermitted(context.registry, command.caller, entity, command.action)) return refused('access.forbidden')
  const registered = context.registry.commandOf(entity.name, command.action)
  if (registered === undefined) return refused('entity.notfound')
  const author: Author = {
    seed,
    actor: command.caller.user,
    time: context.now().toISOString(),
    correlation: command.correlation,
    causation: command.caller.session,
    isSole: command.key === undefined && command.seed === undefined,
  }
  const run: Run = { command, entity, author, reserved: new Map(), isRepeated }
  const result = await orEarlierResult(retryOnConflict(rejectWhileBusy(registered.attempt)))(context, run)
  for (const [stream, owner] of run.reserved) await context.reservation.release(author, owner, stream)
  return result.ok ? { ok: true, ...result.value } : result
}

/**
 * Does not wait: refuses a command while a process works on its target or the target's parents, unless it is the
 * command's own process. Parents never change, so cached states suffice.
 */
const rejectWhileBusy =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const roots = await chainOf(context, run.entity, run.command)
    if (roots.length === 0 || !(await context.processes.isBusy(roots))) return attempt(context, run)
    return (run.isRepeated ? await findEarlierResult(context, run) : undefined) ?? refused('entity.busy')
  }

/** Another node may have carried out the command that is refused here: its result counts. */
const orEarlierResult =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const result = await attempt(context, run)
    return (result.ok || run.author.isSole === true ? undefined : await findEarlierResult(context, run)) ?? result
  }

const retryOnConflict =
  (attempt: Attempt): Attempt =>
  async (context, first): Promise<Result<CommandResult>> => {
    let run = first
    for (let left = MAX_ATTEMPTS; ; left -= 1) {
      try {
        return await attempt(context, run)
      } catch (error) {
        if (error instanceof EventTooLarge) return refused('request.toolarge')
        if (error instanceof WorkBusy) return BUSY
        if (!(error instanceof WrongRevision) || left === 0) throw error
        run = { ...run, isRepeated: true }
      }
    }
  }
