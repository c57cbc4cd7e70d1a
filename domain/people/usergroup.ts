import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, Live } from '../behaviour.ts'
import { checkRights, type RightsFacts } from './right.ts'

export interface UsergroupFacts extends RightsFacts {
  /** The wanted parent is below the group itself. */
  readonly cycle: boolean
}

export const usergroupBehaviour: Behaviour<UsergroupFacts> = {
  commands: {},
  onCreate: (fields, context) => check(fields, context),
  onChange: (_state, changes, context) => check(changes, context),
  onRemove: (_state, context) => checkRights(context),
}

const check = (fields: Live['fields'], context: DecisionContext<UsergroupFacts>): Result<Live['fields']> => {
  if (context.facts.cycle) {
    return refused('validation.failed', { errors: [{ path: 'parent', code: 'cycle' }] })
  }
  const rights = checkRights(context)
  return rights.ok ? accepted(fields) : rights
}
