import { mayPublishAll } from '#domain/dialogtask.ts'
import type { Step } from '#schemas/events/process.ts'
import { reviewFlow } from '../flow/gather-flow.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { liveChildren } from '../version/take.ts'
import { concluded } from './conclude.ts'
import { awaitLookup } from './contents.ts'

/** Publishes every dialog and handler of a task as they are now. */
export const publishAll: Attempt = async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state } = target.value
  const body = confirmed(run.command.input, false)
  if (!body.ok) return body
  await awaitLookup(context)
  const steps: Step[] = []
  const dialogs: string[] = []
  let errors = 0
  for (const kind of ['dialog', 'handler']) {
    for (const { id } of await liveChildren(context, 'dialogtask', state.id, kind)) {
      const review = await reviewFlow(context, run.command.caller, kind, id)
      errors += review.errors
      if (kind === 'dialog') dialogs.push(id)
      steps.push({ do: 'publish', entity: kind, id, flowrevision: review.flowrevision })
    }
  }
  const allowed = mayPublishAll(state, dialogs, errors)
  if (!allowed.ok) return allowed
  const only = state.revision
  const first: Step = { do: 'record', entity: 'dialogtask', id: state.id, verb: 'Published', fields: {}, only }
  return concluded(context, run, { kind: 'publishall', root: state.id, steps: [first, ...steps] }, state.id)
}
