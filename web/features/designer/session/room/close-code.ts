/** Why the server ended a connection, and what the client does about it. */
export type Ending =
  | { readonly kind: 'retry'; readonly after: number }
  | { readonly kind: 'session' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'large' }

/** Milliseconds: a rate limited room gets a longer pause. */
const PACE = { normal: 250, limited: 5000, longest: 5_000 }

/** Exponential, jittered to 50–150 %, so that a thousand clients do not come back in the same moment. */
export const pauseBefore = (attempt: number, random: number, base = PACE.normal): number =>
  Math.min(PACE.longest, base * 2 ** Math.min(attempt, 8)) * (0.5 + random)

/** Action for a WebSocket close code (API.md, Realtime). `attempt` counts failures in a row, `random` is in [0, 1). */
export const endingOf = (code: number, attempt: number, random: number): Ending => {
  switch (code) {
    case 4401:
      return { kind: 'session' }
    case 4403:
      return { kind: 'forbidden' }
    case 4404:
      return { kind: 'missing' }
    case 4400:
      return { kind: 'refused' }
    case 4413:
      return { kind: 'large' }
    case 4429:
      return { kind: 'retry', after: pauseBefore(attempt, random, PACE.limited) }
    default:
      return { kind: 'retry', after: pauseBefore(attempt, random) }
  }
}
