import { lintExpressions } from '#domain/flow/lint-expression.ts'
import { lintFlow } from '#domain/flow/lint-flow.ts'
import { readFlow } from '#domain/flow/read-flow.ts'
import type { Gather } from '../gatherer.ts'
import type { Caller } from '../port.ts'
import type { Tools } from '../tools.ts'
import { expressionSettingsOf, knownReferences, knownVariables, surroundingsOf } from './known-references.ts'

/** What publishing must know of the live flow. */
export const gatherFlow: Gather = async (tools, { command, entity }) => {
  if (command.action !== 'publish') return {}
  return reviewFlow(tools, command.caller, entity.name, command.id)
}

/** The live revision of a flow and how many errors are in it: those that the designer shows the caller. */
export const reviewFlow = async (tools: Tools, caller: Caller, kind: string, id: string) => {
  const { doc, revision } = await tools.flows.load(id)
  const flow = readFlow(doc)
  doc.destroy()
  const around = await surroundingsOf(tools, kind, id)
  const references = await knownReferences(tools, caller, flow, around)
  const known = { ...references, ...(await knownVariables(tools, caller, { kind, id, ...around })) }
  const written = await lintExpressions(flow, await expressionSettingsOf(tools, around.bot), known)
  const errors = [...lintFlow(flow, known), ...written].filter(({ severity }) => severity === 'error').length
  return { flowrevision: revision, errors }
}
