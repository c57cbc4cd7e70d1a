import { z } from 'zod'
import { openEngines } from '#domain/expression/template-check.ts'
import { parseInput } from '#domain/field/validate.ts'
import { type ChosenHit, hitKey } from '#domain/flow/text/rewrite-flow.ts'
import { isVariableName, SYSTEM_VARIABLES } from '#domain/flow/variable/variable-use.ts'
import { type FlowsRewritten, flowReplacementBody, variableRenamingBody } from '#schemas/api/flow-text.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ProcessPlan, Step } from '#schemas/events/entity.ts'
import { accepted, type FieldErrorCode, type Result, refused } from '#schemas/refusal.ts'
import { type BotFlow, flowsOfBot } from '../flow/bot-flow.ts'
import { expressionSettingsOf } from '../flow/existing-references.ts'
import { queryFlow } from '../flow/flow-reader.ts'
import {
  type Attempt,
  type CommandContext,
  type CommandResult,
  loadLiveTarget,
  type Run,
} from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { liveChildren } from '../version/capture-version.ts'
import { runProcess } from './process-report.ts'

/** Places of one flow reported by name; further ones are only counted. */
const MAX_NAMED = 100

/** A step's report of the hits in a flow that no longer existed. */
const skippedReplacementsSchema = z.object({
  flow: z.string(),
  count: z.int(),
  left: z.array(z.object({ block: z.string(), field: z.string() })),
})

export const skippedReplacements = (
  flow: string,
  left: readonly ChosenHit[],
): z.infer<typeof skippedReplacementsSchema> | undefined => {
  if (left.length === 0) return undefined
  return { flow, count: left.length, left: left.slice(0, MAX_NAMED).map(placeOf) }
}

/** Place of a hit, for display. */
const placeOf = ({ block, path }: ChosenHit) => ({ block, field: path[0] ?? 'title' })

/** Whether someone may draw in all of these flows. */
const mayEditFlows = (caller: Caller, flows: readonly Pick<BotFlow, 'kind'>[]): boolean =>
  flows.every(({ kind }) => caller.user === null || caller.permits(`update${kind}`))

/** Rewrites the flows of a plan and answers what was changed, and what was left where, of which steps tell as well. */
const rewriteFlows = async (
  context: CommandContext,
  run: Run,
  plan: ProcessPlan,
  found: (told: readonly JsonObject[]) => FlowsRewritten,
): Promise<Result<CommandResult>> => {
  if (plan.steps.length > 0) return runProcess(context, run, plan, plan.root, told => ({ ...found(told) }))
  const { tail } = await context.loader.load(run.entity, plan.root)
  return accepted({ id: plan.root, revision: tail.revision, result: { ...found([]) } })
}

/** Hits of a flow that takes longer are passed over. */
const LOOK_TIMEOUT_MS = 20_000

/** Replaces a text in chosen places of a bot's flows; each flow is one change. */
export const replaceText: Attempt = async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const body = parseInput(flowReplacementBody, run.command.input)
  if (!body.ok) return body
  const { text, by, exact, word, flows: chosen } = flowReplacementBody.parse(body.value)
  const { id: bot } = target.value.state
  const wanted = { text, isExact: exact, isWholeWord: word }
  const { parser } = await expressionSettingsOf(context, bot)
  const known = new Map((await flowsOfBot(context, bot)).map(flow => [flow.id, flow]))
  const touched: BotFlow[] = []
  for (const [index, { id }] of chosen.entries()) {
    const flow = known.get(id)
    const wrong = (code: FieldErrorCode) =>
      refused('validation.failed', { errors: [{ path: `flows.${index}.id`, code }] })
    if (flow === undefined || !run.command.caller.permits(`read${flow.kind}`)) return wrong('reference')
    if (touched.includes(flow)) return wrong('duplicate')
    touched.push(flow)
  }
  if (!mayEditFlows(run.command.caller, touched)) return refused('access.forbidden')
  const found: FlowsRewritten = { flows: 0, texts: 0, left: [] }
  const steps: Step[] = []
  for (const [index, { kind, id, name }] of touched.entries()) {
    const hits: readonly ChosenHit[] = chosen[index]?.hits ?? []
    const look = { for: 'chosen', hits, wanted, parser } as const
    const { answer: standing } = await queryFlow(context.flows, id, look, LOOK_TIMEOUT_MS)
    const isStanding = new Set(standing.map(hitKey))
    for (const hit of hits) {
      if (!isStanding.has(hitKey(hit))) found.left.push({ kind, id, name, ...placeOf(hit) })
    }
    if (standing.length === 0) continue
    found.flows += 1
    found.texts += standing.length
    steps.push({ do: 'replaceinflow', entity: kind, id, ...wanted, by, parser, hits: standing.map(plainHit) })
  }
  const plan = { kind: 'replacetext', root: bot, steps } as const
  return rewriteFlows(context, run, plan, told => told.reduce<FlowsRewritten>(withPassedOver(touched, steps), found))
}

/** Texts changed between the plan and its step were not replaced either. */
const withPassedOver =
  (flows: readonly BotFlow[], steps: readonly Step[]) =>
  (found: FlowsRewritten, told: JsonObject): FlowsRewritten => {
    const { flow: id, count, left } = skippedReplacementsSchema.parse(told)
    const flow = flows.find(each => each.id === id)
    const step = steps.find(each => each.id === id)
    if (flow === undefined || step?.do !== 'replaceinflow') return found
    const { kind, name } = flow
    return {
      flows: found.flows - (count === step.hits.length ? 1 : 0),
      texts: found.texts - count,
      left: [...found.left, ...left.map(place => ({ kind, id, name, ...place }))],
    }
  }

const plainHit = ({ block, path, at, offset }: ChosenHit) => ({
  block,
  path: [...path],
  ...(at === undefined ? {} : { at }),
  offset,
})

const wrong = (path: string, code: FieldErrorCode) => refused('validation.failed', { errors: [{ path, code }] })

/** Gives a variable of a bot another name, in its declaration and wherever a flow of the bot says it. */
export const renameVariable: Attempt = async (context, run) => {
  const { caller, input } = run.command
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const body = parseInput(variableRenamingBody, input)
  if (!body.ok) return body
  const { variable: from, name: to } = variableRenamingBody.parse(body.value)
  const { id } = target.value.state
  const { parser } = await expressionSettingsOf(context, id)
  const engines = await openEngines([parser, 'JSONPath'])
  if (!isVariableName(to, engines(parser))) return wrong('name', 'format')
  const flows = await flowsOfBot(context, id)
  const variables = await liveChildren(context, 'bot', id, 'variable')
  const isTaken = SYSTEM_VARIABLES.has(to) || variables.some(({ fields }) => fields.name === to)
  if (isTaken) return refused('entity.name.taken', { params: { name: to, entity: 'variable' } })
  const declared = variables.filter(({ fields }) => fields.name === from)
  const steps: Step[] = declared.map(state => {
    const source = { kind: 'rename', id: state.id }
    return { do: 'change', entity: 'variable', id: state.id, fields: { name: to }, source }
  })
  const found: FlowsRewritten = { flows: 0, texts: 0, left: [] }
  const touched: (typeof flows)[number][] = []
  for (const flow of flows) {
    const look = { for: 'renamed', renaming: { from, to }, parser } as const
    const { answer: made, isCut } = await queryFlow(context.flows, flow.id, look, LOOK_TIMEOUT_MS)
    if (isCut) return refused('flow.timeout', { params: { name: flow.name } })
    const changed = made.filter(({ left }) => left === 0)
    const { kind, name } = flow
    for (const { block, field, left } of made) if (left > 0) found.left.push({ kind, id: flow.id, name, block, field })
    if (changed.length === 0) continue
    touched.push(flow)
    found.flows += 1
    found.texts += changed.length
    steps.push({ do: 'renameinflow', entity: kind, id: flow.id, from, to, parser })
  }
  const mayName = caller.user === null || declared.length === 0 || caller.permits('updatevariable')
  if (!mayName || !mayEditFlows(caller, touched)) return refused('access.forbidden')
  if (steps.length === 0) return wrong('variable', 'reference')
  return rewriteFlows(context, run, { kind: 'renamevariable', root: id, steps }, () => found)
}
