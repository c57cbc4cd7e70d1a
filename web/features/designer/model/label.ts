import type { ConnectorModel, Json, NodeModel } from '#domain/flow/document/model.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { ERROR_CONNECTOR } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { isObject, textOf } from '#schemas/json.ts'

/**
 * The translator of the block and designer catalogues, as i18next gives it. A key `name:<kind>` with an `id` answers the
 * name of what a block points to, '' while it is not known.
 */
export type Translate = (key: string, values?: Readonly<Record<string, unknown>>) => string

export const NAME = 'name:'

/** An id as they are made here; names that a file brought in its place are shown as they are. */
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^[0-9a-z]{20,}$/iu

/** Name of a reference's target; never an id. */
export const referenceLabel = (to: string, id: string, t: Translate): string =>
  (id === '' ? '' : t(`${NAME}${to}`, { id, defaultValue: '' })) || (to === 'block' || ID.test(id) ? '' : id)
const member = (value: Json | undefined, name: string): Json | undefined => (isObject(value) ? value[name] : undefined)
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const WILD = /^\.[*+]?$/u

/** Comparisons omitted from the text: the value is clear without them. */
const SAID_BY_VALUE = new Set(['', 'equals', 'contains', 'startsWith', 'matches', 'in', 'tagExists'])

const ruleWords = (rule: Json | undefined, t: Translate): string => {
  const values = list(member(rule, 'values')).filter(value => typeof value === 'string')
  if (textOf(member(rule, 'comparison')) === 'matches' && values.some(value => WILD.test(value))) return t('anyText')
  const comparison = textOf(member(rule, 'comparison'))
  const right = textOf(member(rule, 'valueVariable')) || (values[0] ?? '')
  if (right !== '' && SAID_BY_VALUE.has(comparison)) return right
  const left = textOf(member(rule, 'variable')) || textOf(member(rule, 'expression')) || textOf(member(rule, 'source'))
  return [left.split('.').at(-1) ?? '', comparisonWords(comparison, t), right].join(' ').trim()
}

/** A branch's first rule, in the branch itself or in its first group. */
const firstRule = (branch: Json | undefined): Json | undefined => {
  const rules = Array.isArray(branch) ? branch : list(member(branch, 'rules'))
  return rules[0] ?? list(member(list(member(branch, 'groups'))[0], 'rules'))[0]
}

const comparisonWords = (comparison: string, t: Translate) =>
  comparison === '' ? '' : t(`comparison.${comparison}`, { defaultValue: comparison })

const branchWords = (branch: Json | undefined, t: Translate): string => {
  const label = textOf(member(branch, 'label'))
  if (label !== '') return label
  return ruleWords(firstRule(branch), t)
}

/** Label of an output; '' if a single output needs none. */
export const outputLabel = (node: NodeModel, output: ConnectorModel, index: number, t: Translate): string => {
  if (output.item) {
    const name = blockOf(node.type)?.itemOutputs
    const item = name === undefined ? undefined : list(node.properties[name])[index]
    const said = branchWords(item, t)
    if (said !== '') return said
  }
  if (output.choice !== undefined && output.choice.place !== '') {
    const { title, card } = output.choice
    if (title.trim() !== '') return card === '' ? title : `${title} · ${card}`
  }
  if (output.id === 'output_default') return t('otherwise')
  if (node.outputs.length < 2) return ''
  if (output.id === 'output_1' && node.outputs.some(({ id, choice }) => choice !== undefined && id !== ERROR_CONNECTOR))
    return t('block:output.others')
  // The first output is labeled per block type; the others share labels.
  const common = output.id === 'output_1' ? '' : t(`block:output.${output.id}`, { defaultValue: '' })
  const declared = t(`block:output.${node.type}.${output.id}`, { defaultValue: common })
  if (declared !== '') return declared
  return /^(?:\d+|➜|)$/u.test(output.label.trim()) ? String(index + 1) : output.label
}

/** Words of an output beside its number; '' where they are the number. */
export const wayWords = (node: NodeModel, output: ConnectorModel, index: number, t: Translate): string => {
  const label = outputLabel(node, output, index, t)
  return label === String(index + 1) ? '' : label
}

/** The otherwise way, always the last: drawn dashed, with an arrow instead of a number. */
export const isOtherwise = (output: ConnectorModel): boolean => !output.item && output.id === 'output_default'

/** A block in a few words for tags, lists and the live region: its own title, or its type's name. */
export const plainTitle = (node: NodeModel, t: Translate): string =>
  isMachineTitle(node.title, node.type) ? t(`block:type.${node.type}`, { defaultValue: node.type }) : node.title
