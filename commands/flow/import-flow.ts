import { z } from 'zod'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { parse } from '../pipeline/parse.ts'
import { changeFlow } from './flow-change.ts'
import { entityHasScript } from './patch-whole.ts'

const bodySchema = z.strictObject({ flow: z.unknown() })

/** Replaces a live flow by a file, in place and as one change. Input {flow}, which may be the text
 * of its file; answers {unknown: types[]} besides. */
export const importFlow: Attempt = async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const body = parse(bodySchema, run.command.input)
  if (!body.ok) return body
  const { flow = null } = run.command.input
  const text = typeof flow === 'string' ? flow : JSON.stringify(flow)
  const read = await context.flows.work.perform({ do: 'parse', text, hasScript: entityHasScript(run.entity) })
  if (!read.ok) return read
  const { id } = target.value.state
  const { file, script, unknown } = read.value
  const change = { kind: 'file', file, script, origin: 'import' } as const
  const { isStale, ...changed } = await changeFlow(
    context.flows,
    id,
    run.author,
    change,
    { kind: 'import' },
    run.command.only,
  )
  if (isStale) return refused('entity.revision')
  return accepted({ id, ...changed, result: { unknown: [...unknown] } satisfies JsonObject })
}
