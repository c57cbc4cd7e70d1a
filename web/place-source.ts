import { placedEntities } from '#domain/placed-entity.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'

/** Executed by the build (`place-plugin.ts`); its answer is `virtual:place`. */
export const PLACES = placedEntities(Object.values(ENTITIES))
