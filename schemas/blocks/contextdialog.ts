import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const contextdialog = defineBlock({
  type: 'contextdialog',
  category: 'flow',
  icon: 'Layers',
  fields: { dialog: f.reference('dialog', { required: true }) },
})
