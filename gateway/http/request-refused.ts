import type { Refusal } from '#schemas/refusal.ts'

/** Ends a request inside the framework's own steps (hooks, body parsers, validation), which can only be left by throwing. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}
