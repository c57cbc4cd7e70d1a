import type { EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { type HierarchyFacts, MOVE_PERMISSION } from '#domain/people/hierarchy.ts'
import type { IdentityProviderFacts } from '#domain/people/identity-provider.ts'
import { ALL_PERMISSIONS, grantedBy, type RightsFacts } from '#domain/people/permission.ts'
import type { UserFacts, UsergroupFacts } from '#domain/people/user-command.ts'
import { sealContext } from '#schemas/events/entity.ts'
import { openField } from '../keys/secret.ts'
import {
  awaitLookup,
  bypassCache,
  type CommandContext,
  isVisible,
  type LoadFacts,
  lockTree,
  type Run,
  reaches,
} from '../pipeline/command-context.ts'
import { offeredAuthenticator } from './offered-authenticator.ts'
import { hashPassword, passwordOfCommand } from './password.ts'
import { findByEmail, findByUsername, passkeyNameContext } from './person.ts'
import { closesCycle, type Effect, fieldsAfter, idsOf, loadRightsFacts, presentFields } from './rights-facts.ts'

type Existing = Extract<EntityState, { fields: Fields }>

export const loadHierarchyFacts: LoadFacts<HierarchyFacts> = async (context, run, state, fields) => {
  const { caller, action, id, input } = run.command
  if (state.status === 'none' || state.status === 'abandoned') {
    const { hierarchylevel } = input
    return {
      level: typeof hierarchylevel === 'string' ? hierarchylevel : caller.level,
      rootless: id !== '' && id === caller.level,
    }
  }
  if (action === 'remove') {
    await lockTree(context, run, state.id)
    await awaitLookup(context)
    return { occupants: await context.lookup.occupants(state.id) }
  }
  return place(context, run, state, fields)
}

/** Facts against the level's new parent. */
const place = async (context: CommandContext, run: Run, state: Existing, fields: Fields): Promise<HierarchyFacts> => {
  const { caller } = run.command
  const present = state.fields.parent ?? null
  const parent = fields.parent ?? present
  if (state.status === 'live' && parent === present) return {}
  await lockTree(context, run, state.id)
  const fresh = bypassCache(context)
  const above = typeof parent === 'string' ? (await fresh.loader.load(run.entity, parent)).state : undefined
  return {
    cycle: await closesCycle(fresh, run, state.id, parent),
    orphan: above?.status === 'removed' && isVisible(caller, run.entity, above),
    unknown: above !== undefined && !isVisible(caller, run.entity, above),
    top: typeof present === 'string' && !reaches(caller, present),
    mover: caller.permits(MOVE_PERMISSION),
  }
}

export const loadRoleFacts: LoadFacts<RightsFacts> = (context, run, state, fields) => {
  const next = fieldsAfter(run, state, fields)
  return loadRightsFacts(context, run, {
    before: granted(presentFields(state)),
    after: granted(next ?? {}),
    ...(state.status === 'live' ? { supposing: { entity: 'role', id: state.id, fields: next } } : {}),
  })
}

const granted = (fields: Fields) => grantedBy({ actions: idsOf(fields.actions), services: idsOf(fields.services) })

export const loadUsergroupFacts: LoadFacts<UsergroupFacts> = async (context, run, state, fields) => {
  await awaitLookup(context)
  const next = fieldsAfter(run, state, fields)
  const id = 'id' in state ? state.id : ''
  // Another value of the claims of providers gives the group to other people.
  const isGivenAnew = next !== null && (next.identifiedby ?? null) !== (presentFields(state).identifiedby ?? null)
  const rights = await loadRightsFacts(context, run, {
    before: isGivenAnew ? new Set() : await grantedByUsergroup(context, presentFields(state)),
    after: await grantedByUsergroup(context, next ?? {}),
    ...(state.status === 'live' ? { supposing: { entity: 'usergroup', id, fields: next } } : {}),
  })
  const from = isGivenAnew && 'identifiedby' in fields ? { from: await administeredFrom(context, run, state) } : {}
  return { ...rights, ...from, cycle: next !== null && (await closesCycle(context, run, id, next.parent)) }
}

/** The highest level of the caller above a group. */
const administeredFrom = async (
  { lookup }: CommandContext,
  { command: { caller, input } }: Run,
  state: EntityState,
): Promise<string> => {
  const given = typeof input.hierarchylevel === 'string' ? input.hierarchylevel : caller.level
  const level = ('level' in state ? state.level : null) ?? given
  const chain = await lookup.ancestors(level)
  return chain.findLast(one => caller.user === null || caller.subtree.has(one)) ?? level
}

export const loadIdentityProviderFacts: LoadFacts<IdentityProviderFacts> = async (context, run, state) => {
  const { input, caller } = run.command
  const wanted = typeof input.hierarchylevel === 'string' ? input.hierarchylevel : caller.level
  const level = 'level' in state ? state.level : wanted
  await awaitLookup(context)
  const rights = await loadRightsFacts(context, run, { after: ALL_PERMISSIONS })
  return { ...rights, isRoot: level !== null && (await context.lookup.ancestors(level)).length === 1 }
}

/** Permissions of a group's roles and of the groups above it. */
const grantedByUsergroup = async (
  { lookup }: CommandContext,
  { roles, parent }: Fields,
): Promise<ReadonlySet<string>> => {
  const own = await lookup.permissionsOfRoles(idsOf(roles))
  return typeof parent === 'string' ? own.union(await lookup.permissionsOfGroups([parent])) : own
}

export const loadUserFacts: LoadFacts<UserFacts> = async (context, run, state, fields) => ({
  ...(await loadRightsFacts(context, run, await effectOf(context, run, state, fields))),
  ...(await given(context, run, state, fields)),
  ...(await sealed(context, run, state)),
})

/** Resetting a user's password or second factor gives access to their rights: it counts as granting them. */
const TAKES_OVER: ReadonlySet<string> = new Set(['resetpassword', 'reset2fa'])
const ENDS: ReadonlySet<string> = new Set(['lock', 'failsignin', 'forget', 'remove'])

const effectOf = async (context: CommandContext, run: Run, state: EntityState, fields: Fields): Promise<Effect> => {
  const { command } = run
  const { action } = command
  const present = presentFields(state)
  if (TAKES_OVER.has(action) || action === 'transfer') await awaitLookup(context)
  const groups = (from: Fields) => context.lookup.permissionsOfGroups(idsOf(from.usergroup))
  if (TAKES_OVER.has(action)) return { after: await groups(present) }
  const live = state.status === 'live'
  // A user moved to a level above reaches more with the same rights.
  if (action === 'transfer' && live)
    return { after: await groups(present), supposing: { entity: 'user', id: state.id, fields: null } }
  if (action === 'failsignin' && command.input.lock !== true) return {}
  if (ENDS.has(action)) return live ? { supposing: { entity: 'user', id: state.id, fields: null } } : {}
  if (!GENERIC.has(action)) return {}
  const next = fieldsAfter(run, state, fields) ?? {}
  const isMarked = live && 'breakglass' in fields && (fields.breakglass === true) !== (present.breakglass === true)
  const takesOver = typeof fields.password === 'string' || isMarked || (await isNewAddress(context, run, state, fields))
  // Neither the groups change nor what leads into the account: nothing is given or taken.
  if (!takesOver && idsOf(present.usergroup).join() === idsOf(next.usergroup).join()) return {}
  await awaitLookup(context)
  return {
    before: takesOver ? new Set() : await groups(present),
    after: await groups(next),
    ...(live && 'usergroup' in fields ? { supposing: { entity: 'user', id: state.id, fields: next } } : {}),
  }
}

const GENERIC: ReadonlySet<string> = new Set(['create', 'change', 'restore'])

/** Whether a user gets another e-mail address: a link for a new password is sent there, and providers may link by it. */
const isNewAddress = async (
  { keys }: CommandContext,
  { entity }: Run,
  state: EntityState,
  fields: Fields,
): Promise<boolean> => {
  if (state.status !== 'live' || !('email' in fields)) return false
  // A restored value is sealed.
  const opened = ({ email = null }: Fields) => openField(keys, entity, state.id, 'email', email)
  const [before, after] = await Promise.all([state.fields, fields].map(opened))
  return typeof after === 'string' && after.toLowerCase() !== String(before ?? '').toLowerCase()
}

/** For making and changing: the hash of a password, and the e-mail address as it will be. */
const given = async (
  context: CommandContext,
  { entity, command }: Run,
  state: EntityState,
  fields: Fields,
): Promise<Pick<UserFacts, 'passwordhash' | 'unruled' | 'email' | 'takenBy'>> => {
  if (!GENERIC.has(command.action)) return {}
  const hash = typeof fields.password === 'string' ? { passwordhash: await hashPassword(fields.password) } : {}
  const email = 'email' in fields ? fields.email : presentFields(state).email
  const id = 'id' in state ? state.id : ''
  return {
    ...hash,
    ...(command.caller.provisions === true ? { takenBy: await takenBy(context, id, fields) } : {}),
    unruled: command.caller.user === null,
    email: (await openField(context.keys, entity, id, 'email', email ?? null)) ?? null,
  }
}

/** People sign in with either name: the username of one is never the address of another. */
const takenBy = async (
  context: CommandContext,
  id: string,
  { username, email }: Fields,
): Promise<NonNullable<UserFacts['takenBy']>> => {
  const isOther = (person: { readonly id: string } | undefined) => person !== undefined && person.id !== id
  if (typeof username === 'string' && isOther(await findByEmail(context, username))) return { field: 'username' }
  return { field: typeof email === 'string' && isOther(await findByUsername(context, email)) ? 'email' : null }
}

/** Values of sign-in steps, sealed for their target field. */
const sealed = async (
  { keys, store }: CommandContext,
  { entity, command, author }: Run,
  state: EntityState,
): Promise<Pick<UserFacts, 'sealed' | 'pending'>> => {
  if (state.status !== 'live') return {}
  const { action, input } = command
  const seal = (field: string, value: string) => keys.secret.encrypt(value, sealContext(entity.name, state.id, field))
  switch (action) {
    case 'changepassword':
    case 'recover':
      return typeof input.hash === 'string' ? { sealed: await seal('password', input.hash) } : {}
    case 'resetpassword':
      return { sealed: await seal('password', await hashPassword(await passwordOfCommand(keys, author.seed))) }
    case 'addpasskey':
    case 'renamepasskey': {
      const { id, name } = input
      if (typeof name !== 'string' || typeof id !== 'string') return {}
      return { sealed: await keys.personal.encrypt(state.id, name, passkeyNameContext(state.id, id)) }
    }
    case 'confirmtwofactor': {
      if (typeof input.secret !== 'string') return {}
      const opened = (field: string) => openField(keys, entity, state.id, field, state.fields[field] ?? null)
      const offered = (await offeredAuthenticator({ store, keys }, state.id)) ?? (await opened('twofactorpending'))
      const isConfirmed = (await opened('twofactorsecret')) === input.secret
      return {
        sealed: await seal('twofactorsecret', input.secret),
        pending: offered === input.secret && !isConfirmed,
      }
    }
    default:
      return {}
  }
}
