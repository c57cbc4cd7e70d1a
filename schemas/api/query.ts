import { z } from 'zod'
import type { EntityDeclaration } from '../entity.ts'
import type { Field, FieldKind } from '../field/kind.ts'

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const DAY = /^\d{4}-\d\d-\d\d$/
const SEPARATOR = '..'

/** A truth value. */
export const flag = z.enum(['true', 'false', '1', '0']).transform(value => value === 'true' || value === '1')
/** A time (ISO 8601), or a day. */
export const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** Ends of `from..to`; undefined for a single value. */
const endsOf = (text: string): readonly [from: string, to: string] | undefined => {
  const at = text.indexOf(SEPARATOR)
  return at === -1 ? undefined : [text.slice(0, at), text.slice(at + SEPARATOR.length)]
}

const range = (isEnd: (text: string) => boolean, toFrom: (end: string) => string | number, toTo = toFrom) =>
  z
    .string()
    .max(100)
    .refine(text => {
      const ends = endsOf(text)
      if (ends === undefined) return isEnd(text)
      return ends.some(end => end !== '') && ends.every(end => end === '' || isEnd(end))
    })
    .transform(text => {
      const ends = endsOf(text)
      // A day alone is the range of its times.
      const [from, to] = ends ?? [text, text]
      if (ends === undefined && toFrom(text) === toTo(text)) return toFrom(text)
      return { ...(from === '' ? {} : { from: toFrom(from) }), ...(to === '' ? {} : { to: toTo(to) }) }
    })

/** A number, or `from..to` with both ends in it; either end may be missing. */
const numberFilter = range(text => NUMBER.test(text), Number)

const startOf = (text: string): string => (DAY.test(text) ? `${text}T00:00:00.000Z` : new Date(text).toISOString())
const endOf = (text: string): string => (DAY.test(text) ? `${text}T23:59:59.999Z` : new Date(text).toISOString())

/** A time (ISO 8601), a day in UTC, or `from..to` of these with both ends in it; either end may be missing. */
const timeFilter = range(text => instant.safeParse(text).success, startOf, endOf)

export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))

export const MAX_PAGE_SIZE = 100
const line = z.string().max(500)
const id = z.string().max(200)

/** A page of a list; size is at most 100. */
export const pageQuery = {
  page: whole(1, 1_000_000).default(1),
  size: whole(1, MAX_PAGE_SIZE).default(25),
}

/** Without a size as many as a page holds. */
export const usedByQuery = z.strictObject({
  page: pageQuery.page,
  size: whole(1, MAX_PAGE_SIZE).default(MAX_PAGE_SIZE),
})

/** Without a level, the one of the session. */
export const assignableQuery = z.strictObject({ hierarchylevel: id.optional() })

/** Part of a history, after a revision. */
export const historyQuery = z.strictObject({
  after: whole(0, 999_999_999).default(0),
  size: whole(1, MAX_PAGE_SIZE).default(25),
})

export const flowHistoryQuery = z.strictObject({
  after: whole(0, 999_999_999).default(0),
  size: whole(1, MAX_PAGE_SIZE).default(25),
  fold: flag.default(false),
})

export const flowDiffQuery = z.strictObject({ from: whole(0, 999_999_999), to: whole(0, 999_999_999) })

/** Chart figures of the audit: each is a filter of it. */
export const AUDIT_FIGURES = ['edits', 'publishes', 'signins', 'failedsignins'] as const
export type AuditFigure = (typeof AUDIT_FIGURES)[number]

const auditFilter = {
  entity: id.optional(),
  entityid: id.optional(),
  user: id.optional(),
  action: id.optional(),
  /** The part of the program that wrote the line: equal to its entity. */
  service: id.optional(),
  /** Id or name of a group, or of a role, that the person had when it happened. */
  groups: id.optional(),
  roles: id.optional(),
  /** Text in ids, names, values, addresses and names that were tried. */
  search: id.optional(),
  /** Leaves out changes of the session's level and states of services. */
  quiet: flag.optional(),
  from: instant.optional(),
  to: instant.optional(),
  hierarchy: id.optional(),
  /** A thing with all that lies or lay in it. */
  within: id.optional(),
  /** Only lines that this figure counts. */
  figure: z.enum(AUDIT_FIGURES).optional(),
}
export const auditQuery = z.strictObject({ ...auditFilter, ...pageQuery })
export const auditActivityQuery = z.strictObject({ ...auditFilter, buckets: whole(1, 500).default(60) })
export const auditExportQuery = z.strictObject({ ...auditFilter, format: z.enum(['csv', 'jsonl']).default('csv') })

export const notificationQuery = z.strictObject({ unread: flag.optional(), scope: id.optional(), ...pageQuery })
export const commentQuery = z.strictObject({ resolved: flag.optional(), block: id.optional(), ...pageQuery })
/** Readers of a flow; size is at most 50. */
export const readerQuery = z.strictObject({ search: line.default(''), size: whole(1, 50).default(10) })
export const searchQuery = z.strictObject({ search: line, size: whole(1, 50).default(20) })

/** Ids separated by commas. */
export const peopleQuery = z.strictObject({
  ids: z
    .string()
    .max(20_000)
    .transform(value => [...new Set(value.split(',').filter(part => part !== ''))])
    .pipe(z.array(id).max(MAX_PAGE_SIZE)),
})

const filterOf = (field: Field): z.ZodType => {
  switch (field.kind) {
    case 'boolean':
      return flag.optional()
    case 'integer':
    case 'number':
    case 'duration':
      return numberFilter.optional()
    case 'time':
      return timeFilter.optional()
    case 'enumeration':
      return z.enum(field.options ?? []).optional()
    default:
      return line.optional()
  }
}

const STAMPS = ['created_at', 'modified_at'] as const
const SORTABLE_OF_SERVER = ['created_at', 'modified_at', 'revision', 'id']
const RESERVED = new Set(['search', 'sort', 'page', 'size', 'hierarchylevel', 'home', 'removed'])
/** Neither sorted nor filtered by. */
const STRUCTURED: ReadonlySet<FieldKind> = new Set(['list', 'file', 'image'])
const isFilter = ([name, field]: [string, Field]): boolean =>
  !field.secret && !field.internal && field.kind !== 'json' && !STRUCTURED.has(field.kind) && !RESERVED.has(name)

/** Names of the fields of an entity that a list can be narrowed by. */
export const filtersOf = (entity: EntityDeclaration): readonly string[] => [
  ...Object.entries(entity.fields)
    .filter(isFilter)
    .map(([name]) => name),
  ...STAMPS,
]

/** Filters and order of a list query. */
const selectionShape = (entity: EntityDeclaration) => {
  const sortable = [
    ...Object.entries(entity.fields)
      .filter(([, field]) => !field.secret && !field.internal && !STRUCTURED.has(field.kind))
      .map(([name]) => name),
    ...SORTABLE_OF_SERVER,
  ]
  const filters = Object.entries(entity.fields)
    .filter(isFilter)
    .map(([name, field]) => [name, filterOf(field)])
  return {
    ...Object.fromEntries(STAMPS.map(name => [name, timeFilter.optional()])),
    ...(Object.fromEntries(filters) as Record<string, z.ZodType>),
    search: line.optional(),
    sort: z.enum(sortable.flatMap(name => [name, `-${name}`])).optional(),
    hierarchylevel: id.optional(),
    home: flag.optional(),
    removed: flag.optional(),
  }
}

/** Query of an export: a list's without its pages. */
export const exportQuery = (entity: EntityDeclaration) => z.strictObject(selectionShape(entity))

/** Query of a list; strict, so that a mistyped filter is refused, not ignored. */
export const listQuery = (entity: EntityDeclaration) => z.strictObject({ ...selectionShape(entity), ...pageQuery })
