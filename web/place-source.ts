import { placedEntities } from '#domain/placed-entity.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { TOOL_PAGES } from '#schemas/place.ts'

/** Executed by the build (`virtual-module-plugin.ts`); its answer is `virtual:place`. */
export const PLACES = placedEntities(Object.values(ENTITIES))

/** Icons of menu entries that belong to no entity and are declared as pages. */
export const TOOL_ICONS: readonly string[] = TOOL_PAGES.flatMap(({ menu, hub, icon }) =>
  menu === undefined && hub?.page !== 'campaignmanagement' ? [] : [icon],
)
