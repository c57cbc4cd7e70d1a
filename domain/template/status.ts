import type { Json } from '#schemas/event.ts'

/** Words of Meta's review under which a template may be changed. */
const EDITABLE: ReadonlySet<string> = new Set(['APPROVED', 'REJECTED', 'PAUSED'])
const REVIEWED: ReadonlySet<string> = new Set(['PENDING', 'IN_APPEAL'])
/** FLAGGED can still be sent, but may be stopped soon. */
const SENDABLE: ReadonlySet<string> = new Set(['APPROVED', 'REINSTATED', 'UNARCHIVED', 'FLAGGED'])
const GONE: ReadonlySet<string> = new Set(['DELETED', 'PENDING_DELETION'])

const among = (words: ReadonlySet<string>, status: Json | undefined): boolean =>
  typeof status === 'string' && words.has(status)

export const editableStatus = (status: Json | undefined): boolean => among(EDITABLE, status)
export const isUnderReview = (status: Json | undefined): boolean => among(REVIEWED, status)
/** Whether messages may be sent from it: a word that nobody knows does not count. */
export const isSendable = (status: Json | undefined): boolean => among(SENDABLE, status)
export const isGone = (status: Json | undefined): boolean => among(GONE, status)
