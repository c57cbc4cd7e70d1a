import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'

type Entities = Readonly<Record<string, EntityDeclaration>>

/** The entity that a thing with these fields lies in; undefined where its parent field may be empty and is. */
export const parentIn = (entity: EntityDeclaration, fields: Readonly<Record<string, Json>>): string | undefined => {
  const parent = parentField(entity)
  if (parent === undefined || entity.withoutParent === undefined) return parent
  return typeof fields[parent] === 'string' ? parent : undefined
}

/** Entities whose things lie directly in things of this one: as it declares them, else all, in the registry's order. */
export const childrenOf = (entities: Entities, entity: EntityDeclaration): readonly EntityDeclaration[] => {
  const all = Object.values(entities).filter(child => parentField(child) === entity.name)
  const shown = entity.children
  if (shown === undefined) return all
  return shown.flatMap(name => all.find(child => child.name === name) ?? [])
}

/** Whether its things are removed, by events of their own, when what they lie in is. */
export const isRemovedWithParent = ({ cardinality, onParentRemoved }: EntityDeclaration): boolean =>
  cardinality !== 'one' && onParentRemoved !== 'refuse'
