import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const assignvariables = defineBlock({
  type: 'assignvariables',
  category: 'datamanagement',
  icon: 'Variable',
  panel: 'assign',
  fields: { variables: f.list({ name: f.reference('variable', { required: true }), value: f.expression() }) },
})
