import * as registry from '../../schemas/entities/registry.ts'
import { extendRegistry } from './extend-registry.ts'
import { PLACED_ENTITIES } from './placed-entities.ts'

/** Replaces `schemas/entities/registry.ts` in a web build with the entities of the tests. */
export const { ENTITIES, isEntityName, entityOf } = extendRegistry(registry, PLACED_ENTITIES)
