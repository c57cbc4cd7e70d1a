import { brain } from '#schemas/entities/brain.ts'
import { nluproject } from '#schemas/entities/nluproject.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour } from './behaviour.ts'
import { trainingCommands } from './nlu-training.ts'

export interface NluProjectFacts {
  /** The wanted parent inherits from the project itself. */
  readonly cycle: boolean
}

const CYCLE = refused('validation.failed', { errors: [{ path: 'inheritfrom', code: 'cycle' }] })

const projectBehaviour = (entity: EntityDeclaration) =>
  ({
    commands: trainingCommands(entity),
    onCreate: fields => accepted(fields),
    onChange: (_state, changes, { facts }) => (facts.cycle ? CYCLE : accepted(changes)),
  }) satisfies Behaviour<NluProjectFacts>

/** Rules of an NLU project. */
export const nluProjectBehaviour = projectBehaviour(nluproject)
/** Rules of a brain. */
export const brainBehaviour = projectBehaviour(brain)
