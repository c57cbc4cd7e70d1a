import type { AuditFigure } from '#schemas/api/query.ts'
import { dayBounds } from '#web/format/time.ts'

/** Audit filter of a chart. */
export interface AuditQuery {
  readonly figure?: AuditFigure
  readonly user?: string
  readonly within?: string
}

/** The audit lines that a chart counts on a day (`2026-11-19`). */
export const dayInAudit = (day: string, query: AuditQuery): string => {
  const { first, last } = dayBounds(day)
  return `/audit?${new URLSearchParams({ ...query, from: first, to: last })}`
}
