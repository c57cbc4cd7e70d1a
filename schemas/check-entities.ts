import type { EntityDeclaration } from './entity.ts'
import { environmentErrors, versionedErrors } from './versioned.ts'

type Entities = Readonly<Record<string, EntityDeclaration>>

/** Errors in the parents of declared entities, one line each. */
export const placeErrors = (entities: Entities): readonly string[] =>
  Object.entries(entities).flatMap(([name, entity]) => {
    const parent = parentErrors(entities, entity)
    const errors = [
      ...(entity.name === name ? [] : [`is called ${entity.name}`]),
      ...parent,
      ...(parent.length === 0 ? versionedErrors(entities, entity) : []),
      ...environmentErrors(entity),
      ...(entity.cardinality === 'one' ? singleErrors(entity) : []),
      ...(entity.children ?? [])
        .filter(child => entities[child]?.parent !== name)
        .map(child => `shows ${child}, which does not lie in it`),
    ]
    return errors.map(error => `Entity ${name} ${error}`)
  })

/** Returns the given entities. @throws when one has a parent that cannot hold it. */
export const checkedEntities = <const E extends Entities>(entities: E): E => {
  const [error] = placeErrors(entities)
  if (error !== undefined) throw new Error(error)
  return entities
}

const parentErrors = (entities: Entities, entity: EntityDeclaration): readonly string[] => {
  const { parent, withoutParent, onParentRemoved } = entity
  if (parent === 'none' || parent === 'level') {
    const surplus = withoutParent !== undefined || onParentRemoved !== undefined
    return surplus ? ['says what becomes of it without its parent, but lies in no other entity'] : []
  }
  if (!Object.hasOwn(entities, parent)) return [`lies in ${parent}, which is not declared`]
  const field = entity.fields[parent]
  if (field?.kind !== 'reference' || field.to !== parent || !field.fixed)
    return [`lies in ${parent} and needs a fixed reference to it in a field ${parent}`]
  if (field.required === (withoutParent !== undefined))
    return [`must require its field ${parent} or say where it lies without it`]
  return isCyclic(entities, entity) ? ['lies in itself'] : []
}

const isCyclic = (entities: Entities, entity: EntityDeclaration): boolean => {
  const seen = new Set<string>()
  for (let at: EntityDeclaration | undefined = entity; at !== undefined; at = entities[at.parent]) {
    if (seen.has(at.name)) return true
    seen.add(at.name)
  }
  return false
}

/** Created without input: fields need defaults. */
const singleErrors = (entity: EntityDeclaration): readonly string[] => {
  const { parent, withoutParent, unique, fields } = entity
  const needed = Object.entries(fields).filter(([name, { required, initial }]) => {
    return name !== parent && required && initial === null
  })
  return [
    ...(parent === 'level' ? ['exists once for each parent and cannot lie in a level'] : []),
    ...(withoutParent === undefined ? [] : ['exists once for each parent and cannot be without one']),
    ...(unique.length === 0 ? [] : ['exists once for each parent and needs no unique field']),
    ...needed.map(([name]) => `exists at its defaults, but its field ${name} is required and has none`),
  ]
}
