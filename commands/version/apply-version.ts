import type { Live } from '#domain/behaviour.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { UNTESTED } from '#schemas/entities/flow-action.ts'
import { version as versionEntity } from '#schemas/entities/version.ts'
import { actionInputSchema } from '#schemas/entity.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { runGatingTests } from '../conversation-test/gating-tests.ts'
import { derivedId } from '../pipeline/append.ts'
import { type Attempt, type CommandContext, loadLiveTarget } from '../pipeline/command-context.ts'
import { checkConfirmation, parse } from '../pipeline/parse.ts'
import { awaitLookup } from '../process/descendants.ts'
import { runProcess } from '../process/process-report.ts'
import { readContent } from './content.ts'
import { planApply } from './plan-apply.ts'
import { checkApply } from './version-rights.ts'
import type { OpenedVersion } from './version-work.ts'

const reasonSchema = actionInputSchema({ icon: '', on: [], input: { reason: UNTESTED } })

/** Sets the bot to the content of a version, as one process; `untested`: with a reason, regardless of its tests. */
const applyOf =
  (untested: boolean): Attempt =>
  async (context, run) => {
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { id } = target.value.state
    const { reason, ...rest } = run.command.input
    const certain = checkConfirmation(untested ? rest : run.command.input, true)
    if (!certain.ok) return certain
    const why = untested ? parse(reasonSchema, { reason: reason ?? null }) : undefined
    if (why?.ok === false) return why
    const whole = await contentFor(context, target.value.state)
    if (!whole.ok) return whole
    const { content, bot } = whole.value
    await awaitLookup(context)
    const seed = derivedId(run.author.seed, 'apply')
    const { caller } = run.command
    const { steps, ids, cleared, becomes } = await planApply(context, {
      ...{ version: target.value.state, content, bot, caller, seed },
    })
    const permitted = await checkApply(context, caller, steps)
    if (!permitted.ok) return permitted
    const failed = untested ? [] : await runGatingTests(context, bot.id, becomes)
    if (failed.length > 0) return refused('test.failed', { params: { count: failed.length }, errors: failed })
    const told = untested ? String(reason) : null
    const changed = told === (target.value.state.fields.untestedreason ?? null) ? {} : { untestedreason: told }
    const fields = { applied_at: run.author.time, ...changed }
    const last = { do: 'record', entity: versionEntity.name, id, verb: 'Applied', fields } as const
    const result = cleared.length === 0 ? {} : { cleared: [...cleared] }
    return runProcess(context, run, { kind: 'apply', root: bot.id, steps: [...steps, last], ids }, id, () => result)
  }

export const applyVersion = applyOf(false)
export const applyVersionUntested = applyOf(true)

/** A version's content and the bot it belongs to. */
export const contentFor = async (
  context: CommandContext,
  version: Live,
): Promise<Result<{ content: OpenedVersion; bot: Live }>> => {
  const { state } = await context.loader.load(botEntity, String(version.fields.bot))
  if (state.status !== 'live') return refused('entity.parent')
  const content = await openContent(context, version)
  if (content === undefined) return refused('version.format')
  return content.ok ? accepted({ content: content.value, bot: state }) : content
}

/** The opened content of a version; undefined when nothing complete was stored. */
export const openContent = async (
  context: CommandContext,
  { id, level, fields: { size, bot } }: Live,
): Promise<Result<OpenedVersion> | undefined> => {
  const packed = await readContent(context, id)
  if (packed === undefined) return undefined
  const stored = { packed, size: typeof size === 'number' ? size : Number.POSITIVE_INFINITY }
  return context.versions.open(stored, { level: level ?? '', bot: String(bot) })
}
