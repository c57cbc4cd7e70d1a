import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { DecisionContext } from '../behaviour.ts'

export interface RightsFacts {
  /** Permissions that the command would give and its caller lacks. */
  readonly lacking: readonly string[]
  /** No administrator of people would remain. */
  readonly lastadministrator: boolean
}

const MAX_NAMED = 20

export const checkRights = ({ facts }: DecisionContext<RightsFacts>): Result<null> => {
  const { lacking } = facts
  if (lacking.length > 0) return refused('access.grant', { params: { permissions: lacking.slice(0, MAX_NAMED) } })
  return facts.lastadministrator ? refused('access.lastadministrator') : accepted(null)
}
