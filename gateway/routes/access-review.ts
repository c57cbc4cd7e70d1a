import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ALL_PERMISSIONS, grantedBy, unusedPermissions } from '#domain/people/permission.ts'
import type { Row, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { MAX_PAGE_SIZE } from '#schemas/api/query.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { folded } from '#schemas/fold-text.ts'
import { optionalText, stringsOf, textOf } from '#schemas/json.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { requireStillPermitted, sessionOf } from './command.ts'
import { csvLine } from './export.ts'

type Review = AnswerOf<'GET /audit/access'>
type Holder = Review['items'][number]
type ReviewQuery = RouteRequest<'GET /audit/access/export'>['query']
type Kind = Holder['kind']

const CONFIG = { permission: 'readaudit' }
const EXPORT_CONFIG = { permission: 'exportaudit', effect: 'writes' } as const

const DAYS = 90
const DAY_MS = 86_400_000

const isExport = (permission: string): boolean => permission.startsWith('export')
const EXPORTS: ReadonlySet<string> = new Set([...ALL_PERMISSIONS].filter(isExport))

const ENTITY = { person: 'user', service: 'serviceaccount' } as const

const mayRead = ({ readable }: Scope, entity: string): boolean => readable === 'all' || readable.has(entity)

/** Groups, roles and times that the holders of one answer share. */
class Granted {
  readonly #read: Parts['read']
  readonly #scope: Scope
  readonly #rows = new Map<string, Promise<Row | undefined>>()
  readonly #shown = new Map<string, Promise<{ readonly id: string; readonly name: string | null }>>()
  readonly #since = new Map<string, Promise<Readonly<Record<string, string>>>>()
  readonly #permissions = new Map<string, ReadonlySet<string>>()

  constructor(read: Parts['read'], scope: Scope) {
    this.#read = read
    this.#scope = scope
  }

  /** Roles of a holder, by the groups that they are in and the groups above these. */
  async of(groups: readonly string[], memberSince: Readonly<Record<string, string>>) {
    const found = new Map<string, { readonly grant: Holder['grants'][number]; readonly granted: ReadonlySet<string> }>()
    for (const first of groups) {
      const seen = new Set<string>()
      let since = memberSince[first]
      for (let id: string | undefined = first; id !== undefined && !seen.has(id); ) {
        seen.add(id)
        const group = await this.#row('usergroup', id)
        if (group === undefined) break
        const given = await this.#assignments(id)
        for (const role of stringsOf(group.roles)) {
          const grant = await this.#grant(role, group, later(since, given[role]))
          const known = found.get(`${role} ${id}`)
          if (grant === undefined || isEarlier(known?.grant.since, grant.grant.since)) continue
          found.set(`${role} ${id}`, grant)
        }
        const parent = optionalText(group.parent)
        since = parent === undefined ? since : later(since, given[parent])
        id = parent
      }
    }
    return [...found.values()]
  }

  async #grant(role: string, group: Row, since: string | undefined) {
    const row = await this.#row('role', role)
    if (row === undefined) return undefined
    const granted = this.#permissionsOf(row)
    const grant = {
      role: await this.#named('role', row),
      group: await this.#named('usergroup', group),
      since: since ?? null,
      permissions: granted.size,
    }
    return { grant, granted }
  }

  #permissionsOf(role: Row): ReadonlySet<string> {
    const known =
      this.#permissions.get(role.id) ??
      grantedBy({ actions: stringsOf(role.actions), services: stringsOf(role.services) })
    this.#permissions.set(role.id, known)
    return known
  }

  #row(entity: string, id: string): Promise<Row | undefined> {
    const key = `${entity} ${id}`
    const row = this.#rows.get(key) ?? this.#read.detail(SYSTEM_SCOPE, entity, id)
    this.#rows.set(key, row)
    return row
  }

  #named(entity: string, { id, name }: Row) {
    const key = `${entity} ${id}`
    const shown =
      this.#shown.get(key) ??
      this.#read.detail(this.#scope, entity, id).then(row => ({ id, name: row === undefined ? null : textOf(name) }))
    this.#shown.set(key, shown)
    return shown
  }

  #assignments(group: string) {
    const since =
      this.#since.get(group) ?? this.#read.assignments('usergroup', [group]).then(times => times[group] ?? {})
    this.#since.set(group, since)
    return since
  }
}

/** A right holds since its last part was there; unknown where one of them is. */
const later = (one: string | undefined, other: string | undefined): string | undefined => {
  if (one === undefined || other === undefined) return undefined
  return one > other ? one : other
}

const isEarlier = (known: string | null | undefined, other: string | null): boolean =>
  known !== undefined && (other === null || (known !== null && known <= other))

/** Rows of holders of a page, and how many there are in all. */
const rowsOf = async (
  { read }: Parts,
  scope: Scope,
  { kind, search, exports }: ReviewQuery,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> => {
  const entity = ENTITY[kind]
  if (!mayRead(scope, entity)) return { rows: [], total: 0 }
  if (!exports || kind === 'service') {
    const sort = kind === 'person' ? 'username' : 'name'
    const { items, total } = await read.list(scope, entity, {
      page,
      size,
      sort,
      filter: {},
      ...(search ? { search } : {}),
    })
    return { rows: items, total }
  }
  const wanted = folded(search ?? '')
  const people = (await read.people(scope, read.holdersBelow(EXPORTS, scope.level ?? scope.home)))
    .filter(({ username, firstname = '', lastname = '' }) =>
      [username ?? '', firstname, lastname].some(text => username !== null && folded(text).includes(wanted)),
    )
    .toSorted((one, other) => String(one.username).localeCompare(String(other.username)))
  const shown = people.slice((page - 1) * size, page * size)
  const rows = await Promise.all(shown.map(({ id }) => read.detail(scope, entity, id)))
  return { rows: rows.filter(row => row !== undefined), total: people.length }
}

type Token = Holder['tokens'][number]
type TokensOf = (holder: string) => Promise<readonly Token[]>

const tokenOf = (row: Row): Token => ({
  id: row.id,
  name: textOf(row.name),
  created_at: row.created_at,
  expires: textOf(row.expires),
  active: row.revoked !== true && Date.parse(textOf(row.expires)) > Date.now(),
  last_used_at: optionalText(row.last_used_at) ?? null,
  scopes: stringsOf(row.scopes),
})

/** Asks for the tokens of one holder at a time: a page has few. */
const tokensEach =
  ({ read }: Parts, scope: Scope, kind: Kind): TokensOf =>
  async id => {
    if (!mayRead(scope, 'apitoken')) return []
    const filter = kind === 'person' ? { user: id } : { serviceaccount: id }
    const { items } = await read.list(scope, 'apitoken', { page: 1, size: MAX_PAGE_SIZE, sort: '-created_at', filter })
    return items.map(tokenOf)
  }

/** Reads all tokens once, for an export: most holders have none. */
const tokensAtOnce = async ({ read }: Parts, scope: Scope, kind: Kind): Promise<TokensOf> => {
  const rows = mayRead(scope, 'apitoken') ? await allRows(read, scope, 'apitoken', {}) : []
  const holderOf = (row: Row) => textOf(kind === 'person' ? row.user : row.serviceaccount)
  const tokens = Map.groupBy(rows, holderOf)
  return async id => (tokens.get(id) ?? []).map(tokenOf)
}

const newest = (times: readonly (string | null)[]): string | null =>
  times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null)

/** Holders of rights in the caller's levels, a page of them, with at most 100 tokens each. */
const holdersOf = async (
  parts: Parts,
  scope: Scope,
  facts: { readonly granted: Granted; readonly tokensOf: TokensOf },
  asked: ReviewQuery,
  paged: { readonly page: number; readonly size: number },
): Promise<{ readonly items: readonly Holder[]; readonly total: number }> => {
  const { read, lookup, settings } = parts
  const { kind } = asked
  const { rows, total } = await rowsOf(parts, scope, asked, paged)
  const ids = rows.map(({ id }) => id)
  const [since, kinds] = await Promise.all([
    read.assignments(ENTITY[kind], ids),
    read.changeKindsOf(ids, Date.now() - DAYS * DAY_MS),
  ])
  const items = await Promise.all(
    rows.map(async (row): Promise<Holder> => {
      const held = await facts.granted.of(stringsOf(row.usergroup), since[row.id] ?? {})
      const isRoot = (await lookup.ancestors(String(row.hierarchylevel))).length === 1
      const everything = kind === 'person' && settings.ALLOW_LEVEL1_DEFAULT_ACCESS && isRoot
      const permissions = everything ? ALL_PERMISSIONS : new Set(held.flatMap(({ granted: each }) => [...each]))
      const tokens = await facts.tokensOf(row.id)
      return {
        id: row.id,
        kind,
        name: textOf(kind === 'person' ? row.username : row.name),
        firstname: optionalText(row.firstname) ?? null,
        lastname: optionalText(row.lastname) ?? null,
        hierarchylevel: row.hierarchylevel,
        created_at: row.created_at,
        locked: kind === 'person' ? row.locked === true : row.enabled !== true,
        last_seen_at:
          kind === 'person'
            ? (optionalText(row.login_timestamp) ?? null)
            : newest(tokens.map(({ last_used_at }) => last_used_at)),
        everything,
        grants: held
          .map(({ grant }) => grant)
          .toSorted((one, other) => String(one.role.name).localeCompare(String(other.role.name))),
        permissions: permissions.size,
        exports: [...permissions].filter(isExport).toSorted(),
        unused: [...unusedPermissions(permissions, kinds[row.id] ?? [])],
        tokens: [...tokens],
      }
    }),
  )
  return { items, total }
}

const sealOf = async ({ trust }: Parts): Promise<Review['seal']> => {
  const seal = await trust.newestSeal()
  return seal === undefined ? null : { number: seal.number, time: seal.time }
}

/** The access review as a page and as CSV; an export is itself written to the audit before it begins. */
export const addAccessReview = (app: FastifyInstance, parts: Parts): void => {
  handle(app, 'GET /audit/access', CONFIG, async request => {
    const { scope } = sessionOf(request)
    const { page, size, ...asked } = request.query
    const facts = { granted: new Granted(parts.read, scope), tokensOf: tokensEach(parts, scope, asked.kind) }
    const { items, total } = await holdersOf(parts, scope, facts, asked, { page, size })
    return { items: [...items], total, page, size, days: DAYS, seal: await sealOf(parts) }
  })

  handle(app, 'GET /audit/access/export', EXPORT_CONFIG, async (request, reply) => {
    const session = sessionOf(request)
    const seal = await sealOf(parts)
    const filter = { review: request.query.kind, seal: seal?.number ?? null }
    await parts.record.exported({ caller: session.caller, correlation: request.id, filter, format: 'csv' })
    return reply
      .type('text/csv; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="access-${request.query.kind}-seal-${seal?.number ?? 0}.csv"`,
      )
      .send(Readable.from(csv(parts, session, request.query, seal)))
  })
}

const REVIEW_COLUMNS = [
  'kind',
  'id',
  'name',
  'firstname',
  'lastname',
  'level',
  'state',
  'created',
  'last_seen',
  'right_from',
  'role',
  'group',
  'since',
  'permissions',
  'may_export',
  'unused_90_days',
  'expires',
  'seal',
  'seal_time',
] as const

/** A line for each role of a holder, each of their tokens, and everything at the root; one without any of these. */
async function* csv(
  parts: Parts,
  { caller, scope }: Session,
  asked: ReviewQuery,
  seal: Review['seal'],
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(REVIEW_COLUMNS)}`
  const tokensOf = await tokensAtOnce(parts, scope, asked.kind)
  const facts = { granted: new Granted(parts.read, scope), tokensOf }
  const levels = new Map((await parts.read.levels(scope)).map(({ id, name }) => [id, name]))
  for (let page = 1; ; page++) {
    await requireStillPermitted(caller, EXPORT_CONFIG.permission)
    const { items } = await holdersOf(parts, scope, facts, asked, { page, size: MAX_PAGE_SIZE })
    for (const holder of items)
      for (const cells of linesOf(holder, levels.get(holder.hierarchylevel ?? '') ?? ''))
        yield csvLine([...cells, String(seal?.number ?? ''), seal?.time ?? ''])
    if (items.length < MAX_PAGE_SIZE) return
  }
}

const linesOf = (holder: Holder, level: string): readonly (readonly string[])[] => {
  const { kind, id, name, firstname, lastname, locked, created_at, last_seen_at } = holder
  const head = [kind, id, name, firstname ?? '', lastname ?? '', level, locked ? 'locked' : 'active', created_at]
  const whole = [holder.exports.join(' '), holder.unused.join(' ')]
  const line = (seen: string | null, from: string, cells: readonly string[], more: readonly string[], end = '') => [
    ...head,
    seen ?? '',
    from,
    ...cells,
    ...more,
    end,
  ]
  const roles = holder.grants.map(({ role, group, since, permissions }) =>
    line(last_seen_at, 'role', [role.name ?? role.id, group.name ?? group.id, since ?? '', String(permissions)], whole),
  )
  const all = holder.everything
    ? [line(last_seen_at, 'root', ['', '', created_at, String(holder.permissions)], whole)]
    : []
  const none = line(last_seen_at, 'none', ['', '', '', '0'], whole)
  const tokens = holder.tokens.map(({ name: token, created_at: since, expires, active, last_used_at, scopes }) =>
    line(
      last_used_at,
      active ? 'token' : 'token ended',
      [token, '', since, String(scopes.length || '')],
      ['', ''],
      expires,
    ),
  )
  const rights = [...all, ...roles]
  return [...(rights.length === 0 ? [none] : rights), ...tokens]
}
