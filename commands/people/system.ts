import type { Caller } from '../port.ts'

/** Start-up, the command line and what nobody asked for: may do everything. */
export const systemCaller = (level = ''): Caller => ({
  user: null,
  session: null,
  level,
  subtree: new Set(),
  permits: () => true,
})

/**
 * A person in the steps of their own sign-in: they reach themselves alone. `origin`: id of the session or attempt whose
 * address and browser are known.
 */
export const ownCaller = (
  person: { readonly id: string; readonly level: string },
  origin: string | null = null,
): Caller => ({
  user: person.id,
  session: origin,
  level: person.level,
  subtree: new Set([person.level]),
  permits: () => true,
})
