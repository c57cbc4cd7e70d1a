import type { Json } from '#schemas/event.ts'
import { stringsOf } from '#schemas/json.ts'
import { ADMINISTRATION, ALL_PERMISSIONS, grantedBy } from './permission.ts'

type Kind = 'user' | 'usergroup' | 'role' | 'hierarchy'
type Fields = Readonly<Record<string, Json>>

interface Entry {
  readonly fields: Fields
  /** Home level of a user. */
  readonly level: string | null
}

/** As if this one had these fields, or were not there. */
export interface HypotheticalChange {
  readonly entity: Kind
  readonly id: string
  readonly fields: Fields | null
}

/** People in the same groups. */
export interface RoleHolders {
  readonly users: readonly string[]
  /** Permissions that they have without the role. */
  readonly elsewhere: ReadonlySet<string>
}

/**
 * Groups of users, roles of groups, and the tree of levels: all inputs of rights, without a personal value. Fed from
 * the events of users, groups, roles and levels, in any order between them.
 */
export interface Directory {
  /** Present state of a live entity; `undefined` for a removed one. */
  put(entity: Kind, id: string, entry: Entry | undefined): void
  permissionsOfRoles(roles: readonly string[]): ReadonlySet<string>
  /** The roles of these groups and of the groups above them. */
  rolesOfGroups(groups: readonly string[]): readonly string[]
  permissionsOfGroups(groups: readonly string[]): ReadonlySet<string>
  permissionsOfUser(user: string): ReadonlySet<string>
  /** Users at the root, not locked, who can administer people everywhere. */
  administrators(supposing?: HypotheticalChange): readonly string[]
  /** People whose groups, or groups above these, have a role, with what their other roles permit. */
  holdersOf(role: string): readonly RoleHolders[]
  /** Users whose home is a level or below it (null: all), with any of these permissions. */
  holdersBelow(permissions: ReadonlySet<string>, level: string | null): readonly string[]
  /** The level and those above it up to the root, nearest first. */
  ancestors(level: string): readonly string[]
  /** The level and those below it. */
  subtree(level: string): ReadonlySet<string>
}

interface DirectoryOptions {
  /** ALLOW_LEVEL1_DEFAULT_ACCESS: users of the root level may do everything. */
  readonly levelOneAccess: boolean
}

export const createDirectory = ({ levelOneAccess }: DirectoryOptions): Directory => {
  const entries: Readonly<Record<Kind, Map<string, Entry>>> = {
    user: new Map(),
    usergroup: new Map(),
    role: new Map(),
    hierarchy: new Map(),
  }
  const find: FieldsOf = (entity, id) => entries[entity].get(id)
  const queries = queriesOf(find, entries, levelOneAccess)
  const isAllowedAll = (level: string | null) => levelOneAccess && isRoot(find, level)
  /** As of now; undefined after a change of anything but people. */
  let present: Set<string> | undefined
  const presentAdministrators = (): Set<string> => {
    present ??= new Set(administratorsAmong(entries.user.keys(), find, queries))
    return present
  }
  return {
    put(entity, id, entry) {
      if (entry === undefined) entries[entity].delete(id)
      else entries[entity].set(id, entry)
      if (entity !== 'user') present = undefined
      else if (present !== undefined) {
        const [administrator] = administratorsAmong([id], find, queries)
        if (administrator === undefined) present.delete(id)
        else present.add(id)
      }
    },
    ...queries,
    holdersOf: role => holdersIn(queries, [...entries.user.entries()], role, isAllowedAll),
    holdersBelow(permissions, top) {
      const levels = top === null ? undefined : queries.subtree(top)
      const known = new Map<string, boolean>()
      return [...entries.user].flatMap(([id, { fields, level }]) => {
        if (levels !== undefined && (level === null || !levels.has(level))) return []
        // Many people share few sets of groups.
        const groups = `${isAllowedAll(level)} ${stringsOf(fields.usergroup).toSorted().join()}`
        const holds = known.get(groups) ?? !permissions.isDisjointFrom(queries.permissionsOfUser(id))
        known.set(groups, holds)
        return holds ? [id] : []
      })
    },
    administrators(supposing) {
      if (supposing === undefined) return [...presentAdministrators()]
      const fieldsOf: FieldsOf = (entity, id) => {
        const entry = entries[entity].get(id)
        if (supposing.entity !== entity || supposing.id !== id) return entry
        return supposing.fields === null ? undefined : { level: entry?.level ?? null, fields: supposing.fields }
      }
      const supposed = queriesOf(fieldsOf, entries, levelOneAccess)
      if (supposing.entity !== 'user') return administratorsAmong(entries.user.keys(), fieldsOf, supposed)
      // Of the others nothing changes.
      const others = [...presentAdministrators()].filter(id => id !== supposing.id)
      return [...others, ...administratorsAmong([supposing.id], fieldsOf, supposed)]
    },
  }
}

/** Users at the root, not locked, who can administer people everywhere. */
const administratorsAmong = (
  users: Iterable<string>,
  find: FieldsOf,
  { permissionsOfUser }: Pick<Directory, 'permissionsOfUser'>,
): string[] => {
  // Many people share few sets of groups.
  const known = new Map<string, boolean>()
  return [...users].filter(id => {
    const user = find('user', id)
    if (user === undefined || user.fields.locked === true || !isRoot(find, user.level)) return false
    const groups = stringsOf(user.fields.usergroup).join()
    const administers = known.get(groups) ?? isSubset(ADMINISTRATION, permissionsOfUser(id))
    known.set(groups, administers)
    return administers
  })
}

type FieldsOf = (entity: Kind, id: string) => Entry | undefined

const queriesOf = (
  find: FieldsOf,
  entries: Readonly<Record<Kind, ReadonlyMap<string, Entry>>>,
  levelOneAccess: boolean,
) => {
  const permissionsOfRoles = (roles: readonly string[]): ReadonlySet<string> => {
    const held = new Set<string>()
    for (const id of roles) {
      const role = find('role', id)?.fields
      if (role === undefined) continue
      for (const permission of grantedBy({ actions: stringsOf(role.actions), services: stringsOf(role.services) })) {
        held.add(permission)
      }
    }
    return held
  }
  const rolesOfGroups = (groups: readonly string[]): readonly string[] => {
    const roles = new Set<string>()
    const seen = new Set<string>()
    for (const first of groups) {
      for (let id: Json = first; typeof id === 'string' && !seen.has(id); ) {
        seen.add(id)
        const group: Fields | undefined = find('usergroup', id)?.fields
        for (const role of stringsOf(group?.roles)) roles.add(role)
        id = group?.parent ?? null
      }
    }
    return [...roles]
  }
  const permissionsOfGroups = (groups: readonly string[]) => permissionsOfRoles(rolesOfGroups(groups))
  return {
    permissionsOfRoles,
    rolesOfGroups,
    permissionsOfGroups,
    permissionsOfUser(id: string): ReadonlySet<string> {
      const user = find('user', id)
      if (user === undefined) return new Set()
      return levelOneAccess && isRoot(find, user.level)
        ? ALL_PERMISSIONS
        : permissionsOfGroups(stringsOf(user.fields.usergroup))
    },
    ancestors(level: string): readonly string[] {
      const above: string[] = []
      for (let id: Json = level; typeof id === 'string' && !above.includes(id); ) {
        above.push(id)
        id = find('hierarchy', id)?.fields.parent ?? null
      }
      return above
    },
    subtree(level: string): ReadonlySet<string> {
      const children = new Map<string, string[]>()
      for (const [id, { fields }] of entries.hierarchy) {
        if (typeof fields.parent === 'string') children.set(fields.parent, [...(children.get(fields.parent) ?? []), id])
      }
      const found = new Set<string>([level])
      for (const id of found) for (const child of children.get(id) ?? []) found.add(child)
      return found
    },
  }
}

/** People by their sets of groups: many share few of them. */
const holdersIn = (
  { rolesOfGroups, permissionsOfRoles }: Pick<Directory, 'rolesOfGroups' | 'permissionsOfRoles'>,
  users: readonly (readonly [string, Entry])[],
  role: string,
  isAllowedAll: (level: string | null) => boolean,
): readonly RoleHolders[] => {
  const sets = Map.groupBy(
    users,
    ([, { fields, level }]) => `${isAllowedAll(level)} ${stringsOf(fields.usergroup).toSorted().join()}`,
  )
  return [...sets.values()].flatMap(members => {
    const [first] = members
    const roles = rolesOfGroups(stringsOf(first?.[1].fields.usergroup))
    if (first === undefined || !roles.includes(role)) return []
    const others = () => permissionsOfRoles(roles.filter(one => one !== role))
    const elsewhere = isAllowedAll(first[1].level) ? ALL_PERMISSIONS : others()
    return [{ users: members.map(([id]) => id), elsewhere }]
  })
}

const isSubset = (wanted: readonly string[], held: ReadonlySet<string>) => wanted.every(one => held.has(one))

const isRoot = (find: FieldsOf, level: string | null): boolean => {
  const entry = level === null ? undefined : find('hierarchy', level)
  return entry !== undefined && typeof entry.fields.parent !== 'string'
}
