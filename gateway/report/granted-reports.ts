import { allRows } from '#projections/all-rows.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json } from '#schemas/event.ts'

export interface Grant {
  readonly download: boolean
  readonly groups: readonly string[]
}

const idsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : []

/** User groups of a person and their parents, whose people they are as well. */
const groupsOf = async (read: ReadModels, user: string): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  const waiting = [...idsOf((await read.detail(SYSTEM_SCOPE, 'user', user))?.usergroup)]
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (found.has(id)) continue
    const group = await read.detail(SYSTEM_SCOPE, 'usergroup', id)
    if (group === undefined) continue
    found.add(id)
    if (typeof group.parent === 'string') waiting.push(group.parent)
  }
  return found
}

/** Grants of a person's report groups, by report. */
export const grantsOf = async (read: ReadModels, user: string): Promise<ReadonlyMap<string, Grant>> => {
  const grants = new Map<string, Grant>()
  const seen = new Set<string>()
  for (const usergroup of await groupsOf(read, user))
    for (const row of await allRows(read, SYSTEM_SCOPE, 'reportgroup', { usergroups: usergroup })) {
      const actions = idsOf(row.actions)
      if (seen.has(row.id) || !actions.includes('readreport')) continue
      seen.add(row.id)
      for (const report of idsOf(row.reports)) {
        const { download = false, groups = [] } = grants.get(report) ?? {}
        grants.set(report, {
          download: download || actions.includes('downloadreport'),
          groups: [...groups, String(row.name)],
        })
      }
    }
  return grants
}
