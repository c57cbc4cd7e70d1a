import { type EntityDeclaration, parentField } from '#schemas/entity.ts'

/** An entity's place in the console decides the heading of its permissions. */
const GROUPS = ['people', 'build', 'settings', 'reach', 'observe', 'application'] as const
type GroupName = (typeof GROUPS)[number]

export interface PermissionGroup {
  readonly id: GroupName
  readonly entities: readonly EntityDeclaration[]
}

const groupOf = (entity: EntityDeclaration): GroupName => {
  const { place } = entity
  if (place?.hub?.page === 'admin') return 'people'
  if (place?.hub?.page === 'reports') return 'observe'
  if (place?.bot?.group === 'settings') return 'settings'
  if (place?.menu?.group === 'reach') return 'reach'
  if (place?.hub?.page === 'appsettings' || place?.menu?.group === 'foot') return 'application'
  const isBuilt = entity.name === 'bot' || parentField(entity) !== undefined || place?.menu?.group === 'build'
  return isBuilt ? 'build' : 'application'
}

/** Entities with permissions of their own, by heading. */
export const permissionGroups = (entities: readonly EntityDeclaration[]): readonly PermissionGroup[] => {
  const granted = entities.filter(({ rights }) => rights === undefined)
  return GROUPS.flatMap(id => {
    const of = granted.filter(entity => groupOf(entity) === id)
    return of.length === 0 ? [] : [{ id, entities: of }]
  })
}
