import type { PublishFacts } from '#domain/publishing.ts'
import { failedTests } from '../conversation-test/gate.ts'
import type { CommandContext, LoadFacts } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { awaitLookup } from '../process/contents.ts'
import { expressionSettingsOf, knownReferences, knownVariables, surroundingsOf } from './known-references.ts'

/** Facts about the live flow for publishing. */
export const gatherFlow: LoadFacts<PublishFacts> = async (context, { command, entity }) => {
  if (command.action !== 'publish' && command.action !== 'publishuntested') return {}
  await awaitLookup(context)
  const review = await reviewFlow(context, command.caller, entity.name, command.id)
  // A flow with errors is refused regardless of its tests.
  if (command.action !== 'publish' || review.errors > 0) return review
  const { bot } = await surroundingsOf(context, entity.name, command.id)
  const becomes = { [`${entity.name}s`]: { [command.id]: review.flowrevision } }
  return { ...review, failedTests: await failedTests(context, bot, becomes) }
}

/** Live revision of a flow and its error count, as the designer shows them to the caller. */
export const reviewFlow = async (context: CommandContext, caller: Caller, kind: string, id: string) => {
  const { state, revision } = await context.flows.stored(id)
  const pointed = await context.flows.work.perform({ do: 'references', state })
  const around = await surroundingsOf(context, kind, id)
  const references = await knownReferences(context, caller, pointed, around)
  const known = { ...references, ...(await knownVariables(context, caller, { kind, id, ...around })) }
  const settings = await expressionSettingsOf(context, around.bot)
  const reviewed = await context.flows.work.perform({ do: 'review', state, known, settings })
  return { flowrevision: revision, ...reviewed }
}
