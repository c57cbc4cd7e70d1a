import type * as Y from 'yjs'
import { openEngines } from '#domain/expression/template-check.ts'
import { finderOf } from '#domain/flow/find-text.ts'
import { type ChosenHit, renameInFlow, replaceInFlow } from '#domain/flow/rewrite-flow.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/process.ts'
import type { Author } from '../author.ts'
import { changeFlow } from '../flow/flow-change.ts'
import type { Tools } from '../tools.ts'
import { passedOver } from './passed-over.ts'
import type { Performed } from './performed.ts'

type Rewriting = Extract<Step, { do: 'renameinflow' | 'replaceinflow' }>

/** Changes names or texts of one flow, as one edit; what was removed or changed since the plan is passed over. */
export const rewriteFlow = async (
  tools: Tools,
  author: Author,
  step: Rewriting,
  entity: EntityDeclaration,
): Promise<Performed> => {
  const { state } = await tools.loader.load(entity, step.id, { fresh: true })
  if (step.do === 'replaceinflow') {
    const { id, by, hits, parser } = step
    if (state.status !== 'live') return toldOf(id, hits)
    const replacing = { find: finderOf(step), by, hits }
    let left: readonly ChosenHit[] = []
    const replace = (doc: Y.Doc) => {
      left = replaceInFlow(doc, replacing, parser, 'replace')
    }
    await changeFlow(tools.flows, id, author, replace, { kind: 'replace' })
    return toldOf(id, left)
  }
  if (state.status !== 'live') return {}
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
  return {}
}

const toldOf = (flow: string, left: readonly ChosenHit[]): Performed => {
  const told = passedOver(flow, left)
  return told === undefined ? {} : { told }
}
