import type { EngineName, ExpressionSettings, VariableReference } from '#domain/expression/engine.ts'
import { type FieldLanguage, fieldLanguage } from '#domain/expression/field-language.ts'
import { checkWith, enginesOf, type OpenedEngines, openEngines } from '#domain/expression/template-check.ts'
import type { BlockCategory } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import { isObject, own } from './json.ts'
import type { LintFinding } from './lint-flow.ts'
import type { FlowModel, NodeModel } from './model.ts'

/** A text of a block in which something is evaluated. */
interface Written {
  /** Dotted name, without ids of items. */
  readonly field: string
  readonly text: string
  readonly language: FieldLanguage
}

type Visit = (field: BlockField, value: Json, path: string) => void

const walk = (fields: BlockFields, values: JsonObject, visit: Visit, path = ''): void => {
  for (const [name, field] of Object.entries(fields)) {
    const value = own(values, name)
    if (value === undefined) continue
    if (field.kind === 'group' && isObject(value)) walk(field.fields, value, visit, `${path}${name}.`)
    else if (field.kind === 'list' && Array.isArray(value)) {
      for (const item of value.filter(isObject)) walk(field.item, item, visit, `${path}${name}.`)
    } else visit(field, value, `${path}${name}`)
  }
}

const languageOf = (category: BlockCategory, field: BlockField): FieldLanguage | undefined =>
  field.kind === 'rich' ? { kind: 'template', template: 'text' } : fieldLanguage(category, field)

interface Texts {
  readonly written: readonly Written[]
  /** Variables that the block gives a value to. */
  readonly defined: readonly string[]
}

const texts = new WeakMap<NodeModel, Texts>()
const textsOf = (node: NodeModel): Texts => {
  const held = texts.get(node)
  if (held !== undefined) return held
  const written: Written[] = []
  const defined: string[] = []
  const block = blockOf(node.type)
  if (block !== undefined) {
    walk(block.fields, node.properties, (field, value, path) => {
      if (field.kind === 'reference' && field.to === 'variable' && typeof value === 'string') defined.push(value)
      const language = languageOf(block.category, field)
      const text = field.kind === 'json' ? JSON.stringify(value) : value
      if (language !== undefined && typeof text === 'string' && text !== '')
        written.push({ field: path, text, language })
    })
  }
  const made = { written, defined }
  texts.set(node, made)
  return made
}

/** Names of the variables that a flow gives values to. */
export const definedVariables = (flow: FlowModel): ReadonlySet<string> =>
  new Set([...flow.nodes.values()].flatMap(node => textsOf(node).defined))

/** The engines that a flow's expressions need; none for a flow without any. */
export const openFlowEngines = (
  flow: FlowModel,
  { parser, pathParser }: ExpressionSettings,
): Promise<OpenedEngines> => {
  const names = new Set<EngineName>()
  for (const { text, language } of [...flow.nodes.values()].flatMap(node => textsOf(node).written)) {
    if (language.kind === 'path') names.add(pathParser)
    else for (const name of enginesOf({ text, kind: language.template, parser })) names.add(name)
  }
  return openEngines(names)
}

interface CheckedText {
  readonly field: string
  readonly severity: 'error' | 'warning' | undefined
  readonly references: readonly VariableReference[]
}

const checkWritten = (written: Written, settings: ExpressionSettings, engines: OpenedEngines): CheckedText => {
  const { field, text, language } = written
  if (language.kind === 'path') {
    return { field, severity: engines(settings.pathParser).parse(text).ok ? undefined : 'error', references: [] }
  }
  const { parts, faults, references } = checkWith({ text, kind: language.template, parser: settings.parser }, engines)
  // What may be meant as it stands is no reason not to publish.
  const isWrong = parts.some(part => part.kind === 'placeholder' && part.fault !== undefined && !part.loose)
  return { field, severity: isWrong ? 'error' : faults.length > 0 ? 'warning' : undefined, references }
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

const findingsOf = (id: string, text: CheckedText, known: ReadonlySet<string> | undefined): readonly LintFinding[] => {
  const { field, severity, references } = text
  const unknown = known !== undefined && references.some(({ name }) => !known.has(name))
  return [
    ...(severity === undefined ? [] : [{ code: 'block.expression', severity, block: id, field } as const]),
    ...(unknown ? [{ code: 'block.variable', severity: 'warning', block: id, field } as const] : []),
  ]
}

/**
 * Expressions that do not parse, and variables that neither the bot nor the flow knows, a block at a step. Without
 * `variables` none is unknown.
 */
export function* lintExpressionsInSteps(
  flow: FlowModel,
  settings: ExpressionSettings,
  engines: OpenedEngines,
  variables: ReadonlySet<string> | undefined,
): Generator<undefined, readonly LintFinding[]> {
  const known = variables?.union(definedVariables(flow))
  const findings: LintFinding[] = []
  for (const node of flow.nodes.values()) {
    for (const text of checkNode(node, settings, engines)) findings.push(...findingsOf(node.id, text, known))
    yield
  }
  return findings
}

/** As {@link lintExpressionsInSteps}, at once. */
export const lintExpressions = async (
  flow: FlowModel,
  settings: ExpressionSettings,
  variables?: ReadonlySet<string>,
): Promise<readonly LintFinding[]> => {
  const steps = lintExpressionsInSteps(flow, settings, await openFlowEngines(flow, settings), variables)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}
