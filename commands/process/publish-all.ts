import { parseInput } from '#domain/field/validate.ts'
import { mayPublishAll } from '#domain/publishing.ts'
import { UNTESTED } from '#schemas/entities/flow-action.ts'
import { actionInputSchema } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/entity.ts'
import { type FieldError, refused } from '#schemas/refusal.ts'
import { runGatingTests } from '../conversation-test/gating-tests.ts'
import { reviewFlow } from '../flow/flow-review.ts'
import { type Attempt, checkConfirmation, loadLiveTarget } from '../pipeline/command-context.ts'
import { liveChildren } from '../version/capture-version.ts'
import { awaitLookup } from './descendants.ts'
import { runProcess } from './process-report.ts'

/** Errors of all flows that are named one by one. */
const MAX_FAULTS = 50

const reasonSchema = actionInputSchema({ icon: '', on: [], input: { reason: UNTESTED } })

/** Publishes all dialogs and handlers of a task as they are now; `untested`: with a reason, regardless of its tests. */
const publishAllOf =
  (untested: boolean): Attempt =>
  async (context, run) => {
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { state } = target.value
    const { reason, ...rest } = run.command.input
    const body = checkConfirmation(untested ? rest : run.command.input, false)
    if (!body.ok) return body
    const why = untested ? parseInput(reasonSchema, { reason: reason ?? null }) : undefined
    if (why?.ok === false) return why
    await awaitLookup(context)
    const steps: Step[] = []
    const becomes: Record<string, Record<string, number>> = { dialogs: {}, handlers: {} }
    const dialogs: string[] = []
    let errors = 0
    const faults: FieldError[] = []
    for (const kind of ['dialog', 'handler']) {
      for (const { id } of await liveChildren(context, 'dialogtask', state.id, kind)) {
        const review = await reviewFlow(context, run.command.caller, kind, id)
        errors += review.errors
        const within = review.faults.map(fault => ({ ...fault, path: `${kind}s.${id}.${fault.path}` }))
        faults.push(...within.slice(0, MAX_FAULTS - faults.length))
        if (kind === 'dialog') dialogs.push(id)
        becomes[`${kind}s`] = { ...becomes[`${kind}s`], [id]: review.flowrevision }
        steps.push({ do: 'publish', entity: kind, id, flowrevision: review.flowrevision })
      }
    }
    const allowed = mayPublishAll(state, dialogs, errors, faults)
    if (!allowed.ok) return allowed
    const failed = untested ? [] : await runGatingTests(context, String(state.fields.bot), becomes)
    if (failed.length > 0) return refused('test.failed', { params: { count: failed.length }, errors: failed })
    const only = state.revision
    const told = untested ? String(reason) : null
    const fields = told === (state.fields.untestedreason ?? null) ? {} : { untestedreason: told }
    const first: Step = { do: 'record', entity: 'dialogtask', id: state.id, verb: 'Published', fields, only }
    return runProcess(context, run, { kind: 'publishall', root: state.id, steps: [first, ...steps] }, state.id)
  }

export const publishAll = publishAllOf(false)
export const publishAllUntested = publishAllOf(true)
