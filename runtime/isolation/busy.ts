import { refused } from '#schemas/refusal.ts'

/** s after which a caller may try again when all processes are busy. */
const RETRY_S = 10

/** Refusal of work for which no process was free in time. */
export const BUSY = refused('request.toomany', { params: { retryAfter: RETRY_S } })
