import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const subdialog = defineBlock({
  type: 'subdialog',
  category: 'flow',
  icon: 'SquareStack',
  fields: { subScenario: f.reference('dialog', { required: true }) },
})
