import { PERMISSIONS } from '#domain/people/permission.ts'
import { type EntityDeclaration, parentField, permissionsOf } from '#schemas/entity.ts'

export const VERBS = ['read', 'create', 'update', 'delete'] as const

/** `services` as names of entities, `actions` as names of permissions. */
export interface Permissions {
  readonly actions: readonly string[]
  readonly services: readonly string[]
}

const stringsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

export const permissionsIn = (values: Readonly<Record<string, unknown>>): Permissions => ({
  actions: stringsOf(values.actions),
  services: stringsOf(values.services),
})

/** Sorted, so that a permission that is taken away and given again is no change. */
export const togglePermissions = (
  names: readonly string[],
  changed: readonly string[],
  on: boolean,
): readonly string[] => (on ? [...new Set([...names, ...changed])].sort() : names.filter(one => !changed.includes(one)))

/** `inherited`: through the service of its entity. */
export type Grant = 'given' | 'inherited' | 'none'

export const grantOf = ({ actions, services }: Permissions, entity: string, action: string): Grant =>
  services.includes(entity) ? 'inherited' : actions.includes(action + entity) ? 'given' : 'none'

/** Names of the permissions of an entity beyond the four that every one has. */
export const extraPermissions = (entity: EntityDeclaration): readonly string[] => [
  ...Object.keys(entity.actions),
  ...(entity.probes ?? []),
]

/** Permissions that roles can hold: the others follow from being allowed to read something. */
export const countGrantedPermissions = (names: Iterable<string>): number =>
  [...names].filter(name => PERMISSIONS.has(name)).length

/** Granted permissions of the entities, and the total. */
export const countOf = (
  held: Permissions,
  entities: readonly EntityDeclaration[],
): { readonly held: number; readonly all: number } => {
  const all = entities.flatMap(entity => permissionsOf(entity).map(name => [entity.name, name] as const))
  const given = all.filter(([entity, name]) => held.services.includes(entity) || held.actions.includes(name))
  return { held: given.length, all: all.length }
}

export interface PermissionChange {
  readonly kind: 'action' | 'service'
  readonly name: string
  readonly isGiven: boolean
}

/** Unsaved changes, sorted by name. */
export const changesOf = (saved: Permissions, present: Permissions): readonly PermissionChange[] => {
  const of = (kind: PermissionChange['kind'], before: readonly string[], after: readonly string[]) => [
    ...after.filter(name => !before.includes(name)).map(name => ({ kind, name, isGiven: true })),
    ...before.filter(name => !after.includes(name)).map(name => ({ kind, name, isGiven: false })),
  ]
  return [...of('service', saved.services, present.services), ...of('action', saved.actions, present.actions)].toSorted(
    (one, other) => one.name.localeCompare(other.name),
  )
}

/** Permissions a person gains and loses with a role change; those from elsewhere stay. */
export const permissionEffect = (
  elsewhere: ReadonlySet<string>,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): { readonly gained: number; readonly lost: number } => ({
  gained: after.difference(before).difference(elsewhere).size,
  lost: before.difference(after).difference(elsewhere).size,
})

/** Permissions on these entities that only one of two roles has. */
export const countPermissionDifferences = (
  one: Permissions,
  other: Permissions,
  entities: readonly EntityDeclaration[],
) => {
  const onlyIn = (held: Permissions, not: Permissions) =>
    entities
      .flatMap(entity => [...VERBS, ...extraPermissions(entity)].map(action => [entity.name, action] as const))
      .filter(([name, action]) => grantOf(held, name, action) !== 'none' && grantOf(not, name, action) === 'none')
      .length
  const [here, there] = [onlyIn(one, other), onlyIn(other, one)]
  return { here, there, any: here + there > 0 }
}

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
