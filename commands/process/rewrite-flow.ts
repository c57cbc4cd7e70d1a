import { openEngines } from '#domain/expression/template-check.ts'
import { finderOf } from '#domain/flow/find-text.ts'
import { renameInFlow, replaceInFlow } from '#domain/flow/rewrite-flow.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/process.ts'
import type { Author } from '../author.ts'
import { changeFlow } from '../flow/flow-change.ts'
import type { Tools } from '../tools.ts'

type Rewriting = Extract<Step, { do: 'renameinflow' | 'replaceinflow' }>

/** Changes names or texts of one flow, as one edit; a flow that was removed meanwhile is passed over. */
export const rewriteFlow = async (
  tools: Tools,
  author: Author,
  step: Rewriting,
  entity: EntityDeclaration,
): Promise<undefined> => {
  const { state } = await tools.loader.load(entity, step.id, { fresh: true })
  if (state.status !== 'live') return
  if (step.do === 'replaceinflow') {
    const { by, hits, parser } = step
    const replacing = { find: finderOf(step), by, hits }
    const source = { kind: 'replace' as const }
    await changeFlow(tools.flows, step.id, author, doc => replaceInFlow(doc, replacing, parser, 'replace'), source)
    return
  }
  const { from, to, parser } = step
  const engines = await openEngines([parser, 'JSONPath'])
  const source = { kind: 'rename' as const, from, to }
  await changeFlow(
    tools.flows,
    step.id,
    author,
    doc => renameInFlow(doc, { from, to }, parser, engines, 'rename'),
    source,
  )
}
