import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'

/** Parent entity of these fields; undefined if the parent field is optional and empty. */
export const parentIn = (entity: EntityDeclaration, fields: Readonly<Record<string, Json>>): string | undefined => {
  const parent = parentField(entity)
  if (parent === undefined || entity.withoutParent === undefined) return parent
  return typeof fields[parent] === 'string' ? parent : undefined
}

/** Whether its entities are removed, by separate events, with their parent. */
export const isRemovedWithParent = ({ cardinality, onParentRemoved }: EntityDeclaration): boolean =>
  cardinality !== 'one' && onParentRemoved !== 'refuse'
