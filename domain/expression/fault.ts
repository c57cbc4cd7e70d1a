/** Position in a text: UTF-16 units from its beginning. */
export interface Place {
  readonly offset: number
  readonly length: number
}

/**
 * Fault of an expression. `syntax`, `unclosed`, `empty`: it does not parse; `function`: unknown name; `variable`: it
 * has no value; `forbidden`: it accesses a forbidden member; `limit`: too long, too deep or too large a result;
 * `value`: it does not fit the present values; `time`: it was ended.
 */
export type FaultCode =
  | 'syntax'
  | 'unclosed'
  | 'empty'
  | 'function'
  | 'variable'
  | 'forbidden'
  | 'limit'
  | 'value'
  | 'time'

export interface Fault {
  readonly code: FaultCode
  readonly place: Place
  /** The found or missing text. */
  readonly name?: string
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault }

export const fault = (code: FaultCode, place: Place, name?: string): { readonly ok: false; readonly fault: Fault } => ({
  ok: false,
  fault: { code, place, ...(name === undefined ? {} : { name }) },
})

/** Thrown where an evaluation meets a fault and caught by its engine; never leaves this folder. */
export class FaultError extends Error {
  readonly code: FaultCode
  readonly at: Place | undefined

  constructor(code: FaultCode, detail: string, at?: Place) {
    super(detail)
    this.code = code
    this.at = at
  }
}
