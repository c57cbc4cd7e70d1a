import type { ProviderSession } from '#domain/lookup.ts'
import { createDirectory, type Directory, type HypotheticalChange } from '#domain/people/directory.ts'
import { tokenPermissions } from '#domain/people/permission.ts'
import type { Json } from '#schemas/event.ts'
import { tokenOfSession, tokenSession } from '#schemas/events/origin.ts'
import { stringsOf } from '#schemas/json.ts'
import type { AccessRow } from './access-rows.ts'
import type { Access, Level, Scope, Viewable } from './port.ts'

/** Permission to be shown what another person sees. */
const VIEW_PERMISSION = 'seeasuser'

type SessionRow = Extract<AccessRow, { kind: 'session' }>
type EntityRow = Extract<AccessRow, { kind: 'entity' }>
type Entry = NonNullable<EntityRow['entry']> & { readonly name: string }

/** Holder of a token: a user, or a service account. */
interface Holder {
  readonly id: string
  readonly kind: 'service' | 'person'
  readonly username: string
  readonly home: string
  readonly permissions: ReadonlySet<string>
  readonly addresses: readonly string[]
}

interface Account {
  readonly username: string | null
  readonly home: string | null
  readonly locked: boolean
}

/** Access rights, kept in this thread for checks by requests, frames and sockets. */
export class AccessModel {
  readonly #levelOneAccess: boolean
  readonly #accounts = new Map<string, Account>()
  readonly #levels = new Map<string, Level>()
  readonly #sessions = new Map<string, SessionRow>()
  readonly #sessionsOf = new Map<string, Set<string>>()
  readonly #permissions = new Map<string, ReadonlySet<string>>()
  readonly #accesses = new Map<string, Access>()
  readonly #services = new Map<string, Entry>()
  readonly #tokens = new Map<string, Entry>()
  /** By session id, until anything that they follow from changes. */
  readonly #tokenAccesses = new Map<string, Access>()
  #directory: Directory

  constructor(options: { levelOneAccess: boolean }) {
    this.#levelOneAccess = options.levelOneAccess
    this.#directory = createDirectory(options)
  }

  get directory(): Directory {
    return this.#directory
  }

  replace(rows: readonly AccessRow[]): void {
    for (const map of [this.#accounts, this.#levels, this.#sessions, this.#sessionsOf]) map.clear()
    for (const map of [this.#services, this.#tokens]) map.clear()
    this.#directory = createDirectory({ levelOneAccess: this.#levelOneAccess })
    this.#forget()
    this.apply(rows)
  }

  apply(rows: readonly AccessRow[]): void {
    for (const row of rows) {
      if (row.kind === 'session') this.#begin(row)
      else if (row.kind === 'ended') this.#end(row.id)
      else this.#put(row)
    }
  }

  /**
   * Undefined: unknown or expired session, or user locked or without a home level. For a token, also: revoked, its account
   * disabled or without its owner, or its level moved away.
   */
  access(id: string): Access | undefined {
    const token = tokenOfSession(id)
    if (token !== undefined) return this.#ofToken(token)
    const session = this.#sessions.get(id)
    if (session === undefined || Date.parse(session.expires) <= Date.now()) return undefined
    const known = this.#accesses.get(id)
    if (known !== undefined) return known
    const own = this.#own(session)
    if (own === undefined) return undefined
    const access = session.seenas === null ? own : (this.#seenAs(own, session.seenas) ?? own)
    this.#accesses.set(id, access)
    return access
  }

  viewable(session: string, person: string): Viewable {
    const row = this.#sessions.get(session)
    const own = row && this.#own(row)
    if (own === undefined || !this.isAtHomeWithin(person, own.home)) return 'hidden'
    return this.#seenAs(own, person) === undefined ? 'lacking' : 'yes'
  }

  #ofToken(id: string): Access | undefined {
    const entry = this.#tokens.get(id)
    const { fields } = entry ?? {}
    if (entry === undefined || fields === undefined || fields.revoked === true) return undefined
    const expires = String(fields.expires)
    if (!(Date.parse(expires) > Date.now())) return undefined
    const session = tokenSession(id)
    const known = this.#tokenAccesses.get(session)
    if (known !== undefined) return known
    const holder =
      typeof fields.serviceaccount === 'string'
        ? this.#service(fields.serviceaccount)
        : this.#person(String(fields.user))
    const level = typeof fields.level === 'string' ? fields.level : holder?.home
    if (holder === undefined || level === undefined || !this.isWithin(level, holder.home)) return undefined
    const { kind, username, addresses } = holder
    const rate = typeof fields.rate === 'number' ? fields.rate : null
    const access: Access = {
      ...{ user: holder.id, session, username, home: level, level, started: '', expires },
      permissions: tokenPermissions(holder.permissions, stringsOf(fields.scopes), kind),
      token: { id, kind, name: entry.name, addresses, rate },
    }
    this.#tokenAccesses.set(session, access)
    return access
  }

  #service(id: string): Holder | undefined {
    const { name = '', level = null, fields } = this.#services.get(id) ?? {}
    const owner = this.#accounts.get(String(fields?.owner))
    if (fields?.enabled !== true || level === null || owner === undefined || owner.locked) return undefined
    const permissions = this.#directory.permissionsOfGroups(stringsOf(fields.usergroup))
    return { id, kind: 'service', username: name, home: level, permissions, addresses: stringsOf(fields.addresses) }
  }

  #person(id: string): Holder | undefined {
    const { username = null, home = null, locked = true } = this.#accounts.get(id) ?? {}
    if (locked || home === null) return undefined
    return {
      id,
      kind: 'person',
      username: username ?? '',
      home,
      permissions: this.permissionsOfUser(id),
      addresses: [],
    }
  }

  /** Rights of the session's user, without view-as. */
  #own({ id, user, level, started, expires, way }: SessionRow): Access | undefined {
    const account = this.#accounts.get(user)
    if (account === undefined || account.locked || account.home === null) return undefined
    const { home, username } = account
    return {
      user,
      session: id,
      username: username ?? '',
      home,
      level: this.isWithin(level, home) ? level : home,
      permissions: this.permissionsOfUser(user),
      started,
      expires,
      way,
    }
  }

  /** The access of a person who may do nothing that the looker may not; undefined where it may not be looked through. */
  #seenAs(looker: Access, person: string): Access | undefined {
    const account = this.#accounts.get(person)
    if (account === undefined || account.locked || account.home === null || person === looker.user) return undefined
    if (!looker.permissions.has(VIEW_PERMISSION) || !this.isWithin(account.home, looker.home)) return undefined
    const permissions = this.permissionsOfUser(person)
    if (!permissions.isSubsetOf(looker.permissions)) return undefined
    const { home, username } = account
    const seenBy = { user: looker.user, username: looker.username }
    return { ...looker, user: person, username: username ?? '', home, level: home, permissions, seenBy }
  }

  sessionsOf(user: string): readonly Access[] {
    return this.sessionIdsOf(user).flatMap(id => this.access(id) ?? [])
  }

  /** Includes sessions of locked users. */
  sessionIdsOf(user: string): readonly string[] {
    return [...(this.#sessionsOf.get(user) ?? [])]
  }

  /** Sessions that were begun with an account at an identity provider, by its HMACs. */
  sessionIdsAt({ provider, sub, sid }: ProviderSession): readonly string[] {
    const isMeant = (row: SessionRow) =>
      row.provider === provider && (sid === undefined ? row.sub === sub : row.sid === sid)
    return [...this.#sessions.values()].filter(isMeant).map(({ id }) => id)
  }

  permissionsOfUser(id: string): ReadonlySet<string> {
    let permissions = this.#permissions.get(id)
    if (permissions === undefined) {
      permissions = this.#directory.permissionsOfUser(id)
      this.#permissions.set(id, permissions)
    }
    return permissions
  }

  administrators(supposing?: HypotheticalChange): readonly string[] {
    return this.#directory.administrators(supposing)
  }

  /** People with a permission at a level: home at or above it. */
  holdersAt(permission: string, level: string): readonly string[] {
    const above = new Set(this.#directory.ancestors(level))
    return [...this.#accounts].flatMap(([id, { home, locked }]) =>
      !locked && home !== null && above.has(home) && this.permissionsOfUser(id).has(permission) ? [id] : [],
    )
  }

  isAtHomeWithin(user: string, top: string): boolean {
    const home = this.#accounts.get(user)?.home ?? null
    return home !== null && this.isWithin(home, top)
  }

  isWithin(level: string, top: string): boolean {
    return this.#levels.has(level) && this.#directory.ancestors(level).includes(top)
  }

  /** Levels at and below one, all for null, sorted by name without case. */
  levels(top: string | null): readonly Level[] {
    const below = top === null ? undefined : this.#directory.subtree(top)
    return [...this.#levels.values()]
      .filter(level => below === undefined || below.has(level.id))
      .sort((one, other) => one.name.localeCompare(other.name, 'pt', { sensitivity: 'accent' }))
  }

  #put({ entity, id, name, entry }: EntityRow): void {
    this.#tokenAccesses.clear()
    if (entity === 'serviceaccount' || entity === 'apitoken') {
      const entries = entity === 'apitoken' ? this.#tokens : this.#services
      if (entry === null) entries.delete(id)
      else entries.set(id, { ...entry, name: name ?? '' })
      return
    }
    this.#directory.put(entity, id, entry ?? undefined)
    if (entity === 'user') {
      this.#putUser(id, name, entry)
      return
    }
    if (entity === 'hierarchy') {
      if (entry === null) this.#levels.delete(id)
      else {
        const idIn = (field: string) => textOrNull(entry.fields[field])
        this.#levels.set(id, { id, name: name ?? '', parent: idIn('parent'), usergroup: idIn('usergroup') })
      }
    }
    this.#forget()
  }

  #putUser(id: string, username: string | null, entry: EntityRow['entry']): void {
    if (entry === null) this.#accounts.delete(id)
    else this.#accounts.set(id, { username, home: entry.level, locked: entry.fields.locked === true })
    this.#permissions.delete(id)
    for (const session of this.#sessionsOf.get(id) ?? []) this.#accesses.delete(session)
    for (const [session, { seenBy, user }] of this.#accesses) if (seenBy && user === id) this.#accesses.delete(session)
  }

  #begin(row: SessionRow): void {
    this.#accesses.delete(row.id)
    this.#sessions.set(row.id, row)
    this.#sessionsOf.set(row.user, (this.#sessionsOf.get(row.user) ?? new Set()).add(row.id))
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
    this.#tokenAccesses.clear()
  }
}

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

const READ = 'read'

/** A session, or a person without one. */
type Viewer = Pick<Access, 'user' | 'home' | 'level' | 'permissions'>

const scopes = new WeakMap<Viewer, Scope>()

/** Scope of a session. Only this and SYSTEM_SCOPE create scopes; a changed access is a new one. */
export const scopeOf = (access: Viewer): Scope => {
  const known = scopes.get(access)
  if (known !== undefined) return known
  const { user, home, level, permissions } = access
  const readable = [...permissions].flatMap(name => (name.startsWith(READ) ? [name.slice(READ.length)] : []))
  const scope = { user, home, level, readable: new Set(readable) } as Pick<Scope, 'readable'> as Scope
  scopes.set(access, scope)
  return scope
}
