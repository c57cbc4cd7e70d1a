import type { Step } from '#schemas/events/entity.ts'
import { type Author, derivedId } from '../pipeline/append.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { type BatchCommand, writeBatches } from '../process/batch.ts'
import type { Starter } from '../process/process-port.ts'
import { readReport } from '../process/process-report.ts'
import type { UploadPlan } from './plan-upload.ts'

/** Command of the server on the project and its stories. */
const uploading = (upload_status: 'started' | 'finished'): BatchCommand => ({
  action: 'upload',
  input: { upload_status },
})

/** Takes a file in as one process: it resumes after a crash, and the project says that it began and ended. */
export const runUpload = async (
  context: CommandContext,
  { caller, seed, correlation }: Starter,
  project: string,
  { rows }: UploadPlan,
): Promise<string> => {
  const root = derivedId(seed, 'process')
  if ((await readReport(context, root)) === undefined) {
    const time = context.now().toISOString()
    const author: Author = { seed, actor: caller.user, time, correlation, causation: caller.session }
    const steps: Step[] = []
    const add = async (entity: string, command: BatchCommand, each: UploadPlan['rows'][number]['rows']) =>
      steps.push(...(await writeBatches(context, author, root, entity, command, each)))
    await add('nluproject', uploading('started'), [{ id: project }])
    for (const { entity, rows: each } of rows) await add(entity, { action: 'import', input: {} }, each)
    const stories = rows.flatMap(({ entity, rows: each }) => (entity === 'story' ? each.map(({ id }) => ({ id })) : []))
    if (stories.length > 0) await add('story', uploading('started'), stories)
    if (stories.length > 0) await add('story', uploading('finished'), stories)
    await add('nluproject', uploading('finished'), [{ id: project }])
    const total = rows.reduce((sum, { rows: each }) => sum + each.length, 2 + 2 * stories.length)
    const batch = { action: 'upload', total, level: caller.level, subtree: [...caller.subtree] }
    await context.processes.begin(author, { kind: 'upload', root, steps, batch })
  }
  await context.processes.resume(root)
  return root
}
