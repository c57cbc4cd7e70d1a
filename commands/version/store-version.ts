import type { Live } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { version } from '#schemas/entities/version.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'
import type { Result } from '#schemas/refusal.ts'
import type { PackedText } from '../packed-text.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { CommandResult } from '../pipeline/command-result.ts'
import type { Run } from '../pipeline/run.ts'
import { concluded } from '../process/conclude.ts'
import { writeContent } from './content.ts'

interface NewVersion {
  readonly id: string
  readonly bot: Live
  readonly content: PackedText
  readonly fields: Fields
}

/** Writes a version's content and then, as one process, the version and that the one before it is the latest no more. */
export const storeVersion = async (
  context: CommandContext,
  run: Run,
  { id, bot, content, fields: given }: NewVersion,
): Promise<Result<CommandResult>> => {
  const { level } = bot
  const stored = await writeContent(context, run.author, id, level, content)
  const on = { entity: version.name, id }
  const fields = { ...given, ...stored, bot: bot.id, latest: true }
  const plan: ProcessPlan = {
    kind: 'version',
    root: id,
    steps: [
      { do: 'create', ...on, level, fields },
      { do: 'supersede', ...on, bot: bot.id },
    ],
  }
  return concluded(context, run, plan, id)
}
