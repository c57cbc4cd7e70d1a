import type { ChosenHit } from '#domain/flow/text/rewrite-flow.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/process.ts'
import { changeFlow } from '../flow/flow-change.ts'
import type { Author } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Performed } from './performed.ts'
import { passedOver } from './skipped-flows.ts'

type Rewriting = Extract<Step, { do: 'renameinflow' | 'replaceinflow' }>

/** Changes names or texts of one flow, as one edit; skips hits removed or changed since the plan. */
export const rewriteFlow = async (
  context: CommandContext,
  author: Author,
  step: Rewriting,
  entity: EntityDeclaration,
): Promise<Performed> => {
  const { state } = await context.loader.load(entity, step.id, { fresh: true })
  if (step.do === 'replaceinflow') {
    const { id, by, hits, parser } = step
    if (state.status !== 'live') return toldOf(id, hits)
    const wanted = { text: step.text, isExact: step.isExact, isWholeWord: step.isWholeWord }
    const change = { kind: 'replace', wanted, by, hits, parser } as const
    const { left = [] } = await changeFlow(context.flows, id, author, change, { kind: 'replace' })
    return toldOf(id, left)
  }
  if (state.status !== 'live') return {}
  const { from, to, parser } = step
  const source = { kind: 'rename' as const, from, to }
  await changeFlow(context.flows, step.id, author, { kind: 'rename', renaming: { from, to }, parser }, source)
  return {}
}

const toldOf = (flow: string, left: readonly ChosenHit[]): Performed => {
  const told = passedOver(flow, left)
  return told === undefined ? {} : { told }
}
