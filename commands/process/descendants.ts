import { isRemovedWithParent } from '#domain/entity-tree.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { CommandContext } from '../pipeline/command-context.ts'

type Entities = Readonly<Record<string, EntityDeclaration>>

/** Entities whose things lie directly in things of this one, and are removed with them. */
const contentsOf = (entities: Entities, entity: EntityDeclaration): readonly EntityDeclaration[] =>
  Object.values(entities).filter(child => parentField(child) === entity.name && isRemovedWithParent(child))

/** Whether removing a thing removes others by events of their own: comments and what exists once only hide with it. */
export const isTree = (entities: Entities, entity: EntityDeclaration): boolean =>
  contentsOf(entities, entity).some(({ rights }) => rights !== 'readers')

export interface Thing {
  readonly entity: EntityDeclaration
  readonly id: string
}

/** All contents of an entity, at any depth, parents first. */
export const listDescendants = async (context: CommandContext, { entity, id }: Thing): Promise<Thing[]> => {
  const found: Thing[] = []
  for (const child of contentsOf(context.entities, entity)) {
    for (const childId of await context.lookup.children(entity.name, id, child.name)) {
      const thing = { entity: child, id: childId }
      found.push(thing, ...(await listDescendants(context, thing)))
    }
  }
  return found
}

/** Waits until all that was written can be looked up. */
export const awaitLookup = async ({ store, lookup }: CommandContext): Promise<void> =>
  lookup.reached(await store.head())
