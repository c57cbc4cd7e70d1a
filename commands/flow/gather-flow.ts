import type { PublishFacts } from '#domain/publishing.ts'
import type { LoadFacts, Tools } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { lookedUp } from '../process/contents.ts'
import { expressionSettingsOf, knownReferences, knownVariables, surroundingsOf } from './known-references.ts'

/** What publishing must know of the live flow. */
export const gatherFlow: LoadFacts<PublishFacts> = async (tools, { command, entity }) => {
  if (command.action !== 'publish') return {}
  await lookedUp(tools)
  return reviewFlow(tools, command.caller, entity.name, command.id)
}

/** The live revision of a flow and how many errors are in it: those that the designer shows the caller. */
export const reviewFlow = async (tools: Tools, caller: Caller, kind: string, id: string) => {
  const { state, revision } = await tools.flows.stored(id)
  const pointed = await tools.flows.work.perform({ do: 'references', state })
  const around = await surroundingsOf(tools, kind, id)
  const references = await knownReferences(tools, caller, pointed, around)
  const known = { ...references, ...(await knownVariables(tools, caller, { kind, id, ...around })) }
  const settings = await expressionSettingsOf(tools, around.bot)
  const errors = await tools.flows.work.perform({ do: 'review', state, known, settings })
  return { flowrevision: revision, errors }
}
