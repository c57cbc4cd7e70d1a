import type * as Y from 'yjs'
import { addItem } from '#domain/flow/document/item-edit.ts'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { meantOutput, newId, putAfter } from './place-blocks.ts'

/** A selectable answer: displayed title and stored value. */
export interface Answer {
  readonly title: string
  readonly value: string
}

/** Adds a condition after a question that has a branch for each answer, as one change; its id. */
export const branchByAnswer = (
  doc: Y.Doc,
  flow: FlowModel,
  question: NodeModel,
  answers: readonly Answer[],
  origin: unknown,
): string => {
  const { varname } = question.properties
  const variable = typeof varname === 'string' ? varname : ''
  const left = variable === '' ? { source: 'input' } : { source: 'variable', variable }
  return doc.transact(() => {
    const output = meantOutput(flow, question.id)
    const { id } = putAfter(doc, flow, { type: 'condition', title: '' }, { source: question, output }, origin)
    for (const { title, value } of answers) {
      const rule = { ...left, datatype: 'string', comparison: 'equals', values: [value === '' ? title : value] }
      const members = { label: title, match: 'and', rules: [rule], groups: [] }
      addItem(doc, id, ['conditions'], { id: newId(), members }, origin)
    }
    return id
  }, origin)
}
