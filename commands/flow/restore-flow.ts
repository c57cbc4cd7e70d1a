import { flowRestoreBody } from '#schemas/api/flow.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { parse } from '../pipeline/parse.ts'
import { changeFlow } from './flow-change.ts'
import { entityHasScript } from './patch-whole.ts'

/**
 * Brings a flow, chosen blocks of it with their links, or chosen fields of those blocks, back as they stood at a
 * revision: one change in place.
 */
export const restoreFlow: Attempt = async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const body = parse(flowRestoreBody, run.command.input)
  if (!body.ok) return body
  const { revision, blocks, fields } = flowRestoreBody.parse(body.value)
  if (fields !== undefined && blocks === undefined) {
    return refused('validation.failed', { errors: [{ path: 'blocks', code: 'required' }] })
  }
  const { id } = target.value.state
  const present = await context.flows.revision(id)
  if (revision > present) {
    return refused('validation.failed', { errors: [{ path: 'revision', code: 'toolarge', params: { max: present } }] })
  }
  const past = await context.flows.storedAt(id, revision)
  if (past === undefined) return refused('entity.notfound')
  if (blocks !== undefined) {
    // Blocks that neither moment has; fields need the block in both.
    const { state } = await context.flows.stored(id)
    const missing = await context.flows.work.perform({
      do: 'missing',
      state,
      past,
      blocks,
      inBoth: fields !== undefined,
    })
    const errors = missing.map(index => ({ path: `blocks.${index}`, code: 'reference' as const }))
    if (errors.length > 0) return refused('validation.failed', { errors })
  }
  const hasScript = entityHasScript(run.entity)
  const change = { kind: 'restore', past, hasScript, blocks, fields } as const
  const source = { kind: 'restore', revision } as const
  const { isStale, ...changed } = await changeFlow(context.flows, id, run.author, change, source, run.command.only)
  if (isStale) return refused('entity.revision')
  return accepted({ id, ...changed })
}
