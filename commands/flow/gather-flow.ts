import { lintFlow } from '#domain/flow/lint-flow.ts'
import { readFlow } from '#domain/flow/read-flow.ts'
import type { Gather } from '../gatherer.ts'
import type { FlowLog } from './flow-log.ts'

/** What publishing must know of the live flow. */
export const gatherFlow: Gather = async ({ flows }, { command, entity }) => {
  if (command.action !== 'publish') return {}
  return reviewFlow(flows, entity.name, command.id)
}

/** The live revision of a flow and how many errors are in it; a handler may consist of its code alone. */
export const reviewFlow = async (flows: FlowLog, kind: string, id: string) => {
  const { doc, revision } = await flows.load(id)
  const findings = lintFlow(readFlow(doc), {})
  doc.destroy()
  const counts = (code: string) => kind === 'dialog' || code !== 'flow.start'
  const errors = findings.filter(({ severity, code }) => severity === 'error' && counts(code)).length
  return { flowrevision: revision, errors }
}
