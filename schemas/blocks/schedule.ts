import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const schedule = defineBlock({
  type: 'schedule',
  category: 'flow',
  icon: 'CalendarClock',
  panel: 'runs',
  fields: {
    scheduleQuantity: f.integer(1, { min: 1, max: 100_000, half: true }),
    scheduleUnit: f.enumeration(['minute', 'hour', 'day'], { initial: 'hour', half: true }),
    task: f.reference('dialogtask', { required: true }),
    taskdialog: f.reference('dialog'),
    dontExecuteIfInConversation: f.switch(true),
  },
})
