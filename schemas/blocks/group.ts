import { defineBlock } from '../block.ts'
import { shapeFields } from './common-fields.ts'

/** A frame with the block's title; blocks inside it move with it. */
export const group = defineBlock({
  type: 'group',
  category: 'flow',
  icon: 'Group',
  runs: false,
  shape: 'frame',
  fields: shapeFields('grey', 480, 320),
})
