import type { EngineName, ExpressionSettings, VariableReference } from '#domain/expression/engine.ts'
import {
  checkWith,
  enginesOf,
  type FieldLanguage,
  fieldLanguage,
  type OpenedEngines,
  openEngines,
  wholeEngine,
} from '#domain/expression/template-check.ts'
import { isWhen } from '#domain/field/stored-items.ts'
import type { BlockCategory } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields, ListField } from '#schemas/flow/block-field.ts'
import { isObject, own } from '#schemas/json.ts'
import type { FlowModel, NodeModel } from '../document/model.ts'
import { maskedAt, maskedVariables, rootName, SYSTEM_VARIABLES } from '../variable/variable-use.ts'
import type { LintContext, LintFinding } from './lint-flow.ts'

/** A text of a block in which something is evaluated. */
interface EvaluatedText {
  /** Dotted name, without ids of items. */
  readonly field: string
  readonly text: string
  readonly language: FieldLanguage
  /** A person reads it in the chat. */
  readonly shown: boolean
}

type Visit = (field: BlockField, value: Json, path: string, beside: JsonObject) => void

const itemsOf = ({ item, bare }: ListField, value: Json): readonly JsonObject[] =>
  !Array.isArray(value)
    ? []
    : value.flatMap((each: Json) => {
        if (isObject(each)) return [each]
        return bare !== undefined && own(item, bare) !== undefined ? [{ [bare]: each }] : []
      })

const walk = (fields: BlockFields, values: JsonObject, visit: Visit, path = ''): void => {
  for (const [name, field] of Object.entries(fields)) {
    const value = own(values, name)
    if (value === undefined) continue
    if (field.kind === 'group' && isObject(value)) walk(field.fields, value, visit, `${path}${name}.`)
    else if (field.kind === 'list') {
      for (const item of itemsOf(field, value)) walk(field.item, item, visit, `${path}${name}.`)
    } else visit(field, value, `${path}${name}`, values)
  }
}

const languageOf = (category: BlockCategory, field: BlockField): FieldLanguage | undefined =>
  field.kind === 'rich' ? { kind: 'template', template: 'text' } : fieldLanguage(category, field)

/** A variable that a block names as such, not in an expression. */
interface Named {
  readonly field: string
  readonly name: string
}

interface Texts {
  readonly written: readonly EvaluatedText[]
  /** Variables that the block gives a value to. */
  readonly defined: readonly string[]
  readonly read: readonly Named[]
}

const namesIn = (field: BlockField, value: Json): readonly string[] => {
  if (field.kind === 'reference' && field.to === 'variable') return typeof value === 'string' ? [value] : []
  if (field.kind !== 'strings' || field.variables !== true || !Array.isArray(value)) return []
  return value.filter((each: Json) => typeof each === 'string')
}

const evaluatedIn = (field: BlockField, value: Json): readonly string[] => {
  if (field.kind === 'strings' && Array.isArray(value)) return value.filter((each: Json) => typeof each === 'string')
  const text = field.kind === 'json' ? JSON.stringify(value) : value
  return typeof text === 'string' && text !== '' ? [text] : []
}

const texts = new WeakMap<NodeModel, Texts>()
const textsOf = (node: NodeModel): Texts => {
  const held = texts.get(node)
  if (held !== undefined) return held
  const written: EvaluatedText[] = []
  const defined: string[] = []
  const read: Named[] = []
  const block = blockOf(node.type)
  if (block?.runs === true) {
    walk(block.fields, node.properties, (field, value, path, beside) => {
      const names = namesIn(field, value).map(rootName)
      const reads = field.kind === 'reference' ? field.reads : {}
      if (reads === undefined) defined.push(...names)
      else if (isWhen(reads, name => own(beside, name))) read.push(...names.map(name => ({ field: path, name })))
      const language = languageOf(block.category, field)
      if (language === undefined) return
      const shown = field.kind === 'rich' || block.category === 'cards'
      written.push(...evaluatedIn(field, value).map(text => ({ field: path, text, language, shown })))
    })
  }
  const made = { written, defined, read }
  texts.set(node, made)
  return made
}

/** Names of the variables that a flow gives values to. */
export const definedVariables = (flow: FlowModel): ReadonlySet<string> =>
  new Set([...flow.nodes.values()].flatMap(node => textsOf(node).defined))

/** The engines that a flow's expressions need; none for a flow without any. */
export const openFlowEngines = (flow: FlowModel, settings: ExpressionSettings): Promise<OpenedEngines> => {
  const names = new Set<EngineName>()
  for (const { text, language } of [...flow.nodes.values()].flatMap(node => textsOf(node).written)) {
    if (language.kind !== 'template') names.add(wholeEngine(language.kind, text, settings))
    else for (const name of enginesOf({ text, kind: language.template, parser: settings.parser })) names.add(name)
  }
  return openEngines(names)
}

/** The data of a rule, beside the variables. */
const RULE_INPUT = 'input'

interface CheckedText extends Pick<EvaluatedText, 'field' | 'text' | 'shown'> {
  readonly severity: 'error' | 'warning' | undefined
  readonly references: readonly VariableReference[]
}

const checkWritten = (written: EvaluatedText, settings: ExpressionSettings, engines: OpenedEngines): CheckedText => {
  const { field, text, language, shown } = written
  if (language.kind !== 'template') {
    const engine = wholeEngine(language.kind, text, settings)
    const parsed = engines(engine).parse(text.trim())
    const references = parsed.ok && engine === settings.parser ? parsed.value.references : []
    const read = references.filter(({ name }) => name !== RULE_INPUT)
    return { field, text, shown, severity: parsed.ok ? undefined : 'error', references: read }
  }
  const { parts, faults, references } = checkWith({ text, kind: language.template, parser: settings.parser }, engines)
  // Text that may be intended does not stop publishing.
  const isWrong = parts.some(part => part.kind === 'placeholder' && part.fault !== undefined && !part.loose)
  return { field, text, shown, severity: isWrong ? 'error' : faults.length > 0 ? 'warning' : undefined, references }
}

const checked = new WeakMap<NodeModel, { readonly key: string; readonly texts: readonly CheckedText[] }>()
const checkNode = (node: NodeModel, settings: ExpressionSettings, engines: OpenedEngines): readonly CheckedText[] => {
  const key = `${settings.parser} ${settings.pathParser}`
  const held = checked.get(node)
  if (held?.key === key) return held.texts
  const made = textsOf(node).written.map(written => checkWritten(written, settings, engines))
  checked.set(node, { key, texts: made })
  return made
}

const brokenIn = (block: string, { field, severity }: CheckedText): readonly LintFinding[] =>
  severity === undefined ? [] : [{ code: 'block.expression', severity, block, field }]

/** Masked answers that are later shown to readers of the chat. */
const unmaskedIn = (
  block: string,
  { field, text, shown, references }: CheckedText,
  masked: ReadonlySet<string>,
): readonly LintFinding[] => {
  if (!shown || masked.size === 0) return []
  const names = new Set(references.flatMap(({ place }) => maskedAt(text, place.offset, masked) ?? []))
  return [...names].map((name): LintFinding => ({ code: 'block.masked', severity: 'warning', block, field, name }))
}

/** Which variables there are, as far as that is known. */
type VariableNames = Pick<LintContext, 'variable' | 'declared' | 'unused'>

const readIn = (node: NodeModel, checked: readonly CheckedText[]): readonly Named[] => [
  ...textsOf(node).read,
  ...checked.flatMap(({ field, references }) => references.map(({ name }) => ({ field, name }))),
]

/** Each unknown name once for each field. */
const unknownIn = (
  node: NodeModel,
  read: readonly Named[],
  known: ReadonlySet<string>,
  declared: LintContext['declared'],
) => {
  const unknown = read.filter(({ name }) => name !== '' && !known.has(name))
  const once = new Map(unknown.map(({ field, name }) => [`${field} ${name}`, { field, name }]))
  return [...once.values()].map(
    (named): LintFinding => ({
      code: declared?.has(named.name) === true ? 'block.scope' : 'block.variable',
      severity: 'warning',
      block: node.id,
      ...named,
    }),
  )
}

/**
 * Expressions that do not parse, variables unknown to the bot and the flow or owned by another dialog or task, and
 * masked answers that are shown; one block per step. Without `variable` none is unknown. Reports names of `unused` that
 * this flow does not use either.
 */
export function* lintExpressionsInSteps(
  flow: FlowModel,
  settings: ExpressionSettings,
  engines: OpenedEngines,
  { variable, declared, unused = [] }: VariableNames,
): Generator<undefined, readonly LintFinding[]> {
  const defined = definedVariables(flow)
  const masked = maskedVariables(flow)
  const known = variable?.union(defined).union(SYSTEM_VARIABLES)
  const said = new Set(defined)
  const findings: LintFinding[] = []
  for (const node of flow.nodes.values()) {
    const texts = checkNode(node, settings, engines)
    findings.push(...texts.flatMap(text => [...brokenIn(node.id, text), ...unmaskedIn(node.id, text, masked)]))
    const read = readIn(node, texts)
    for (const { name } of read) said.add(name)
    if (known !== undefined) findings.push(...unknownIn(node, read, known, declared))
    yield
  }
  const unsaid = unused.filter(name => !said.has(name))
  return [
    ...findings,
    ...unsaid.map((name): LintFinding => ({ code: 'variable.unused', severity: 'warning', block: '', name })),
  ]
}

/** As {@link lintExpressionsInSteps}, at once. */
export const lintExpressions = async (
  flow: FlowModel,
  settings: ExpressionSettings,
  names: VariableNames = {},
): Promise<readonly LintFinding[]> => {
  const steps = lintExpressionsInSteps(flow, settings, await openFlowEngines(flow, settings), names)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}
