import type { SESSION_ENDS } from '#schemas/events/session.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { change } from '../generic/change.ts'
import { create } from '../generic/create.ts'
import { named } from '../generic/named-command.ts'
import { remove } from '../generic/remove.ts'
import { restore } from '../generic/restore.ts'
import type { Attempt } from '../pipeline/attempt.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { unlessDone } from '../pipeline/idempotent.ts'
import { isPermitted } from '../pipeline/permission.ts'
import type { Run } from '../pipeline/run.ts'
import type { EventStore } from '../store/port.ts'
import { releaseAdministration } from './gather-rights.ts'
import { passwordOfCommand } from './new-password.ts'
import { createSessions } from './session.ts'
import { createTurns, type Turns } from './turn.ts'

type SessionEnd = (typeof SESSION_ENDS)[number]

/** One line of turns for each store that this process writes to. */
const turns = new WeakMap<EventStore, Turns>()

const turnsOf = ({ store }: Tools): Turns => {
  const known = turns.get(store) ?? createTurns(Number.POSITIVE_INFINITY)
  turns.set(store, known)
  return known
}

/**
 * What gives or takes rights happens one after the other, each seeing what the one before left: two administrators who
 * demote each other at once may not both succeed. On another node the lock of `endsAdministration` does the same. The
 * caller's own rights are asked again when their turn has come.
 */
const inTurn =
  (attempt: Attempt): Attempt =>
  async (tools, run) => {
    const done = await turnsOf(tools).take('administration', async () => {
      const caller = await current(run)
      if (caller === undefined) return refused('auth.required')
      if (!isPermitted(caller, run.entity, run.command.action)) return refused('access.forbidden')
      try {
        const result = await attempt(tools, { ...run, command: { ...run.command, caller } })
        if (result.ok && result.value.position !== undefined) await tools.lookup.reached(result.value.position)
        return result
      } finally {
        await releaseAdministration(tools, run)
      }
    })
    if (done === undefined) throw new Error('Nobody is ever sent away')
    return done
  }

const current = async ({ command: { caller } }: Run) => (caller.refresh === undefined ? caller : caller.refresh())

/** The user's sessions end with what was done to them. */
const endingSessions =
  (
    reason: SessionEnd,
    attempt: Attempt,
    ends: (input: Readonly<Record<string, unknown>>) => boolean = () => true,
  ): Attempt =>
  async (tools, run) => {
    const { id, input, caller } = run.command
    const own = caller.user === id && reason === 'password' ? caller.session : null
    const result = await attempt(tools, run)
    if (!result.ok || !ends(input)) return result
    const position = await createSessions({ ...tools, hours: 0 }).endAll(id, reason, own)
    return position === undefined ? result : accepted({ ...result.value, position })
  }

/** The key that the personal values are read with goes once the stream says so; doing it again finishes what a crash left. */
const destroyingKey =
  (attempt: Attempt): Attempt =>
  async (tools, run) => {
    const result = await attempt(tools, run)
    if (result.ok) await tools.keys.personal.forget(run.command.id)
    return result
  }

const resetPassword: Attempt = async (tools, run) => {
  const result = await unlessDone(named)(tools, run)
  if (!result.ok) return result
  return accepted({ ...result.value, result: { password: await passwordOfCommand(tools.keys, run.author.seed) } })
}

/** A failure that does not lock takes nobody's right. */
const failSignIn: Attempt = (tools, run) =>
  (run.command.input.lock === true ? inTurn(unlessDone(named)) : unlessDone(named))(tools, run)

export const userAttempts: Readonly<Record<string, Attempt>> = {
  'user.create': inTurn(unlessDone(create)),
  'user.change': endingSessions('password', inTurn(unlessDone(change)), input => 'password' in input),
  'user.restore': inTurn(unlessDone(restore)),
  'user.lock': endingSessions('locked', inTurn(unlessDone(named))),
  'user.failsignin': failSignIn,
  'user.forget': endingSessions('forgotten', destroyingKey(inTurn(unlessDone(named)))),
  'user.remove': endingSessions('removed', inTurn(unlessDone(remove))),
  'user.unlock': inTurn(unlessDone(named)),
  'user.reset2fa': inTurn(unlessDone(named)),
  'user.resetpassword': endingSessions('password', inTurn(resetPassword)),
  'usergroup.create': inTurn(unlessDone(create)),
  'usergroup.change': inTurn(unlessDone(change)),
  'usergroup.restore': inTurn(unlessDone(restore)),
  'usergroup.remove': inTurn(unlessDone(remove)),
  'role.create': inTurn(unlessDone(create)),
  'role.change': inTurn(unlessDone(change)),
  'role.restore': inTurn(unlessDone(restore)),
  'role.remove': inTurn(unlessDone(remove)),
}
