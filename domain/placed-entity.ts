import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, isSingle, parentField } from '#schemas/entity.ts'
import { TOOL_PAGES } from '#schemas/place.ts'
import type { PlacedEntity } from './place.ts'

/** Rank among the tabs of its parent's page. Sections of a bot are in the bot's menu instead. */
const tabOf = (entity: EntityDeclaration, all: readonly EntityDeclaration[]): number | undefined => {
  const parent = all.find(({ name }) => name === parentField(entity))
  if (parent === undefined || entity.place?.bot !== undefined || entity.place?.hidden) return undefined
  const children = parent.children ?? all.map(({ name }) => name)
  const rank = children.indexOf(entity.name)
  return rank < 0 ? undefined : rank
}

const placed = (entity: EntityDeclaration, all: readonly EntityDeclaration[]): PlacedEntity => {
  const parent = parentField(entity)
  const tab = tabOf(entity, all)
  const sections = entity.form.flatMap(({ address }) => (address === undefined ? [] : [address]))
  return {
    name: entity.name,
    icon: entity.icon,
    title: entity.title,
    place: entity.place ?? {},
    ...(parent === undefined ? {} : { parent }),
    ...(tab === undefined ? {} : { tab }),
    ...(isSingle(entity) ? { single: true as const } : {}),
    ...(sections.length === 0 ? {} : { sections }),
    ...(entity.pages === undefined ? {} : { pages: entity.pages }),
    ...(entity.page === 'own' ? { own: true as const } : {}),
  }
}

/** Places from the declarations. Apart from `place.ts`, so that the schemas stay out of the first load. */
export const placedEntities = (entities: readonly EntityDeclaration[]): readonly PlacedEntity[] =>
  entities.map(entity => placed(entity, entities))

/** For `virtual:place`: the build executes this file (`web/virtual-module-plugin.ts`). */
export const PLACES = placedEntities(Object.values(ENTITIES))

/** Icons of menu entries that belong to no entity and are declared as pages. */
export const TOOL_ICONS: readonly string[] = TOOL_PAGES.flatMap(({ menu, hub, icon }) =>
  menu === undefined && hub?.page !== 'campaignmanagement' ? [] : [icon],
)
