import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour } from './behaviour.ts'

export interface NluProjectFacts {
  /** The wanted parent inherits from the project itself. */
  readonly cycle: boolean
}

const CYCLE = refused('validation.failed', { errors: [{ path: 'inheritfrom', code: 'cycle' }] })

/** Rules of an NLU project and of a brain. */
export const nluProjectBehaviour = {
  commands: {},
  onCreate: fields => accepted(fields),
  onChange: (_state, changes, { facts }) => (facts.cycle ? CYCLE : accepted(changes)),
} satisfies Behaviour<NluProjectFacts>
