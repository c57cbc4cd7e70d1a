import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const gotonodesrc = defineBlock({
  type: 'gotonodesrc',
  category: 'flow',
  icon: 'CornerDownRight',
  outputs: [],
  fields: { destination: f.reference('block', { required: true }) },
})
