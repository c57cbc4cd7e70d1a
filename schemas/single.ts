import { type EntityDeclaration, parentField } from './entity.ts'

/** Cardinality `one`: each parent has exactly one thing of the entity, from the start and without an event. */
export const isSingle = ({ cardinality }: EntityDeclaration): boolean => cardinality === 'one'

/** Id of the only thing of an entity in its parent; `parent` is null where there is one in the whole installation. */
export const singleId = (name: string, parent: string | null): string => (parent === null ? name : `${name}-${parent}`)

/** The parent field of the thing with this id, as {@link singleId} makes it; undefined for an id of another shape. */
export const singleParent = (entity: EntityDeclaration, id: string): Readonly<Record<string, string>> | undefined => {
  const field = parentField(entity)
  if (field === undefined) return id === entity.name ? {} : undefined
  const prefix = `${entity.name}-`
  return id.startsWith(prefix) && id.length > prefix.length ? { [field]: id.slice(prefix.length) } : undefined
}
