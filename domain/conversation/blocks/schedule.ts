import { runAfter } from '#domain/flow/condition/working-hour.ts'
import { textAt } from '#schemas/json.ts'
import { TURN_LIMITS } from '../limits.ts'
import { type BlockRuntime, leave, recordProblem } from '../turn.ts'

/** Plans a task for later and continues now (RUNTIME 28). */
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
      turn.state = { ...turn.state, schedules: [...others, { id, at, task, dialog, skipWhenBusy }] }
    }
    return leave()
  },
}
