import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Caller } from '../port.ts'
import type { CommandRegistry } from './command-context.ts'

/** `createbot` for creating one, `publishdialog` for the named command publish. */
export const permissionFor = (registry: CommandRegistry, { name }: EntityDeclaration, action: string): string =>
  (registry.commandOf(name, action)?.permission ?? action) + name

export const isPermitted = (
  registry: CommandRegistry,
  caller: Caller,
  entity: EntityDeclaration,
  action: string,
): boolean => caller.user === null || caller.permits(permissionFor(registry, entity, action))
