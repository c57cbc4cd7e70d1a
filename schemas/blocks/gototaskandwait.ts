import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const gototaskandwait = defineBlock({
  type: 'gototaskandwait',
  category: 'flow',
  icon: 'Hourglass',
  fields: { task: f.reference('dialogtask', { required: true }), taskdialog: f.reference('dialog') },
})
