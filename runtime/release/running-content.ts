import { modelsOf } from '#domain/nlu-training.ts'
import { type ReleaseContent, releaseContent } from '#domain/release.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'

/** Whether a bot runs: every status but `stopped` (RUNTIME 7). */
export const isStarted = (row: Row | undefined): row is Row => row !== undefined && row.runningstatus !== 'stopped'

/** Content of a bot that is published now. */
export const publishedContent = async (read: ReadModels, bot: Row): Promise<ReleaseContent> => {
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot: bot.id })
  const within = async (entity: string) => {
    const rows = await Promise.all(tasks.map(task => allRows(read, SYSTEM_SCOPE, entity, { dialogtask: task.id })))
    return rows.flat().map(row => ({ id: row.id, fields: row }))
  }
  const [dialogs, handlers] = await Promise.all([within('dialog'), within('handler')])
  const project =
    typeof bot.nluproject === 'string' ? await read.detail(SYSTEM_SCOPE, 'nluproject', bot.nluproject) : undefined
  const production = modelsOf(project?.models).find(model => model.production)
  return releaseContent(bot.id, bot, dialogs, handlers, production?.hash ?? null)
}
