import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, Circumstance, Live } from '../behaviour.ts'
import { checkRights } from './right.ts'

export const usergroupBehaviour: Behaviour = {
  commands: {},
  onCreate: (fields, circumstance) => check(fields, circumstance),
  onChange: (_state, changes, circumstance) => check(changes, circumstance),
  onRemove: (_state, circumstance) => checkRights(circumstance),
}

/** `facts.cycle`: the wanted parent lies below the group itself. */
const check = (fields: Live['fields'], circumstance: Circumstance): Result<Live['fields']> => {
  if (circumstance.facts.cycle === true) {
    return refused('validation.failed', { errors: [{ path: 'parent', code: 'cycle' }] })
  }
  const rights = checkRights(circumstance)
  return rights.ok ? accepted(fields) : rights
}
