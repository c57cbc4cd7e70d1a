import { userCommands } from '#domain/people/user-command.ts'
import { deskagent } from '#schemas/entities/deskagent.ts'
import { singleId } from '#schemas/entity.ts'
import type { SESSION_ENDS } from '#schemas/events/session.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { GENERIC, namedAttempt, transfer } from '../generic/entity-commands.ts'
import { derivedId } from '../pipeline/append.ts'
import { type Attempt, type CommandContext, isPermitted, type Run } from '../pipeline/command-context.ts'
import { systemCommand } from '../port.ts'
import type { EventStore } from '../store/port.ts'
import { createKeyedMutex, type KeyedLimiter } from './keyed-mutex.ts'
import { withdrawAuthenticator } from './offered-authenticator.ts'
import { passwordOfCommand } from './password.ts'
import { loadUserFacts } from './people-facts.ts'
import { provisionUser } from './provision.ts'
import { releaseAdministration } from './rights-facts.ts'
import { createSessions } from './session.ts'

type SessionEnd = (typeof SESSION_ENDS)[number]

/** One line of turns for each store that this process writes to. */
const turns = new WeakMap<EventStore, KeyedLimiter>()

const turnsOf = ({ store }: CommandContext): KeyedLimiter => {
  const known = turns.get(store) ?? createKeyedMutex(Number.POSITIVE_INFINITY)
  turns.set(store, known)
  return known
}

/**
 * Runs changes of rights one at a time, each on the result of the one before: two administrators who demote each other
 * at once must not both succeed. Across nodes the lock of `endsAdministration` does the same. The caller's own rights
 * are loaded again when the turn starts.
 */
const inTurn =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const done = await turnsOf(context).take('administration', async () => {
      const caller = await current(run)
      if (caller === undefined) return refused('auth.required')
      if (!isPermitted(context.registry, caller, run.entity, run.command.action)) return refused('access.forbidden')
      try {
        const result = await attempt(context, { ...run, command: { ...run.command, caller } })
        if (result.ok && result.value.position !== undefined) await context.lookup.reached(result.value.position)
        return result
      } finally {
        await releaseAdministration(context, run)
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
  async (context, run) => {
    const { id, input, caller } = run.command
    const own = caller.user === id && reason === 'password' ? caller.session : null
    const result = await attempt(context, run)
    if (!result.ok || !ends(input)) return result
    const position = await createSessions({ ...context, hours: 0 }).endAll(id, reason, own)
    return position === undefined ? result : accepted({ ...result.value, position })
  }

/** Removes the name and the picture that people see of a user at the desk. Returns the position of the change. */
const clearProfile = async (context: CommandContext, { command, author }: Run): Promise<string | undefined> => {
  const id = singleId(deskagent.name, command.id)
  const input = { display_name: null, avatar: null }
  const cleared = await change.attempt(context, {
    command: {
      ...systemCommand({ entity: deskagent.name, action: 'change', id, input }),
      correlation: author.correlation,
    },
    author: { ...author, seed: derivedId(author.seed, id) },
    ...{ entity: deskagent, reserved: new Map(), isRepeated: true },
  })
  return cleared.ok ? cleared.value.position : undefined
}

/** Ids of the keys under which the values of a user are sealed: their own and those of their profile at the desk. */
export const keysOfUser = (user: string): readonly string[] => [user, singleId(deskagent.name, user)]

/** The keys that the personal values are read with go once the stream says so; doing it again finishes what a crash left. */
const destroyingKeys =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const result = await attempt(context, run)
    if (!result.ok) return result
    const position = await clearProfile(context, run)
    for (const key of keysOfUser(run.command.id)) await context.keys.personal.forget(key)
    return position === undefined ? result : accepted({ ...result.value, position })
  }

/** An authenticator registration begun before the reset cannot be confirmed after it. */
const withdrawing =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const result = await attempt(context, run)
    if (result.ok) await withdrawAuthenticator(context, run.command.id)
    return result
  }

const withPassword =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const result = await attempt(context, run)
    if (!result.ok) return result
    return accepted({ ...result.value, result: { password: await passwordOfCommand(context.keys, run.author.seed) } })
  }

/** Only a failure that locks the user revokes rights. */
const inTurnIfLocking =
  (attempt: Attempt): Attempt =>
  (context, run) =>
    (run.command.input.lock === true ? inTurn(attempt) : attempt)(context, run)

const named = (name: keyof typeof userCommands): Attempt => namedAttempt(userCommands[name], loadUserFacts)
const { create, change, remove, restore } = GENERIC

/** Roles and user groups give rights, and take them. */
export const rightsCommands = {
  create: { ...create, attempt: inTurn(create.attempt) },
  change: { ...change, attempt: inTurn(change.attempt) },
  restore: { ...restore, attempt: inTurn(restore.attempt) },
  remove: { ...remove, attempt: inTurn(remove.attempt) },
}

export const userOverrides = {
  ...rightsCommands,
  change: {
    ...change,
    attempt: endingSessions('password', inTurn(change.attempt), input => 'password' in input),
  },
  remove: { ...remove, attempt: endingSessions('removed', inTurn(remove.attempt)) },
  lock: { permission: 'lock', attempt: endingSessions('locked', inTurn(named('lock'))) },
  unlock: { permission: 'unlock', attempt: inTurn(named('unlock')) },
  transfer: { permission: 'transfer', attempt: inTurn(transfer(loadUserFacts)) },
  /** Given by the routes of SCIM alone: no role can name its permission. */
  provision: {
    permission: 'provision',
    attempt: endingSessions('locked', inTurn(provisionUser), ({ active }) => active === false),
  },
  failsignin: { permission: 'failsignin', attempt: inTurnIfLocking(named('failsignin')) },
  forget: {
    permission: 'forget',
    attempt: endingSessions('forgotten', destroyingKeys(inTurn(named('forget')))),
  },
  reset2fa: { permission: 'reset2fa', attempt: withdrawing(inTurn(named('reset2fa'))) },
  resetpassword: {
    permission: 'resetpassword',
    attempt: endingSessions('password', inTurn(withPassword(named('resetpassword')))),
  },
}
