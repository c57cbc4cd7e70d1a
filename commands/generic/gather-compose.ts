import type { DeploymentFacts } from '#domain/deployment.ts'
import type { LoadFacts } from '../pipeline/command-context.ts'

/** Result of the check of a compose file, where one is written. */
export const gatherCompose: LoadFacts<DeploymentFacts> = async (context, { command }, _state, fields) => {
  const source = fields.compose_file
  return typeof source === 'string' ? { checked: await context.checks.compose(source, command.caller.level) } : {}
}
