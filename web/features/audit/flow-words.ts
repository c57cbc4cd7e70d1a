import type { Json, JsonObject } from '#schemas/event.ts'
import type { AuditLine } from './audit-query.ts'

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

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

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
export const isOnlyMoved = ({ fields }: TouchedBlock): boolean =>
  fields.length > 0 && fields.every(field => field === 'pos')

/** One part of the sentence that sums a line up: its key below `audit.flow` and its count. */
interface FlowCount {
  readonly key: 'added' | 'changed' | 'removed' | 'moved' | 'linksadded' | 'linkschanged' | 'linksremoved'
  readonly count: number
}

/** Counts of changes to a flow; moved blocks last. */
export const flowCounts = (line: AuditLine): readonly FlowCount[] => {
  const changed = blocksOf(line, 'changed')
  const moved = changed.filter(isOnlyMoved).length
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
