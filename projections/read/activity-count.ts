import type { AuditFigure } from '#schemas/api/query.ts'
import { type SqlRow, stringOf } from '../statement-cache.ts'

export const HOUR = 3_600_000
export const HOURS_A_DAY = 24
const DAY_MS = HOURS_A_DAY * HOUR
/** São Paulo is three hours behind UTC all year since 2019. */
export const ZONE_HOURS = -3
/** Entities of audit lines that change nothing. */
const NO_EDIT = new Set(['session', 'signin', 'audit', 'conversation'])
/** Changes that follow from signing in and out, and versions that the program closes. */
const NO_EDIT_ACTIONS = new Set(['signedin', 'signedout', 'codeused', 'recoverycodeused', 'superseded'])
/** Locks after failed attempts or by a person: neither is an edit. */
const NO_EDIT_TYPES = new Set(['UserSignInFailed', 'UserLocked'])
/** Publishing a task writes one line per flow. */
const FLOWS = new Set(['dialog', 'handler'])
const FAILED_SIGN_INS = new Set(['UserSignInFailed', 'SignInFailed'])

/** `time` in ms. Days of São Paulo since 1970. */
export const dayNumber = (time: number): number => Math.floor((time / HOUR + ZONE_HOURS) / HOURS_A_DAY)

/** Hours since 1970, both inclusive. */
export const hoursOf = (firstDay: number, lastDay: number) => ({
  first: firstDay * HOURS_A_DAY - ZONE_HOURS,
  last: (lastDay + 1) * HOURS_A_DAY - ZONE_HOURS - 1,
})

/** `2026-11-19` for each of the days. */
export const dayNames = (first: number, days: number): string[] =>
  Array.from({ length: days }, (_, at) => new Date((first + at) * DAY_MS).toISOString().slice(0, 10))

/** A change, by its kind: entity, action, type. Made by nobody it is the program's own, and no edit. */
export const isChange = (row: SqlRow): boolean =>
  !NO_EDIT.has(stringOf(row, 'entity')) &&
  !NO_EDIT_ACTIONS.has(stringOf(row, 'action')) &&
  !NO_EDIT_TYPES.has(stringOf(row, 'type'))

/** Kinds of lines that each figure counts. */
const FIGURES: Readonly<Record<AuditFigure, (kind: SqlRow) => boolean>> = {
  edits: isChange,
  publishes: row => row.action === 'published' && FLOWS.has(stringOf(row, 'entity')),
  signins: row => row.action === 'signedin',
  failedsignins: row => FAILED_SIGN_INS.has(stringOf(row, 'type')),
}

export const isOfFigure = (figure: AuditFigure, kind: SqlRow): boolean => FIGURES[figure](kind)

/** A change that a person made. `row`: person, entity, action, type. */
export const isEdit = (row: SqlRow): boolean => row.person !== null && isChange(row)

export const addAt = (counts: number[], at: number, n: number): void => {
  counts[at] = (counts[at] ?? 0) + n
}
