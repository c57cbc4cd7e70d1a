import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, Circumstance, Live } from '../behaviour.ts'
import { PERMISSIONS, SERVICES } from './permission.ts'
import { checkRights } from './right.ts'

export const roleBehaviour: Behaviour = {
  commands: {},
  onCreate: (fields, circumstance) => check(fields, circumstance),
  onChange: (_state, changes, circumstance) => check(changes, circumstance),
  onRemove: (_state, circumstance) => checkRights(circumstance),
}

const check = (fields: Live['fields'], circumstance: Circumstance): Result<Live['fields']> => {
  const errors = [
    ...unknown('actions', fields.actions, name => PERMISSIONS.has(name)),
    ...unknown('services', fields.services, name => SERVICES.includes(name)),
  ]
  if (errors.length > 0) return refused('validation.failed', { errors })
  const rights = checkRights(circumstance)
  return rights.ok ? accepted(fields) : rights
}

const unknown = (path: string, value: Json | undefined, isKnown: (name: string) => boolean): FieldError[] =>
  (Array.isArray(value) ? value : []).flatMap((name, index) =>
    isKnown(String(name)) ? [] : [{ path: `${path}.${index}`, code: 'option' as const }],
  )
