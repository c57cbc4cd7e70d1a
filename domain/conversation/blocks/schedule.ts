import { runAfter } from '#domain/flow/condition/working-hour.ts'
import { textAt } from '#schemas/json.ts'
import { TURN_LIMITS } from '../limits.ts'
import { type BlockRuntime, leave, recordProblem, type Turn } from '../turn.ts'

/** Whether the dialog of a task has a message that WhatsApp accepts outside its window. */
const hasTemplate = ({ release, settings }: Turn, task: string, dialog: string | null): boolean => {
  const run = release.dialogs.get(dialog ?? settings.tasks.get(task)?.principal ?? '')
  return [...(run?.blocks.values() ?? [])].some(
    ({ type, properties }) => type === 'sendmessage' && textAt(properties, 'template') !== '',
  )
}

/** Plans a task for later and continues now. */
export const schedule: BlockRuntime = {
  *run(turn, { id, properties }) {
    const { scheduleQuantity, scheduleUnit } = properties
    const quantity = typeof scheduleQuantity === 'number' ? scheduleQuantity : 1
    const at = runAfter(turn.now, typeof scheduleUnit === 'string' ? scheduleUnit : 'hour', quantity)
    const task = textAt(properties, 'task')
    const others = turn.state.schedules.filter(pending => pending.id !== id)
    if (at === undefined || task === '') recordProblem(turn, at === undefined ? 'schedule.moment' : 'missing.task')
    else if (others.length >= TURN_LIMITS.schedules) recordProblem(turn, 'schedule.toomany')
    else {
      const dialog = textAt(properties, 'taskdialog') || null
      const skipWhenBusy = properties.dontExecuteIfInConversation !== false
      const planned = { id, at, task, dialog, skipWhenBusy }
      const isSendable = hasTemplate(turn, task, dialog)
      turn.state = {
        ...turn.state,
        schedules: [...others, isSendable ? { ...planned, hasTemplate: true } : planned],
      }
    }
    return leave()
  },
}
