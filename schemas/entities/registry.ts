import type { EntityDeclaration } from '../entity.ts'
import { codesample } from './codesample.ts'

/** Every entity, one line each, in the order of the menus. */
export const ENTITIES = {
  codesample,
} as const satisfies Record<string, EntityDeclaration>

export type EntityName = keyof typeof ENTITIES

export const isEntityName = (name: string): name is EntityName => Object.hasOwn(ENTITIES, name)
export const entityOf = (name: EntityName): EntityDeclaration => ENTITIES[name]
