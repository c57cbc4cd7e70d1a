import { accepted } from '#schemas/refusal.ts'
import type { Behaviour } from './behaviour.ts'
import { composeChecked } from './compose/check-compose.ts'

/** A compose file is kept with what a check of it finds, wrong or not. */
export const deploymentBehaviour: Behaviour = {
  commands: {},
  onChange: (_state, changes) =>
    accepted(
      Object.hasOwn(changes, 'compose_file')
        ? { ...changes, compose_checked: composeChecked(changes.compose_file) }
        : changes,
    ),
}
