import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import type { FlowErrors } from '#schemas/api/flow-text.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { flowsOfBot } from './bot-flow.ts'
import type { FlowsAsked } from './flow-reader.ts'
import { reviewFlow } from './gather-flow.ts'
import { createWaitFor } from './wait-for.ts'

/** Which live flows of a bot publishing refuses. */
export interface FlowReview {
  /** Flows with errors, most of them first. */
  errorsInFlows(asked: FlowsAsked, caller: Caller): Promise<FlowErrors>
}

/** After this long a review answers what it found, and which flows it did not check. */
const REVIEW_TIMEOUT_MS = 5000

export const flowReview = (context: CommandContext, timeoutMs: number = REVIEW_TIMEOUT_MS): FlowReview => {
  const waitFor = createWaitFor()
  return {
    async errorsInFlows({ bot, dialogtask, may }, caller) {
      const items: FlowErrors['items'] = []
      const unfinished: NonNullable<FlowErrors['unfinished']> = []
      const end = performance.now() + timeoutMs
      for (const flow of await flowsOfBot(context, bot, dialogtask)) {
        const { kind, id, name } = flow
        if (!may(kind)) continue
        const review = () => reviewFlow(context, caller, kind, id).catch(unlessTooCostly)
        // A large flow leaves time for those behind it.
        const reviewed = await waitFor(id, (end - performance.now()) / 2, review)
        if (reviewed === undefined) unfinished.push({ kind, id, name })
        else if (reviewed.errors > 0) items.push({ ...flow, errors: reviewed.errors })
      }
      items.sort((one, other) => other.errors - one.errors)
      return { items, ...(unfinished.length === 0 ? {} : { unfinished }) }
    },
  }
}

/** A flow that costs too much to read is one that was not checked; the others of its bot still are. */
const unlessTooCostly = (error: unknown): undefined => {
  if (error instanceof TooCostly) return undefined
  throw error
}
