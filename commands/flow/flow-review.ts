import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import type { PublishFacts } from '#domain/publishing.ts'
import type { FlowErrors } from '#schemas/api/flow-text.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { isObject } from '#schemas/json.ts'
import { runGatingTests } from '../conversation-test/conversation-test-facts.ts'
import { awaitLookup, type CommandContext, type LoadFacts, type Run } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { upcast } from '../upcasters/upcast.ts'
import { flowsOfBot } from './bot-flow.ts'
import { expressionSettingsOf, findExistingReferences, knownVariables, surroundingsOf } from './existing-references.ts'
import type { FlowState } from './flow-job.ts'
import { createKeyedTimeout, type FlowQueryScope } from './flow-reader.ts'

/** Tests that fail with a revision of a flow published. */
const failedWith = async (context: CommandContext, { command, entity }: Run, revision: number) => {
  if (command.action !== 'publish') return []
  const { bot } = await surroundingsOf(context, entity.name, command.id)
  return runGatingTests(context, bot, { [`${entity.name}s`]: { [command.id]: revision } })
}

/** Whether bots ever ran a revision of a flow. */
const wasPublished = async (context: CommandContext, { command, entity }: Run, revision: number): Promise<boolean> => {
  for await (const event of context.store.read(entityStream(entity.name, command.id))) {
    const { fields } = upcast(event).data
    if (isObject(fields) && fields.published === true && fields.publishedrevision === revision) return true
  }
  return false
}

/** Facts for publishing: about the live flow, or about the revision that is to come back. */
export const loadPublishFacts: LoadFacts<PublishFacts> = async (context, run, _state, { again, flowrevision }) => {
  const { command, entity } = run
  if (command.action !== 'publish' && command.action !== 'publishuntested') return {}
  await awaitLookup(context)
  if (again === true) {
    if (typeof flowrevision !== 'number' || !(await wasPublished(context, run, flowrevision))) return {}
    // A reason goes past the errors of a revision that bots ran, as past failing tests.
    if (command.action === 'publishuntested') return { wasPublished: true }
    const state = await context.flows.storedAt(command.id, flowrevision)
    if (state === undefined) return {}
    const review = await reviewState(context, command.caller, { kind: entity.name, id: command.id }, state)
    return { wasPublished: true, ...review, failedTests: await failedWith(context, run, flowrevision) }
  }
  const review = await reviewFlow(context, command.caller, entity.name, command.id)
  // A flow with errors is refused regardless of its tests.
  if (review.errors > 0) return review
  return { ...review, failedTests: await failedWith(context, run, review.flowrevision) }
}

/** Live revision of a flow and its error count, as the designer shows them to the caller. */
export const reviewFlow = async (context: CommandContext, caller: Caller, kind: string, id: string) => {
  const { state, revision } = await context.flows.stored(id)
  return { flowrevision: revision, ...(await reviewState(context, caller, { kind, id }, state)) }
}

/** Errors of a flow as it is or was drawn, with what exists now. */
const reviewState = async (
  context: CommandContext,
  caller: Caller,
  { kind, id }: { readonly kind: string; readonly id: string },
  state: FlowState,
) => {
  const pointed = await context.flows.work.perform({ do: 'references', state })
  const around = await surroundingsOf(context, kind, id)
  const references = await findExistingReferences(context, caller, pointed, around)
  const known = { ...references, ...(await knownVariables(context, caller, { kind, id, ...around })) }
  const settings = await expressionSettingsOf(context, around.bot)
  return context.flows.work.perform({ do: 'review', state, known, settings })
}

/** Which live flows of a bot publishing refuses. */
export interface FlowReview {
  /** Flows with errors, most of them first. */
  errorsInFlows(asked: FlowQueryScope, caller: Caller): Promise<FlowErrors>
}

/** After this long a review answers what it found, and which flows it did not check. */
const REVIEW_TIMEOUT_MS = 5000

export const flowReview = (context: CommandContext): FlowReview => {
  const waitFor = createKeyedTimeout()
  return {
    async errorsInFlows({ bot, dialogtask, may }, caller) {
      const items: FlowErrors['items'] = []
      const unfinished: NonNullable<FlowErrors['unfinished']> = []
      const end = performance.now() + REVIEW_TIMEOUT_MS
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
