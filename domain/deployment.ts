import type { Json } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
import type { Behaviour } from './behaviour.ts'

export interface DeploymentFacts {
  /** Result of the check of a compose file. Absent where the file is not what changes. */
  readonly checked?: Json
}

/** A compose file is kept with what a check of it finds, wrong or not. */
export const deploymentBehaviour = {
  commands: {},
  onChange: (_state, changes, { facts: { checked = null } }) =>
    accepted(Object.hasOwn(changes, 'compose_file') ? { ...changes, compose_checked: checked } : changes),
} satisfies Behaviour<DeploymentFacts>
