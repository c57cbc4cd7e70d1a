import type { Live } from '#domain/behaviour.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { version as versionEntity } from '#schemas/entities/version.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import type { Attempt, Tools } from '../pipeline/command-context.ts'
import { confirmed } from '../pipeline/confirmation.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { foundLive } from '../pipeline/load-target.ts'
import { concluded } from '../process/conclude.ts'
import { lookedUp } from '../process/contents.ts'
import { readContentText } from './content.ts'
import { planApply } from './plan-apply.ts'
import { checkApply } from './version-rights.ts'

/** Makes the bot what a version of it has, as one process. */
export const applyVersion: Attempt = async (tools, run) => {
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const { id } = target.value.state
  const certain = confirmed(run.command.input, true)
  if (!certain.ok) return certain
  const whole = await contentFor(tools, target.value.state)
  if (!whole.ok) return whole
  const { file, bot } = whole.value
  await lookedUp(tools)
  const seed = derivedId(run.author.seed, 'apply')
  const { caller } = run.command
  const { steps, ids, cleared } = await planApply(tools, { version: target.value.state, file, bot, caller, seed })
  const permitted = await checkApply(tools, caller, steps)
  if (!permitted.ok) return permitted
  const fields = { applied_at: run.author.time }
  const last = { do: 'record', entity: versionEntity.name, id, verb: 'Applied', fields } as const
  const result = cleared.length === 0 ? {} : { cleared: [...cleared] }
  return concluded(tools, run, { kind: 'apply', root: bot.id, steps: [...steps, last], ids }, id, () => result)
}

/** A version's content and the bot it belongs to. */
export const contentFor = async (tools: Tools, version: Live): Promise<Result<{ file: VersionFile; bot: Live }>> => {
  const { state } = await tools.loader.load(botEntity, String(version.fields.bot))
  if (state.status !== 'live') return refused('entity.parent')
  const text = await readContentText(tools, version.id)
  if (text === undefined) return refused('version.format')
  const errors = await tools.flows.work.perform({ do: 'excess', text })
  if (errors.length > 0) return refused('version.format', { errors })
  return accepted({ file: JSON.parse(text) as VersionFile, bot: state })
}
