import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'

const REQUIRED = ['authurl', 'parseurl', 'clientsecret', 'project', 'model', 'timeout', 'minscore'] as const
const POSITIVE = ['timeout', 'minscore'] as const

const isMissing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const errorsOf = (fields: Live['fields']): readonly FieldError[] => [
  ...REQUIRED.filter(name => isMissing(fields[name])).map((path): FieldError => ({ path, code: 'required' })),
  ...POSITIVE.filter(name => typeof fields[name] === 'number' && fields[name] <= 0).map(
    (path): FieldError => ({ path, code: 'format', params: { rule: `nlu${path}` } }),
  ),
]

/** Saved settings of the remote system are complete; the format of downloads is independent. */
export const nluSettingsBehaviour: Behaviour = {
  commands: {},
  onChange(state, changes) {
    if (!REQUIRED.some(name => Object.hasOwn(changes, name))) return accepted(changes)
    const errors = errorsOf({ ...state.fields, ...changes })
    return errors.length === 0 ? accepted(changes) : refused('validation.failed', { errors })
  },
}
