import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Caller } from '../port.ts'

const VERBS: Readonly<Record<string, string>> = {
  create: 'create',
  change: 'update',
  remove: 'delete',
  restore: 'update',
  importflow: 'update',
  restoreflow: 'update',
  upload: 'create',
  renamevariable: 'update',
  replacetext: 'update',
}

/** `createbot` for making one, `publishdialog` for the named command publish. */
export const permissionFor = (entity: EntityDeclaration, action: string): string =>
  (VERBS[action] ?? action) + entity.name

export const isPermitted = (caller: Caller, entity: EntityDeclaration, action: string): boolean =>
  caller.user === null || caller.permits(permissionFor(entity, action))
