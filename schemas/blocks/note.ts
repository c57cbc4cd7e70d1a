import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { shapeFields } from './common-fields.ts'

export const note = defineBlock({
  type: 'note',
  category: 'flow',
  icon: 'StickyNote',
  runs: false,
  shape: 'sheet',
  fields: { text: f.rich(), ...shapeFields('yellow', 240, 160) },
})
