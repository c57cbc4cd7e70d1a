import type { Fields } from '#domain/entity.ts'
import type { UsergroupFacts } from '#domain/people/usergroup.ts'
import type { CommandContext, LoadFacts } from '../pipeline/command-context.ts'
import { awaitLookup } from '../process/contents.ts'
import { closesCycle, fieldsAfter, idsOf, presentFields, rightsFacts } from './gather-rights.ts'

export const gatherUsergroup: LoadFacts<UsergroupFacts> = async (context, run, state, fields) => {
  await awaitLookup(context)
  const next = fieldsAfter(run, state, fields)
  const id = 'id' in state ? state.id : ''
  const rights = await rightsFacts(context, run, {
    before: await granted(context, presentFields(state)),
    after: await granted(context, next ?? {}),
    ...(state.status === 'live' ? { supposing: { entity: 'usergroup', id, fields: next } } : {}),
  })
  return { ...rights, cycle: next !== null && (await closesCycle(context, run, id, next.parent)) }
}

/** Permissions of a group's roles and of the groups above it. */
const granted = async ({ lookup }: CommandContext, { roles, parent }: Fields): Promise<ReadonlySet<string>> => {
  const own = await lookup.permissionsOfRoles(idsOf(roles))
  return typeof parent === 'string' ? own.union(await lookup.permissionsOfGroups([parent])) : own
}
