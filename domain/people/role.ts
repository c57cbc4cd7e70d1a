import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, Live } from '../behaviour.ts'
import { PERMISSIONS, SERVICES } from './permission.ts'
import { checkRights, type RightsFacts } from './right.ts'

export const roleBehaviour: Behaviour<RightsFacts> = {
  commands: {},
  onCreate: (fields, context) => check(fields, context),
  onChange: (_state, changes, context) => check(changes, context),
  onRemove: (_state, context) => checkRights(context),
}

const check = (fields: Live['fields'], context: DecisionContext<RightsFacts>): Result<Live['fields']> => {
  const errors = [
    ...unknown('actions', fields.actions, name => PERMISSIONS.has(name)),
    ...unknown('services', fields.services, name => SERVICES.includes(name)),
  ]
  if (errors.length > 0) return refused('validation.failed', { errors })
  const rights = checkRights(context)
  return rights.ok ? accepted(fields) : rights
}

const unknown = (path: string, value: Json | undefined, isKnown: (name: string) => boolean): FieldError[] =>
  (Array.isArray(value) ? value : []).flatMap((name, index) =>
    isKnown(String(name)) ? [] : [{ path: `${path}.${index}`, code: 'option' as const }],
  )
