import { type Refusal, refused } from '#schemas/refusal.ts'

/** s after which a caller may try again. */
const RETRY_S = 10

/** No process was free in time for work on an input, or the work was aborted: the input itself may be correct. */
export class WorkBusy extends Error {
  override readonly name: string = 'WorkBusy'
}

/** Refusal of a call for whose work no process was free in time. */
export const BUSY: { readonly ok: false; readonly refusal: Refusal } = refused('request.toomany', {
  params: { retryAfter: RETRY_S },
})
