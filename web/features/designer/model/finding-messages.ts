import type { FlowModel } from '#domain/flow/document/model.ts'
import type { LintFinding } from '#domain/flow/lint/lint-flow.ts'
import type { CheckName } from '#schemas/block.ts'
import { outputLabel, type Translate } from './label.ts'

const fieldName = (field: string, t: Translate): string => {
  const last = field.split('.').at(-1) ?? field
  return t(`block:field.${field}`, { defaultValue: t(`block:field.${last}`, { defaultValue: last }) })
}

/** A field's label in its block's form; `field` without item ids. */
export const fieldWords = (type: string, field: string, t: Translate): string =>
  t(`block:field.${type}.${field}`, { defaultValue: fieldName(field, t) })

/** Message of a violated form rule. */
export const checkMessage = (check: CheckName, type: string, field: string, t: Translate): string =>
  t(`block:check.${check}`, { field: fieldWords(type, field, t) })

/** A finding as the end of a sentence that begins with the block's name. */
export const findingMessage = (finding: LintFinding, flow: FlowModel, t: Translate): string => {
  const key = `lint.code.${finding.code.replace('.', '_')}`
  const { field = '', check, name = '' } = finding
  const node = flow.nodes.get(finding.block)
  if (finding.code === 'block.deadend' && node !== undefined) {
    const index = node.outputs.findIndex(output => output.id === field)
    const output = node.outputs[index]
    const way = output === undefined ? '' : outputLabel(node, output, index, t)
    return way === '' ? t(key) : t(`${key}_way`, { way })
  }
  if (check !== undefined) return t(key, { message: checkMessage(check, node?.type ?? '', field, t) })
  return t(key, { field: fieldWords(node?.type ?? '', field, t), type: node?.type ?? '', name })
}
