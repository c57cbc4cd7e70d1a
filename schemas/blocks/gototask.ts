import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const gototask = defineBlock({
  type: 'gototask',
  category: 'flow',
  icon: 'SquareArrowOutUpRight',
  outputs: [],
  fields: { task: f.reference('dialogtask', { required: true }), taskdialog: f.reference('dialog') },
})
