import type { CommandHandler } from '../port.ts'
import type { EventStore } from '../store/port.ts'
import { EVERYTHING, firstIds, granted, systemOf } from './administrator.ts'
import { randomPassword } from './new-password.ts'

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
  /** Made up, to be told once; absent when it was given. */
  readonly password?: string
}

/**
 * While there is no user: the root level, a role that may do everything, the group of those who hold it, and the user
 * `admin` in it. May be broken off and repeated at any point.
 */
export const bootstrap = async (options: BootstrapOptions): Promise<Bootstrapped> => {
  const { store, commands, root = 'Parley' } = options
  if (await hasUser(store)) return { first: false }
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

const hasUser = async (store: EventStore): Promise<boolean> => {
  const made = store.readAll({ limit: 1, filter: { streamPrefixes: ['user-'], types: ['UserCreated'] } })
  for await (const _ of made) return true
  return false
}
