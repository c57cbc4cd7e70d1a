import type { AccessRow } from './access-row.ts'
import type { Access, Level } from './port.ts'

type RowOf<K extends AccessRow['kind']> = Extract<AccessRow, { kind: K }>

/** A user, role or group administrator holds all of these. */
const ADMINISTRATION = ['updateuser', 'unlockuser', 'updaterole', 'updateusergroup']

/** Who may do what, kept in this thread so that every request, frame and socket can ask it. */
export class AccessModel {
  readonly #services: ReadonlyMap<string, readonly string[]>
  readonly #rootMayAll: boolean
  readonly #users = new Map<string, RowOf<'user'>>()
  readonly #groups = new Map<string, RowOf<'usergroup'>>()
  readonly #roles = new Map<string, RowOf<'role'>>()
  readonly #levels = new Map<string, RowOf<'hierarchy'>>()
  readonly #sessions = new Map<string, RowOf<'session'>>()
  readonly #sessionsOf = new Map<string, Set<string>>()
  readonly #permissions = new Map<string, ReadonlySet<string>>()
  readonly #accesses = new Map<string, Access>()

  /** `services`: every permission on an entity, by its name. `rootMayAll`: ALLOW_LEVEL1_DEFAULT_ACCESS. */
  constructor(services: ReadonlyMap<string, readonly string[]>, rootMayAll: boolean) {
    this.#services = services
    this.#rootMayAll = rootMayAll
  }

  replace(rows: readonly AccessRow[]): void {
    const maps = [this.#users, this.#groups, this.#roles, this.#levels, this.#sessions, this.#sessionsOf]
    for (const map of maps) map.clear()
    this.apply(rows)
    this.#forget()
  }

  apply(rows: readonly AccessRow[]): void {
    for (const row of rows) this.#put(row)
  }

  access(id: string): Access | undefined {
    const session = this.#sessions.get(id)
    if (session === undefined || Date.parse(session.expires) <= Date.now()) return undefined
    const known = this.#accesses.get(id)
    if (known !== undefined) return known
    const user = this.#users.get(session.user)
    if (user === undefined || !user.active || user.level === null) return undefined
    const access: Access = {
      user: user.id,
      session: id,
      username: user.username ?? '',
      home: user.level,
      level: this.isWithin(session.level, user.level) ? session.level : user.level,
      permissions: this.permissionsOfUser(user.id),
      expires: session.expires,
    }
    this.#accesses.set(id, access)
    return access
  }

  sessionsOf(user: string): readonly Access[] {
    return [...(this.#sessionsOf.get(user) ?? [])].flatMap(id => this.access(id) ?? [])
  }

  permissionsOfUser(id: string): ReadonlySet<string> {
    const known = this.#permissions.get(id)
    if (known !== undefined) return known
    const user = this.#users.get(id)
    const permissions = new Set(this.permissionsOfGroups(user?.groups ?? []))
    const home = user?.level === undefined || user.level === null ? undefined : this.#levels.get(user.level)
    if (this.#rootMayAll && home?.parent === null) {
      for (const all of this.#services.values()) for (const permission of all) permissions.add(permission)
    }
    this.#permissions.set(id, permissions)
    return permissions
  }

  permissionsOfGroups(groups: readonly string[]): ReadonlySet<string> {
    const roles = new Set<string>()
    const seen = new Set<string>()
    const waiting = [...groups]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const group = this.#groups.get(id)
      if (group === undefined || !group.active || seen.has(id)) continue
      seen.add(id)
      for (const role of group.roles) roles.add(role)
      if (group.parent !== null) waiting.push(group.parent)
    }
    return this.permissionsOfRoles([...roles])
  }

  permissionsOfRoles(roles: readonly string[]): ReadonlySet<string> {
    const permissions = new Set<string>()
    for (const id of roles) {
      const role = this.#roles.get(id)
      if (role === undefined || !role.active) continue
      for (const action of role.actions) permissions.add(action)
      for (const service of role.services) {
        for (const permission of this.#services.get(service) ?? []) permissions.add(permission)
      }
    }
    return permissions
  }

  administrators(): readonly string[] {
    return [...this.#users.values()]
      .filter(user => user.active && ADMINISTRATION.every(one => this.permissionsOfUser(user.id).has(one)))
      .map(user => user.id)
  }

  /** The level and those above it up to the root, nearest first. */
  ancestors(level: string): readonly string[] {
    const found: string[] = []
    for (let at = this.#levels.get(level); at !== undefined && !found.includes(at.id); ) {
      found.push(at.id)
      at = at.parent === null ? undefined : this.#levels.get(at.parent)
    }
    return found
  }

  isWithin(level: string, top: string): boolean {
    return level === top || this.ancestors(level).includes(top)
  }

  /** Levels at and below one, all for null, sorted by name without case. */
  levels(top: string | null): readonly Level[] {
    return [...this.#levels.values()]
      .filter(level => level.active && (top === null || this.isWithin(level.id, top)))
      .map(({ id, name, parent }) => ({ id, name, parent }))
      .sort((one, other) => one.name.localeCompare(other.name, 'pt', { sensitivity: 'accent' }))
  }

  #put(row: AccessRow): void {
    switch (row.kind) {
      case 'session':
        this.#accesses.delete(row.id)
        this.#sessions.set(row.id, row)
        this.#sessionsOf.set(row.user, (this.#sessionsOf.get(row.user) ?? new Set()).add(row.id))
        return
      case 'ended':
        this.#end(row.id)
        return
      case 'user':
        this.#users.set(row.id, row)
        this.#permissions.delete(row.id)
        for (const session of this.#sessionsOf.get(row.id) ?? []) this.#accesses.delete(session)
        return
      case 'usergroup':
        this.#groups.set(row.id, row)
        break
      case 'role':
        this.#roles.set(row.id, row)
        break
      case 'hierarchy':
        this.#levels.set(row.id, row)
        break
    }
    this.#forget()
  }

  #end(id: string): void {
    const session = this.#sessions.get(id)
    this.#accesses.delete(id)
    if (session === undefined) return
    this.#sessions.delete(id)
    const others = this.#sessionsOf.get(session.user)
    others?.delete(id)
    if (others?.size === 0) this.#sessionsOf.delete(session.user)
  }

  #forget(): void {
    this.#permissions.clear()
    this.#accesses.clear()
  }
}
