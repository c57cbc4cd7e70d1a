import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

/** Bringing back creates what was removed, and changes what was not. */
const VERBS_OF: Readonly<Record<string, readonly string[]>> = {
  created: ['create'],
  removed: ['delete'],
  restored: ['create', 'update'],
}

/**
 * Permissions to create, change and delete that no change needed. `changeKinds`: entity and audit action; every action but
 * creating and removing counts as a change. Reading and permissions of other actions leave no trace and are left out.
 */
export const unusedPermissions = (
  granted: ReadonlySet<string>,
  changeKinds: readonly { readonly entity: string; readonly action: string }[],
): readonly string[] => {
  const used = new Set(
    changeKinds.flatMap(({ entity, action }) => (VERBS_OF[action] ?? ['update']).map(verb => verb + entity)),
  )
  return DECLARED.filter(({ rights }) => rights === undefined)
    .flatMap(({ name }) => ['create', 'update', 'delete'].map(verb => verb + name))
    .filter(permission => granted.has(permission) && !used.has(permission))
}
