import type { Fields } from '#domain/entity.ts'
import type { UsergroupFacts } from '#domain/people/usergroup.ts'
import type { LoadFacts, Tools } from '../pipeline/command-context.ts'
import { lookedUp } from '../process/contents.ts'
import { closesCycle, fieldsAfter, idsOf, presentFields, rightsFacts } from './gather-rights.ts'

export const gatherUsergroup: LoadFacts<UsergroupFacts> = async (tools, run, state, fields) => {
  await lookedUp(tools)
  const next = fieldsAfter(run, state, fields)
  const id = 'id' in state ? state.id : ''
  const rights = await rightsFacts(tools, run, {
    before: await granted(tools, presentFields(state)),
    after: await granted(tools, next ?? {}),
    ...(state.status === 'live' ? { supposing: { entity: 'usergroup', id, fields: next } } : {}),
  })
  return { ...rights, cycle: next !== null && (await closesCycle(tools, run, id, next.parent)) }
}

/** What its own roles give, and what the groups above it give. */
const granted = async ({ lookup }: Tools, { roles, parent }: Fields): Promise<ReadonlySet<string>> => {
  const own = await lookup.permissionsOfRoles(idsOf(roles))
  return typeof parent === 'string' ? own.union(await lookup.permissionsOfGroups([parent])) : own
}
