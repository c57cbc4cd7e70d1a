import { queryOptions } from '@tanstack/react-query'
import { AUDIT_FIGURES, type AuditFigure } from '#schemas/api/query.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'
import { http } from '#web/api/http.ts'

export type AuditLine = AnswerOf<'GET /audit'>['items'][number]

export const FILTERS = [
  'search',
  'entity',
  'entityid',
  'user',
  'action',
  'service',
  'groups',
  'roles',
  'from',
  'to',
  'hierarchy',
  'within',
  'figure',
  'all',
] as const
type Name = (typeof FILTERS)[number]
export type AuditFilter = Readonly<Partial<Record<Exclude<Name, 'figure'>, string>>> & { readonly figure?: AuditFigure }

const isFigure = (value: string): boolean => AUDIT_FIGURES.some(figure => figure === value)

/** Audit filter from an address. */
export const readFilter = (search: URLSearchParams): AuditFilter =>
  Object.fromEntries(
    FILTERS.flatMap(name => {
      const value = search.get(name)
      return !value || (name === 'figure' && !isFigure(value)) ? [] : [[name, value]]
    }),
  )

const BUCKETS = 96

/** The filter in API terms: level switches and service states only if requested or filtered for. */
export const apiFilter = ({ all, ...filter }: AuditFilter) => {
  const isAsked = all === 'true' || filter.action === 'levelchanged' || filter.entity === 'botservice'
  return isAsked ? filter : { ...filter, quiet: 'true' as const }
}

export const auditQuery = (filter: AuditFilter, page: number, size: number) =>
  queryOptions({
    queryKey: ['audit', 'list', filter, page, size],
    queryFn: () => http.get('/audit', { query: { ...apiFilter(filter), page, size } }),
    // Keeps only pages of the same filter: other lines would not match the filter shown.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[2]) === JSON.stringify(filter) ? before : undefined,
  })

/** The histogram does not follow the period: it is what chooses it. */
export const activityQuery = ({ from: _from, to: _to, ...filter }: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', 'activity', filter],
    queryFn: async () =>
      (
        await http.get('/audit/activity', {
          query: {
            ...apiFilter(filter),
            buckets: BUCKETS,
          },
        })
      ).items,
    placeholderData: before => before,
  })

export interface TouchedBlock {
  readonly id: string
  readonly type: string
  readonly title: string
  /** Paths of what changed; of a changed block alone. */
  readonly fields: readonly string[]
}

const FLOW_PATH = /^(?:blocks|links)\.(?:added|changed|removed)$/u

/** Whether a line records flow edits, with blocks and links instead of fields. */
export const isFlowLine = ({ changes, since }: AuditLine): boolean =>
  since !== undefined || changes.some(({ path }) => FLOW_PATH.test(path))

const itemsAt = ({ changes }: AuditLine, path: string): readonly JsonObject[] => {
  const change = changes.find(one => one.path === path)
  const items = change?.after ?? change?.before
  return Array.isArray(items) ? items.filter(isObject) : []
}

export type TouchKind = 'added' | 'changed' | 'removed'

export const blocksOf = (line: AuditLine, kind: TouchKind): readonly TouchedBlock[] =>
  itemsAt(line, `blocks.${kind}`).map(({ id, type, title, fields }) => ({
    id: textOf(id),
    type: textOf(type),
    title: textOf(title),
    fields: Array.isArray(fields) ? fields.map(String) : [],
  }))

const linkCount = (line: AuditLine, kind: TouchKind): number => itemsAt(line, `links.${kind}`).length

/** Whether nothing but the place on the canvas changed. */
export const isPositionOnlyChange = ({ fields }: TouchedBlock): boolean =>
  fields.length > 0 && fields.every(field => field === 'pos')

/** One part of the sentence that sums a line up: its key below `audit.flow` and its count. */
interface FlowCount {
  readonly key: 'added' | 'changed' | 'removed' | 'moved' | 'linksadded' | 'linkschanged' | 'linksremoved'
  readonly count: number
}

/** Counts of changes to a flow; moved blocks last. */
export const flowCounts = (line: AuditLine): readonly FlowCount[] => {
  const changed = blocksOf(line, 'changed')
  const moved = changed.filter(isPositionOnlyChange).length
  const counts: readonly FlowCount[] = [
    { key: 'added', count: blocksOf(line, 'added').length },
    { key: 'removed', count: blocksOf(line, 'removed').length },
    { key: 'changed', count: changed.length - moved },
    { key: 'linksadded', count: linkCount(line, 'added') },
    { key: 'linkschanged', count: linkCount(line, 'changed') },
    { key: 'linksremoved', count: linkCount(line, 'removed') },
    { key: 'moved', count: moved },
  ]
  return counts.filter(({ count }) => count > 0)
}
