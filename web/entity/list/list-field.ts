import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration, ListColumn } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'

type Field = EntityDeclaration['fields'][string]

/** Control of a field's filter: options, a referenced entity, or a range. */
type FilterKind = 'option' | 'reference' | 'number' | 'time'

const filterKindOf = (field: Field): FilterKind | undefined => {
  if (field.secret || field.internal) return undefined
  switch (field.kind) {
    case 'enumeration':
    case 'boolean':
      return 'option'
    case 'reference':
    case 'references':
      return 'reference'
    case 'integer':
    case 'number':
      return 'number'
    case 'time':
      return 'time'
    default:
      return undefined
  }
}

/** Times that every thing has. */
const STAMPS = ['created_at', 'modified_at']

/** Names of list parameters: a field of such a name cannot be filtered by. */
const RESERVED: ReadonlySet<string> = new Set(['search', 'sort', 'page', 'size', 'view', 'removed', 'columns'])

export const filterKind = (entity: EntityDeclaration, name: string): FilterKind | undefined => {
  if (STAMPS.includes(name)) return 'time'
  const field = entity.fields[name]
  return field === undefined || RESERVED.has(name) ? undefined : filterKindOf(field)
}

/** Fields that a list can be filtered by: those of its columns first. */
export const filterFields = (entity: EntityDeclaration): readonly string[] => {
  const columns = entity.list.columns.map(({ field }) => field)
  const names = [...columns, ...Object.keys(entity.fields).filter(name => !columns.includes(name)), ...STAMPS]
  return names.filter(name => filterKind(entity, name) !== undefined)
}

/** Filters that the bar shows from the start: the columns with few values. */
export const quickFilters = (entity: EntityDeclaration): readonly string[] =>
  filterFields(entity).filter(
    name => filterKind(entity, name) === 'option' && entity.list.columns.some(({ field }) => field === name),
  )

export const optionsOf = (entity: EntityDeclaration, name: string): readonly string[] => {
  const field = entity.fields[name]
  return field?.kind === 'boolean' ? ['true', 'false'] : (field?.options ?? [])
}

/** Values that every row has beside the declared fields. */
const OWN_COLUMNS: readonly ListColumn[] = [
  { field: 'modified_at', as: 'time' },
  { field: 'created_at', as: 'time' },
  { field: 'hierarchylevel', as: 'reference' },
]
const LAST_CHANGE = 'modified_at'
/** Longer texts are no columns: an embedded picture, a script. */
const MAX_COLUMN_TEXT = 10_000

const columnOf = (name: string, field: Field): ListColumn | undefined => {
  if (field.secret || field.internal || (field.max ?? 0) > MAX_COLUMN_TEXT) return undefined
  switch (field.kind) {
    case 'boolean':
      return { field: name, as: 'boolean' }
    case 'integer':
    case 'number':
      return { field: name, as: 'number' }
    case 'reference':
      return { field: name, as: 'reference' }
    case 'references':
    case 'strings':
      return { field: name, as: 'tags' }
    case 'time':
      return { field: name, as: 'time' }
    case 'string':
    case 'text':
    case 'email':
    case 'enumeration':
      return { field: name }
    default:
      return undefined
  }
}

const hasNameColumn = (entity: EntityDeclaration) => entity.list.columns.some(({ as }) => as === 'name')
/** The name column shows the description under the name. */
const isShownWithName = (entity: EntityDeclaration, name: string) => name === 'description' && hasNameColumn(entity)

const declaredColumns = (entity: EntityDeclaration) => {
  const [first, ...others] = entity.list.columns.filter(
    ({ field, as }) => as === 'name' || !isShownWithName(entity, field),
  )
  return first === undefined ? [] : [first, ...(entity.list.facts ?? []), ...others]
}

/** Columns that a list can show: the declared ones first. */
export const columnsOf = (entity: EntityDeclaration): readonly ListColumn[] => {
  const declared = declaredColumns(entity)
  const more = Object.entries(entity.fields).flatMap(([name, field]) => {
    if (isShownWithName(entity, name) || declared.some(column => column.field === name)) return []
    return columnOf(name, field) ?? []
  })
  return [...declared, ...OWN_COLUMNS.filter(({ field }) => field === LAST_CHANGE || entity.parent !== 'none'), ...more]
}

/** Columns shown when nobody chose others. */
export const defaultColumns = (entity: EntityDeclaration): readonly string[] => [
  ...declaredColumns(entity).map(({ field }) => field),
  ...(entity.list.level === true ? ['hierarchylevel'] : []),
  LAST_CHANGE,
]

/** The column that leads to the thing: it is always shown. */
export const leadColumn = (entity: EntityDeclaration): string | undefined =>
  (
    entity.list.columns.find(({ as }) => as === 'name') ??
    entity.list.columns.find(({ field }) => field === entity.title)
  )?.field

export const isSortable = (entity: EntityDeclaration, name: string): boolean => {
  if (STAMPS.includes(name)) return true
  const field = entity.fields[name]
  if (field === undefined || field.secret || field.internal) return false
  // A name of a user is stored with the user alone, where it can be forgotten: no other list is ordered by it.
  if (field.to === 'user') return false
  return !['references', 'strings', 'json', 'file'].includes(field.kind)
}

/** Header of a column. */
export const useColumnLabel = (entity: EntityDeclaration): ((field: string) => string) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return useCallback(
    (field: string) => (field === 'modified_at' ? t('list.lastchange') : label.field(entity.name, field)),
    [t, label, entity],
  )
}
