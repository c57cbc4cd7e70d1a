import { PLACES } from 'virtual:place'
import { entitiesByName } from '#domain/place.ts'

/** Every declared entity with its place, by name. */
export const ENTITY_PLACES = entitiesByName(PLACES)
