import { openEngines } from '#domain/expression/template-check.ts'
import { isVariableName, SYSTEM_VARIABLES } from '#domain/flow/variable/variable-use.ts'
import { type FlowsRewritten, variableRenamingBody } from '#schemas/api/flow-text.ts'
import type { Step } from '#schemas/events/entity.ts'
import { type FieldErrorCode, refused } from '#schemas/refusal.ts'
import { flowsOfBot } from '../flow/bot-flow.ts'
import { expressionSettingsOf } from '../flow/existing-references.ts'
import { queryFlow } from '../flow/flow-reader.ts'
import { type Attempt, loadLiveTarget } from '../pipeline/command-context.ts'
import { parse } from '../pipeline/parse.ts'
import { liveChildren } from '../version/capture-version.ts'
import { mayEditFlows, rewriteFlows } from './replace-text.ts'

/** A renaming that cannot look through a flow in this time is refused as a whole. */
const LOOK_TIMEOUT_MS = 20_000

const wrong = (path: string, code: FieldErrorCode) => refused('validation.failed', { errors: [{ path, code }] })

/** Gives a variable of a bot another name, in its declaration and wherever a flow of the bot says it. */
export const renameVariable: Attempt = async (context, run) => {
  const { caller, input } = run.command
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const body = parse(variableRenamingBody, input)
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
