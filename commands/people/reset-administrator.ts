import type { Lookup } from '#domain/lookup.ts'
import { role } from '#schemas/entities/role.ts'
import { user } from '#schemas/entities/user.ts'
import { usergroup } from '#schemas/entities/usergroup.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { createCommandHandler } from '../command-handler.ts'
import type { Keys } from '../keys/secret.ts'
import { createLoader } from '../pipeline/load.ts'
import type { EventStore } from '../store/port.ts'
import { bootstrap, EVERYTHING, firstIds, granted, systemOf } from './bootstrap.ts'
import { hashPassword, randomPassword } from './password.ts'
import { loadPerson } from './person.ts'
import { createSessions } from './session.ts'

/**
 * The way back in, on the machine, while no gateway runs: the first user gets a new password, is unlocked, loses the
 * second factor and every open session, and is again in the group that may do everything. A user who was removed comes
 * back; after one who was forgotten a new `admin` is made.
 */
export const resetAdministrator = async (
  store: EventStore,
  keys: Keys,
  { onlyProviders = false }: { readonly onlyProviders?: boolean } = {},
): Promise<{ readonly username: string; readonly password: string }> => {
  const lookup = offlineLookup(store)
  const commands = createCommandHandler({ store, keys, lookup })
  const password = randomPassword()
  const begun = await bootstrap({ store, commands, password })
  if (begun.first) return { username: 'admin', password }

  // Else nobody could use the password, and the gateway would not start.
  const marked = onlyProviders ? { breakglass: true, enabletwofactor: true } : {}
  const ids = firstIds(store)
  const loader = createLoader(store)
  const system = systemOf(commands, ids.level)
  const bringBack = async (entity: EntityDeclaration, id: string) => {
    const { state } = await loader.load(entity, id, { fresh: true })
    if (state.status === 'removed') granted(await system(entity.name, 'restore', id, { revision: state.revision }))
  }
  await bringBack(role, ids.role)
  granted(await system('role', 'change', ids.role, EVERYTHING))
  await bringBack(usergroup, ids.group)
  granted(await system('usergroup', 'change', ids.group, { roles: [ids.role] }))
  await bringBack(user, ids.user)
  const person = await loadPerson({ store, keys, loader }, ids.user)
  if (person === undefined) {
    granted(await system('user', 'create', '', { username: 'admin', password, usergroup: [ids.group], ...marked }))
    return { username: 'admin', password }
  }
  const hash = await hashPassword(password)
  granted(await system('user', 'recover', person.id, { hash, groups: [ids.group], breakglass: onlyProviders }))
  await createSessions({ store, lookup, now: () => new Date(), hours: 0 }).endAll(person.id, 'reset')
  return { username: person.username, password }
}

/** Lookup for the system's own commands, read from the log. */
const offlineLookup = (store: EventStore): Lookup => ({
  async sessionsOf(id) {
    const sessions: string[] = []
    const started = store.readAll({ filter: { streamPrefixes: ['session-'], types: ['SessionStarted'] } })
    for await (const { stream, data } of started) if (data.user === id) sessions.push(stream.slice('session-'.length))
    return sessions
  },
  sessionsAt: async () => [],
  children: async () => [],
  referrers: async () => ({ items: [], total: 0 }),
  occupants: async () => 0,
  administrators: async () => [],
  ancestors: async level => [level],
  permissionsOfGroups: async () => new Set<string>(),
  permissionsOfRoles: async () => new Set<string>(),
  permissionsOfUser: async () => new Set<string>(),
  permissionsOfToken: async () => new Set<string>(),
  reached: async () => {},
})
