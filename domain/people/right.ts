import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Circumstance } from '../behaviour.ts'

/**
 * The facts that `commands/people/gather-rights.ts` looks up: permissions that a command would give and its caller
 * lacks, and whether nobody could administer people any more after it.
 */
export const checkRights = ({ facts }: Circumstance): Result<null> => {
  const lacking = Array.isArray(facts.lacking) ? facts.lacking : []
  if (lacking.length > 0) return refused('access.grant', { params: { permissions: lacking.slice(0, 20) } })
  return facts.lastadministrator === true ? refused('access.lastadministrator') : accepted(null)
}
