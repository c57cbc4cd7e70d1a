import { checkedEntities } from '#schemas/check-entities.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'

type Entities = Readonly<Record<string, EntityDeclaration>>

/** The module `schemas/entities/registry.ts` as it would be with more entities, for a test to put in its place. */
export const extendRegistry = ({ ENTITIES }: { readonly ENTITIES: Entities }, more: Entities) => {
  const all = checkedEntities({ ...ENTITIES, ...more })
  return {
    ENTITIES: all,
    isEntityName: (name: string) => Object.hasOwn(all, name),
    entityOf: (name: string) => all[name],
  }
}
