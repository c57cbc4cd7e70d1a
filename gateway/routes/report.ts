import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { lockedParameters, needsBot } from '#domain/report.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { EMBED_LIFE_S } from '#schemas/api/report.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

interface Grant {
  readonly download: boolean
  readonly groups: readonly string[]
}

/** User groups of a person and their parents, whose people they are as well. */
const groupsOf = async (read: ReadModels, user: string): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  const waiting = [...((await read.detail(SYSTEM_SCOPE, 'user', user))?.usergroup ?? [])]
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (found.has(id)) continue
    const group = await read.detail(SYSTEM_SCOPE, 'usergroup', id)
    if (group === undefined) continue
    found.add(id)
    if (group.parent !== null) waiting.push(group.parent)
  }
  return found
}

/** Grants of a person's report groups, by report. */
const grantsOf = async (read: ReadModels, user: string): Promise<ReadonlyMap<string, Grant>> => {
  const grants = new Map<string, Grant>()
  const seen = new Set<string>()
  for (const usergroup of await groupsOf(read, user))
    for (const row of await allRows(read, SYSTEM_SCOPE, 'reportgroup', { usergroups: usergroup })) {
      const { actions, name } = row
      if (seen.has(row.id) || !actions.includes('readreport')) continue
      seen.add(row.id)
      for (const report of row.reports) {
        const { download = false, groups = [] } = grants.get(report) ?? {}
        grants.set(report, {
          download: download || actions.includes('downloadreport'),
          groups: [...groups, name],
        })
      }
    }
  return grants
}

const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON Web Token, HS256 (RFC 7519), as Metabase's static and guest embedding take it. */
const signToken = (payload: JsonObject, secret: string): string => {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

interface Embedded {
  readonly type: 'dashboard' | 'question'
  readonly metabaseid: number
  readonly params: JsonObject
  /** Seconds since 1970. */
  readonly exp: number
}

/** The address of a frame. The viewer cannot change `params`. */
export const embedUrl = (base: string, secret: string, { type, metabaseid, params, exp }: Embedded): string => {
  const token = signToken({ resource: { [type]: metabaseid }, params, exp }, secret)
  return `${base}/embed/${type}/${token}${type === 'dashboard' ? '#bordered=false&titled=false' : ''}`
}

/** Report managers see all of them; others see those that a report group grants. */
const MANAGES = 'updatereport'
const SEES = ['showreport', 'readreport', MANAGES]

const typeOf = ({ type }: Row): 'question' | 'dashboard' => (type === 'question' ? type : 'dashboard')

const idsOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const isVisibleBot = async (read: Parts['read'], request: FastifyRequest, bot: string) =>
  (await read.detail(sessionOf(request).scope, 'bot', bot)) !== undefined

/** Each report with the groups that grant it, for managers of reports. */
const all = async (read: Parts['read'], request: FastifyRequest): Promise<readonly (readonly [Row, Grant])[]> => {
  const { scope } = sessionOf(request)
  const [reports, groups] = await Promise.all([
    allRows(read, scope, 'report'),
    allRows(read, SYSTEM_SCOPE, 'reportgroup'),
  ])
  return reports.map(row => {
    const holding = groups.filter(group => idsOf(group.reports).includes(row.id)).map(({ name }) => String(name))
    return [row, { download: true, groups: holding }]
  })
}

/** The reports that the caller's groups grant. */
const granted = async (read: Parts['read'], request: FastifyRequest): Promise<readonly (readonly [Row, Grant])[]> => {
  const { access, scope } = sessionOf(request)
  const grants = await grantsOf(read, access.user)
  const rows = await read.rows(scope, 'report', [...grants.keys()])
  return rows.map(row => [row, grants.get(row.id) ?? { download: false, groups: [] }])
}

/** Reports of Metabase: which ones the caller may see, and the signed address of one. */
export const addReport = (app: FastifyInstance, parts: Parts): void => {
  addList(app, parts)
  addEmbed(app, parts)
}

function addList(app: FastifyInstance, { read, settings }: Parts): void {
  const { METABASE_URL, METABASE_SECRET } = settings
  const missing = Object.entries({ METABASE_URL, METABASE_SECRET }).flatMap(([name, value]) =>
    value === undefined ? [name as 'METABASE_URL' | 'METABASE_SECRET'] : [],
  )

  handle(app, 'GET /reports', {}, async (request, reply) => {
    const { bot } = request.query
    if (bot !== undefined && !(await isVisibleBot(read, request, bot)))
      return refuse(reply, { code: 'entity.notfound' })
    const { caller } = sessionOf(request)
    if (!SEES.some(caller.permits)) return { missing, items: [] }
    const seen = caller.permits(MANAGES) ? await all(read, request) : await granted(read, request)
    const items = seen
      .filter(([row]) => bot === undefined || row.global === true)
      .map(([row, { download, groups }]) => ({
        id: row.id,
        name: String(row.name),
        type: typeOf(row),
        global: row.global === true,
        needsbot: needsBot(row.parameters),
        download,
        groups: groups.toSorted((one, other) => one.localeCompare(other)),
      }))
      .sort((one, other) => one.name.localeCompare(other.name))
    return { missing, items }
  })
}

function addEmbed(app: FastifyInstance, { read, settings }: Parts): void {
  const { METABASE_URL, METABASE_SECRET } = settings

  handle(app, 'GET /report/{id}/embed', { anyPermission: SEES }, async (request, reply) => {
    const { access, scope, caller } = sessionOf(request)
    const { bot } = request.query
    const row = await read.detail(scope, 'report', request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    if (!caller.permits(MANAGES) && !(await grantsOf(read, access.user)).has(row.id))
      return refuse(reply, { code: 'access.forbidden' })
    if (bot !== undefined && !(await isVisibleBot(read, request, bot)))
      return refuse(reply, { code: 'entity.notfound' })
    if (METABASE_URL === undefined || METABASE_SECRET === undefined) return refuse(reply, { code: 'report.setup' })
    const params = lockedParameters(row.parameters, { bot, hierarchylevel: access.level, user: access.user })
    if (params === undefined)
      return refuse(reply, { code: 'validation.failed', errors: [{ path: 'bot', code: 'required' }] })
    const exp = Math.floor(Date.now() / 1000) + EMBED_LIFE_S
    const url = embedUrl(METABASE_URL, METABASE_SECRET, {
      type: typeOf(row),
      metabaseid: Number(row.metabaseid),
      params,
      exp,
    })
    return { url, expires: new Date(exp * 1000).toISOString() }
  })
}
