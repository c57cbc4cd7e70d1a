import { createHmac } from 'node:crypto'
import type { ReadModels } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'

export interface Grant {
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
export const grantsOf = async (read: ReadModels, user: string): Promise<ReadonlyMap<string, Grant>> => {
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
