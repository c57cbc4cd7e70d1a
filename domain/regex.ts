import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'
import { patternFault } from './nlu/pattern-cost.ts'

const checked = (fields: Live['fields']) => {
  const rule = typeof fields.pattern === 'string' ? patternFault(fields.pattern) : undefined
  return rule === undefined
    ? accepted(fields)
    : refused('validation.failed', { errors: [{ path: 'pattern', code: 'format', params: { rule } }] })
}

/** A pattern is checked before it is kept: models and browsers run it. */
export const regexBehaviour: Behaviour = {
  commands: {},
  onCreate: fields => checked(fields),
  onChange: (_state, changes) => checked(changes),
}
