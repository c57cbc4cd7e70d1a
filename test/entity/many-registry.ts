import * as registry from '../../schemas/entities/registry.ts'
import { extendRegistry } from './extend-registry.ts'
import { manyEntities } from './many-entities.ts'

/** Replaces `schemas/entities/registry.ts` in a web build with seventy entities. */
export const { ENTITIES, isEntityName, entityOf } = extendRegistry(registry, manyEntities(registry.ENTITIES))
