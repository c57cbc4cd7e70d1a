import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const marker = defineBlock({
  type: 'marker',
  category: 'flow',
  icon: 'Flag',
  fields: { settings: f.json({}, { plain: true }) },
})
