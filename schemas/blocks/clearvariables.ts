import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const clearvariables = defineBlock({
  type: 'clearvariables',
  category: 'datamanagement',
  icon: 'Eraser',
  fields: { variables: f.list({ name: f.reference('variable', { required: true, reads: {} }) }, { bare: 'name' }) },
})
