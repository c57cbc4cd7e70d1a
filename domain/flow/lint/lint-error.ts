import type { FieldError } from '#schemas/refusal.ts'
import type { FlowModel } from '../document/model.ts'
import type { LintFinding } from './lint-flow.ts'

/** A finding as an error of a refusal; its path is that of the flow's file. */
export const lintError = (flow: FlowModel, { code, block, field = '', name = '' }: LintFinding): FieldError => {
  const node = flow.nodes.get(block)
  const type = node?.type ?? ''
  const title = node === undefined || node.title === '' ? type : node.title
  const path = block === '' ? 'operators' : `operators.${block}${field === '' ? '' : `.properties.${field}`}`
  return { path, code: 'flow', params: { rule: code.replace('.', '_'), block, title, type, field, name } }
}
