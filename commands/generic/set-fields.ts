import type { NamedCommand } from '#domain/behaviour.ts'
import { decideSetting } from '#domain/entity.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { namedAttempt } from './named-command.ts'

/** Attempt of a declared action that sets fields and has no own command. */
export const setFields: Attempt = (context, run) => {
  const { entity, command } = run
  const given: NamedCommand = {
    decide: (state, input) => decideSetting(entity, state, entity.actions[command.action]?.sets ?? {}, input),
  }
  return namedAttempt(given, async () => ({}))(context, run)
}
