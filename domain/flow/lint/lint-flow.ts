import type { z } from 'zod'
import type { ExpressionSettings } from '#domain/expression/engine.ts'
import { isWhen } from '#domain/field/stored-items.ts'
import type { Block, CheckName } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockFields, ReferenceField } from '#schemas/flow/block-field.ts'
import { blockFieldSchema } from '#schemas/flow/block-field-schema.ts'
import { isObject, own, textAt } from '#schemas/json.ts'
import type { FieldError } from '#schemas/refusal.ts'
import { isSystemSchema } from '#schemas/system-schema.ts'
import type { FlowTemplate } from '../../template/sendable.ts'
import { type FlowModel, type LinkModel, type NodeModel, valueNamed } from '../document/model.ts'
import { openOutputs } from '../graph/open-outputs.ts'
import { calledBy, referencesOf } from '../graph/references.ts'
import { type DeclaredVariables, misfitOf } from '../variable/variable-fit.ts'
import { checkBlock } from './check-block.ts'
import { isNarrowedOut } from './check-value.ts'

type LintCode =
  | 'flow.start'
  | 'block.start'
  | 'block.unreachable'
  | 'block.deadend'
  | 'block.target'
  | 'block.circle'
  | 'block.answer'
  | 'block.nowait'
  | 'block.type'
  | 'block.unknown'
  | 'block.unreadable'
  | 'block.value'
  | 'block.rule'
  | 'block.expression'
  | 'block.variable'
  | 'block.scope'
  | 'block.datatype'
  | 'block.schema'
  | 'block.masked'
  | 'block.template'
  | 'block.unmapped'
  | 'variable.unused'
  | 'link.connector'

export interface LintFinding {
  readonly code: LintCode
  /** Errors stop publishing, warnings do not. */
  readonly severity: 'error' | 'warning'
  /** Block id; '' for the flow itself. */
  readonly block: string
  /** Dotted name of the field, or the connector of `block.deadend` and `link.connector`. */
  readonly field?: string
  /** The variable that it is about. */
  readonly name?: string
  /** Check of a `block.rule` on the field. */
  readonly check?: CheckName
}

/** Ids that exist, by what they are; a kind that is left out is not checked. */
export type LintContext = { readonly [Kind in ReferenceField['to']]?: ReadonlySet<string> } & {
  /** Expression languages; without them expressions are not checked. */
  readonly expressions?: ExpressionSettings
  /** All variables of the bot, where they are known. */
  readonly declared?: DeclaredVariables
  /** Dialogs that come to run the one of this flow as a sub-dialog, and that one itself. */
  readonly callers?: ReadonlySet<string>
  /** Templates that blocks name, by id; one that is left out is not checked. */
  readonly templates?: ReadonlyMap<string, FlowTemplate>
  /** Names of variables that no flow of the bot said when it was last asked. */
  readonly unused?: readonly string[]
}

const finding = (code: LintCode, severity: 'error' | 'warning', block: string, field?: string): LintFinding => ({
  code,
  severity,
  block,
  ...(field === undefined ? {} : { field }),
})

const outgoingOf = (flow: FlowModel): ReadonlyMap<string, readonly LinkModel[]> =>
  Map.groupBy(flow.links.values(), link => link.from)

/** Whether bots run a block: drawings for people alone are not checked. */
const runs = (node: NodeModel): boolean => blockOf(node.type)?.runs !== false

/** Entries of a flow: its start, and the targets of jumps. */
const isEntry = (node: NodeModel) => node.type === 'start' || node.type === 'gotonodedest'

const reachable = (flow: FlowModel, outgoing: ReadonlyMap<string, readonly LinkModel[]>): ReadonlySet<string> => {
  const seen = new Set<string>()
  const open = [...flow.nodes.values()].filter(isEntry).map(node => node.id)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    for (const link of outgoing.get(id) ?? []) open.push(link.to)
  }
  return seen
}

const pathLint = (flow: FlowModel): readonly LintFinding[] => {
  const outgoing = outgoingOf(flow)
  const reached = reachable(flow, outgoing)
  const findings: LintFinding[] = []
  const starts = [...flow.nodes.values()].filter(node => node.type === 'start')
  if (starts.length === 0) findings.push(finding('flow.start', 'warning', ''))
  if (starts.length > 1) for (const { id } of starts) findings.push(finding('block.start', 'warning', id))
  for (const node of flow.nodes.values()) {
    if (!runs(node)) continue
    // Without a start nothing leads anywhere: that is one finding, not one for each block.
    if (starts.length > 0 && !reached.has(node.id)) findings.push(finding('block.unreachable', 'warning', node.id))
    const links = outgoing.get(node.id) ?? []
    for (const output of openOutputs(node, id => links.some(link => link.fromConnector === id))) {
      findings.push(finding('block.deadend', 'warning', node.id, output.id))
    }
    const named = new Set([...node.outputs.map(output => output.id), ...node.moreOutputs])
    for (const link of links) {
      if (!named.has(link.fromConnector)) {
        findings.push(finding('link.connector', 'warning', node.id, link.fromConnector))
      }
    }
  }
  return findings
}

/** A value stored in an unfit variable would be lost at run time. */
const keepLint = (node: NodeModel, name: string, field: string, { declared }: LintContext): readonly LintFinding[] => {
  const misfit = declared === undefined ? undefined : misfitOf(node, name, declared)
  return misfit === undefined ? [] : [{ ...finding(misfit, 'error', node.id, field), name }]
}

const memberLint = (
  node: NodeModel,
  fields: BlockFields,
  values: JsonObject,
  context: LintContext,
  path = '',
): readonly LintFinding[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = own(values, name)
    if (field.kind === 'group' && isObject(value)) {
      return memberLint(node, field.fields, value, context, `${path}${name}.`)
    }
    if (field.kind === 'list' && Array.isArray(value)) {
      const items = value.filter(isObject)
      return items.flatMap(item => memberLint(node, field.item, item, context, `${path}${name}.`))
    }
    if (isNarrowedOut(field, value, node.properties) && isWhen(field.when, at => valueNamed(node.properties, at))) {
      return [finding('block.value', 'warning', node.id, `${path}${name}`)]
    }
    if (field.kind !== 'reference' || typeof value !== 'string') return []
    if (field.to === 'variable') {
      return field.reads === undefined ? keepLint(node, value, `${path}${name}`, context) : []
    }
    if (field.to === 'variableschema' && isSystemSchema(value)) return []
    const missing = value === '' ? field.required : context[field.to]?.has(value) === false
    return missing ? [finding('block.target', 'error', node.id, `${path}${name}`)] : []
  })

/** A dialog that runs one which runs it again: endless unless a path ends before. */
const circleLint = (node: NodeModel, { callers }: LintContext): readonly LintFinding[] =>
  callers !== undefined && calledBy({ type: node.type, targets: referencesOf(node) }).some(id => callers.has(id))
    ? [finding('block.circle', 'warning', node.id, 'subScenario')]
    : []

/** Items of `templateValues`, which a file may also hold as a record. */
const mappedVariables = ({ properties }: NodeModel): ReadonlySet<string> => {
  const given = own(properties, 'templateValues') ?? []
  const pairs = isObject(given)
    ? Object.entries(given)
    : (Array.isArray(given) ? given.filter(isObject) : []).map(item => [item.variable, item.value] as const)
  return new Set(
    pairs.flatMap(([variable, value]) =>
      typeof variable === 'string' && typeof value === 'string' && value.trim() !== '' ? [variable.trim()] : [],
    ),
  )
}

/** The template of a message: a channel of the bot can send it, and each of its variables has a value. */
const templateLint = (node: NodeModel, { templates }: LintContext): readonly LintFinding[] => {
  const found = node.type === 'sendmessage' ? templates?.get(textAt(node.properties, 'template')) : undefined
  if (found === undefined) return []
  const mapped = mappedVariables(node)
  return [
    ...(found.isSendable ? [] : [finding('block.template', 'error', node.id, 'template')]),
    ...found.variables
      .filter(name => !mapped.has(name))
      .map(name => ({ ...finding('block.unmapped', 'error', node.id, 'templateValues'), name })),
  ]
}

const schemas = new WeakMap<object, z.ZodType>()
const isComplete = (fields: BlockFields, name: string, value: Json): boolean => {
  const field = own(fields, name)
  if (field === undefined) return true
  const schema = schemas.get(field) ?? blockFieldSchema(field)
  schemas.set(field, schema)
  return schema.safeParse(value).success
}

const checkedRules = (node: NodeModel, block: Block): readonly LintFinding[] =>
  checkBlock(block, node.properties).flatMap(({ rule }) => {
    if (node.unreadable.includes(rule.field.split('.')[0] ?? '')) return []
    return [{ ...finding('block.rule', rule.severity, node.id, rule.field), check: rule.check }]
  })

const checkedValues = (node: NodeModel, block: Block): readonly LintFinding[] => {
  const values = Object.entries(node.properties).flatMap(([name, value]) => {
    if (node.unreadable.includes(name) || block.fields[name]?.kind === 'reference') return []
    return isComplete(block.fields, name, value) ? [] : [finding('block.value', 'warning', node.id, name)]
  })
  return [...values, ...checkedRules(node, block)]
}

/** By block as it was read: most of a lint's time goes here, and most blocks are those of the lint before. */
const known = new WeakMap<NodeModel, readonly LintFinding[]>()
const valueLint = (node: NodeModel, block: Block): readonly LintFinding[] => {
  const findings = known.get(node) ?? checkedValues(node, block)
  known.set(node, findings)
  return findings
}

/** A card's own button that sends its inputs, however deep it lies. Parts with placeholders are texts. */
const SENDS = /"type"\s*:\s*"Action\.(?:Submit|Execute)"/u
const sendsInputs = ({ properties }: NodeModel): boolean =>
  own(properties, 'putSubmitButton') === true ||
  ['body', 'actions'].some(name => {
    const part = own(properties, name) ?? ''
    return SENDS.test(typeof part === 'string' ? part : JSON.stringify(part))
  })

/** A question without text asks with the card before it. */
const isAskedByCard = (node: NodeModel | undefined): boolean => {
  if (node?.type !== 'prompt') return false
  const data = own(node.properties, 'data')
  const text = isObject(data) ? own(data, 'text') : ''
  return typeof text !== 'string' || text.trim() === ''
}

/** Whether a choice of the block leads somewhere: its answer matters then, also where it is not kept. */
const hasChoiceLink = ({ id, outputs }: NodeModel, { links }: FlowModel): boolean => {
  const choices = outputs.flatMap(output => (output.choice === undefined ? [] : output.id))
  return (
    choices.length > 0 && [...links.values()].some(link => link.from === id && choices.includes(link.fromConnector))
  )
}

const isLeftAtOnce = (node: NodeModel, flow: FlowModel): boolean =>
  node.type === 'adaptivecard' &&
  (own(node.properties, 'varname') ?? '') === '' &&
  sendsInputs(node) &&
  !hasChoiceLink(node, flow) &&
  ![...flow.links.values()].some(({ from, to }) => from === node.id && isAskedByCard(flow.nodes.get(to)))

const blockLint = (node: NodeModel, flow: FlowModel, context: LintContext): readonly LintFinding[] => {
  const block = blockOf(node.type)
  if (block === undefined) return [finding('block.type', 'warning', node.id)]
  if (!block.runs) return []
  const unanswered = node.type === 'prompt' && own(node.properties, 'varname') === '' && !hasChoiceLink(node, flow)
  return [
    ...(unanswered ? [finding('block.answer', 'warning', node.id, 'varname')] : []),
    ...(isLeftAtOnce(node, flow) ? [finding('block.nowait', 'warning', node.id, 'varname')] : []),
    ...memberLint(node, block.fields, node.properties, context),
    ...circleLint(node, context),
    ...templateLint(node, context),
    ...node.unknown.map(name => finding('block.unknown', 'warning', node.id, name)),
    ...node.unreadable.map(name => finding('block.unreadable', 'warning', node.id, name)),
    ...valueLint(node, block),
  ]
}

/** {@link lintFlow}, one block per step, so that a page stays responsive. */
export function* lintInSteps(flow: FlowModel, context: LintContext): Generator<undefined, readonly LintFinding[]> {
  const full: LintContext = { ...context, block: new Set(flow.nodes.keys()) }
  const findings = [...pathLint(flow)]
  for (const node of flow.nodes.values()) {
    findings.push(...blockLint(node, flow, full))
    yield
  }
  return findings.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
}

/**
 * Findings of a flow before it goes live, errors first. `context` names existing targets outside the flow; blocks of
 * the flow itself are known.
 */
export const lintFlow = (flow: FlowModel, context: LintContext): readonly LintFinding[] => {
  const steps = lintInSteps(flow, context)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** A finding as an error of a refusal; its path is that of the flow's file. */
export const lintError = (flow: FlowModel, { code, block, field = '', name = '' }: LintFinding): FieldError => {
  const node = flow.nodes.get(block)
  const type = node?.type ?? ''
  const title = node === undefined || node.title === '' ? type : node.title
  const path = block === '' ? 'operators' : `operators.${block}${field === '' ? '' : `.properties.${field}`}`
  return { path, code: 'flow', params: { rule: code.replace('.', '_'), block, title, type, field, name } }
}
