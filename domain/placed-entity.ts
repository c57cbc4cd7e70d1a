import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { PlacedEntity } from './place.ts'

const placed = (entity: EntityDeclaration): PlacedEntity => {
  const parent = parentField(entity)
  const sections = entity.form.flatMap(({ address }) => (address === undefined ? [] : [address]))
  return {
    name: entity.name,
    icon: entity.icon,
    title: entity.title,
    place: entity.place ?? {},
    ...(parent === undefined ? {} : { parent }),
    ...(sections.length === 0 ? {} : { sections }),
    ...(entity.page === 'own' ? { own: true as const } : {}),
  }
}

/** What the declarations say of their places. Apart from `place.ts`, so that the schemas stay out of the first load. */
export const placedEntities = (entities: readonly EntityDeclaration[]): readonly PlacedEntity[] => entities.map(placed)
