import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'

/** The entity that a thing with these fields lies in; undefined where its parent field may be empty and is. */
export const parentIn = (entity: EntityDeclaration, fields: Readonly<Record<string, Json>>): string | undefined => {
  const parent = parentField(entity)
  if (parent === undefined || entity.withoutParent === undefined) return parent
  return typeof fields[parent] === 'string' ? parent : undefined
}

/** Whether its things are removed, by events of their own, when what they lie in is. */
export const isRemovedWithParent = ({ cardinality, onParentRemoved }: EntityDeclaration): boolean =>
  cardinality !== 'one' && onParentRemoved !== 'refuse'
