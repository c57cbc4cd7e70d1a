import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const schedule = defineBlock({
  type: 'schedule',
  category: 'flow',
  icon: 'CalendarClock',
  fields: {
    scheduleUnit: f.enumeration(['minute', 'hour', 'day'], { initial: 'hour' }),
    scheduleQuantity: f.integer(1, { min: 1 }),
    task: f.reference('dialogtask', { required: true }),
    taskdialog: f.reference('dialog'),
    dontExecuteIfInConversation: f.switch(true, { tab: 'rules' }),
  },
})
