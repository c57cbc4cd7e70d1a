import type { Lookup } from '#domain/lookup.ts'
import { MENU_ACTIONS, PERMISSIONS, SERVICES } from '#domain/people/permission.ts'
import { role } from '#schemas/entities/role.ts'
import type { JsonObject } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { stringsOf } from '#schemas/json.ts'
import { createCommandHandler } from '../command-handler.ts'
import type { FileKeys } from '../keys/open-keys.ts'
import { derivedId } from '../pipeline/append.ts'
import { createLoader } from '../pipeline/load.ts'
import { type CommandHandler, type Outcome, systemCaller } from '../port.ts'
import type { EventStore } from '../store/port.ts'
import { randomPassword } from './password.ts'
import { keysOfUser } from './user-attempt.ts'

/** Ids created at first start: constant for a store, so an interrupted start resumes. */
interface FirstIds {
  readonly level: string
  readonly role: string
  readonly group: string
  readonly user: string
}

export const firstIds = (store: EventStore): FirstIds => ({
  level: derivedId(store.id, 'first hierarchy'),
  role: derivedId(store.id, 'first role'),
  group: derivedId(store.id, 'first usergroup'),
  user: derivedId(store.id, 'first user'),
})

/** The role that may do everything. */
export const EVERYTHING = { actions: [...MENU_ACTIONS], services: [...SERVICES] }

type System = (entity: string, action: string, id: string, input?: JsonObject) => Promise<Outcome>

/** Gives commands on the system's behalf, in the root level. */
export const systemOf =
  (commands: CommandHandler, level: string): System =>
  (entity, action, id, input = {}) =>
    commands.execute({
      entity,
      action,
      id,
      input,
      caller: systemCaller(level),
      correlation: crypto.randomUUID(),
    })

/** @throws when what the system asked for was refused */
export const granted = (outcome: Outcome): Extract<Outcome, { ok: true }> => {
  if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome.refusal)}`)
  return outcome
}

interface BootstrapOptions {
  readonly store: EventStore
  readonly commands: CommandHandler
  /** PARLEY_ADMIN_PASSWORD. */
  readonly password?: string | undefined
  /** Name of the root of the levels. Default `Parley`. */
  readonly root?: string
}

interface Bootstrapped {
  /** There was no user yet. */
  readonly first: boolean
  /** Position to wait for before anyone signs in. */
  readonly position?: string
  /** Generated, to be shown once; absent when it was given. */
  readonly password?: string
}

/**
 * While there is no user: the root level, a role that may do everything, the group of those who hold it, and the user
 * `admin` in it. May be broken off and repeated at any point.
 */
export const bootstrap = async (options: BootstrapOptions): Promise<Bootstrapped> => {
  const { store, commands, root = 'Parley' } = options
  if (await hasUser(store)) return grantAdded(options)
  const ids = firstIds(store)
  const system = systemOf(commands, ids.level)
  const password = options.password ?? randomPassword()
  granted(await system('hierarchy', 'create', ids.level, { name: root }))
  granted(await system('role', 'create', ids.role, { name: 'Administrator', ...EVERYTHING }))
  granted(await system('usergroup', 'create', ids.group, { name: 'Administrators', roles: [ids.role] }))
  const made = granted(
    await system('user', 'create', ids.user, {
      username: 'admin',
      firstname: 'Admin',
      password,
      usergroup: [ids.group],
    }),
  )
  // Another node that begins on the same store was first, and tells its password.
  if (made.position === undefined) return { first: false }
  return {
    first: true,
    position: made.position,
    ...(options.password === undefined ? { password } : {}),
  }
}

/**
 * An update adds rights that no role has, and nobody can grant a right that they lack. The first role therefore gets the
 * rights that it never had. A right that was taken from it stays away: the stream of the role has it.
 */
const grantAdded = async ({ store, commands }: BootstrapOptions): Promise<Bootstrapped> => {
  const ids = firstIds(store)
  const had = { actions: new Set<string>(), services: new Set<string>() }
  for await (const { data } of store.read(entityStream(role.name, ids.role))) {
    const { actions, services } = data.fields as JsonObject
    for (const name of stringsOf(actions)) had.actions.add(name)
    for (const name of stringsOf(services)) had.services.add(name)
  }
  const added = {
    actions: EVERYTHING.actions.filter(name => !had.actions.has(name)),
    services: EVERYTHING.services.filter(name => !had.services.has(name)),
  }
  if (added.actions.length === 0 && added.services.length === 0) return { first: false }
  const { state } = await createLoader(store).load(role, ids.role)
  if (state.status !== 'live') return { first: false }
  const { position } = granted(
    await systemOf(commands, ids.level)('role', 'change', ids.role, {
      // Names that this version does not know would be refused.
      actions: [...stringsOf(state.fields.actions).filter(name => PERMISSIONS.has(name)), ...added.actions],
      services: [...stringsOf(state.fields.services).filter(name => SERVICES.includes(name)), ...added.services],
    }),
  )
  return { first: false, ...(position === undefined ? {} : { position }) }
}

const hasUser = async (store: EventStore): Promise<boolean> => {
  const made = store.readAll({ limit: 1, filter: { streamPrefixes: ['user-'], types: ['UserCreated'] } })
  for await (const _ of made) return true
  return false
}

interface Restored {
  readonly store: EventStore
  readonly keys: FileKeys
  readonly lookup: Lookup
}

/**
 * Records in a restored log that people were forgotten after the backup: their keys are already destroyed. @returns the
 * position to wait for; undefined when the log contains all of them
 */
export const forgetListed = async ({ store, keys, lookup }: Restored): Promise<string | undefined> => {
  const missing = new Set(keys.personal.forgotten())
  const told = store.readAll({ filter: { streamPrefixes: ['user-'], types: ['UserForgotten'] } })
  for await (const { stream } of told) missing.delete(stream.slice('user-'.length))
  const system = systemOf(createCommandHandler({ store, keys, lookup }), firstIds(store).level)
  let position: string | undefined
  for (const user of missing) {
    // Users created after the backup, and keys of profiles at the desk, are only on the list.
    if ((await store.revision(`user-${user}`)) === 0) continue
    position = granted(await system('user', 'forget', user, { confirm: 'CONFIRM' })).position
  }
  return position
}

interface ForgettingKeys {
  readonly personal: {
    forget(user: string): Promise<void> | void
    forgotten(): Promise<ReadonlySet<string>> | ReadonlySet<string>
  }
}

/** Destroys the keys of users whose stream says that they were forgotten, where a crash came between the two. */
export const finishForgetting = async (store: EventStore, { personal }: ForgettingKeys): Promise<void> => {
  const done = await personal.forgotten()
  const told = store.readAll({ filter: { streamPrefixes: ['user-'], types: ['UserForgotten'] } })
  for await (const { stream } of told) {
    for (const key of keysOfUser(stream.slice('user-'.length))) if (!done.has(key)) await personal.forget(key)
  }
}
