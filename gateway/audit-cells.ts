import type { Change } from '#projections/port.ts'
import type { AuditItem } from '#projections/query-results.ts'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { isObject } from '#schemas/json.ts'

export const AUDIT_COLUMNS = [
  'time',
  'entity',
  'entityid',
  'name',
  'action',
  'service',
  'user',
  'groups',
  'roles',
  'hierarchy',
  'revision',
  'before',
  'after',
  'changes',
  'address',
  'agent',
] as const

/** Titles by entity and id. */
type Titles = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The field at a dotted path: `headers.0.value` is the field `value` of an item. */
const fieldAt = (entity: string, path: string): Field | undefined => {
  const [name = '', , member] = path.split('.')
  const field = isEntityName(entity) ? entityOf(entity).fields[name] : undefined
  return field?.kind === 'list' && member !== undefined ? field.item[member] : field
}

const idsIn = (value: Json): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string')

/** Ids referenced in the values of these lines, by entity. */
export const referencesIn = (items: readonly AuditItem[]): Readonly<Record<string, readonly string[]>> => {
  const found: Record<string, Set<string>> = {}
  for (const { entity, changes } of items) {
    for (const { path, before, after } of changes) {
      const to = fieldAt(entity, path)?.to
      if (to === undefined) continue
      found[to] ??= new Set()
      for (const id of [...idsIn(before), ...idsIn(after)]) found[to].add(id)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([to, ids]) => [to, [...ids]]))
}

/** A block or a link of a flow in words, another object as JSON. */
const objectText = (value: JsonObject): string => {
  const { title, type, fields, from, to } = value
  if (typeof type === 'string' && typeof title === 'string') {
    const changed = Array.isArray(fields) ? ` [${fields.join(', ')}]` : ''
    return `${title === '' ? type : `${title} (${type})`}${changed}`
  }
  return typeof from === 'string' && typeof to === 'string' ? `${from} → ${to}` : JSON.stringify(value)
}

const plainText = (value: Json, titles: Readonly<Record<string, string>>): string => {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((one: Json) => plainText(one, titles)).join(', ')
  if (isObject(value)) return objectText(value)
  return typeof value === 'string' ? (titles[value] ?? value) : String(value)
}

const sideText = ({ entity, changes }: AuditItem, side: 'before' | 'after', titles: Titles): string =>
  changes
    .map((change: Change) => {
      const known = titles[fieldAt(entity, change.path)?.to ?? ''] ?? {}
      return `${change.path}: ${change.secret || change.words ? '•••' : plainText(change[side], known)}`
    })
    .join('\n')

/** The cells of one line: the values before and after in words, and the changes as the API answers them, as JSON. */
export const auditCells = (item: AuditItem, titles: Titles): string[] => [
  item.time,
  item.entity,
  item.entityid,
  item.name ?? '',
  item.action,
  item.service,
  item.user?.username ?? item.user?.id ?? '',
  item.groups.join(' '),
  item.roles.join(' '),
  item.hierarchy ?? '',
  String(item.revision),
  sideText(item, 'before', titles),
  sideText(item, 'after', titles),
  JSON.stringify(item.changes),
  item.origin?.address ?? '',
  item.origin?.agent ?? '',
]
