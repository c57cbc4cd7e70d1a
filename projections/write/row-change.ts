import { same } from '#domain/json-equal.ts'
import type { Json } from '#schemas/event.ts'
import { FORGOTTEN, isObject, isShownSecret, shown } from '../column-value.ts'
import type { Column } from '../table.ts'
import type { StoredChange } from './audit-log.ts'

/** On create, every value and every cleared default counts as changed. */
export const createdOf = (column: Column, given: Json): StoredChange[] => {
  if (given !== null) return changeOf(column, null, given, true)
  return column.initial === 'null' ? [] : [{ path: column.name, before: null, after: null }]
}

/** `whole`: the thing is created or brought back whole; a secret that stays set is no change then. */
export const changeOf = (column: Column, before: Json, given: Json, whole: boolean): StoredChange[] => {
  if (isObject(given) && FORGOTTEN in given) return []
  const after = shown(column, given)
  if (isShownSecret(column, before) || isShownSecret(column, after)) {
    if (whole && (before === null) === (after === null)) return []
    return [{ path: column.name, before: null, after: null, secret: true, set: after !== null }]
  }
  if (same(before, after)) return []
  return [{ path: column.name, before, after, ...(column.kind === 'list' ? { list: true } : {}) }]
}
