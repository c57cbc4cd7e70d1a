import type { Live } from '#domain/behaviour.ts'
import { eventOf } from '#domain/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt, CommandContext } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { checkConfirmation } from '../pipeline/parse.ts'
import { awaitLookup } from '../process/descendants.ts'
import { liveChildren } from '../version/capture-version.ts'
import type { StoredTest, TestedFlows } from './conversation-test-port.ts'

/** Live dialogs and handlers of a bot. */
export const flowsOf = async (
  context: CommandContext,
  bot: string,
): Promise<{
  readonly tasks: readonly Live[]
  readonly dialogs: readonly Live[]
  readonly handlers: readonly Live[]
}> => {
  const tasks = await liveChildren(context, 'bot', bot, 'dialogtask')
  const within = async (kind: string) =>
    (await Promise.all(tasks.map(({ id }) => liveChildren(context, 'dialogtask', id, kind)))).flat()
  const [dialogs, handlers] = await Promise.all([within('dialog'), within('handler')])
  return { tasks, dialogs, handlers }
}

export const storedTest = ({ id, fields }: Pick<Live, 'id' | 'fields'>): StoredTest => ({
  id,
  name: String(fields.name ?? ''),
  file: String(fields.file ?? ''),
})

const RUN_TIMEOUT_MS = 10_000

/** The bot as it is drawn now. */
const liveFlows = async (context: CommandContext, bot: string): Promise<TestedFlows> => {
  await awaitLookup(context)
  const { dialogs, handlers } = await flowsOf(context, bot)
  const revisions = async (flows: typeof dialogs) =>
    Object.fromEntries(await Promise.all(flows.map(async ({ id }) => [id, await context.flows.revision(id)] as const)))
  return { bot, dialogs: await revisions(dialogs), handlers: await revisions(handlers) }
}

/** Runs a test against the bot as it is drawn, and keeps what came of it (RUNTIME 88). */
export const runStoredTest: Attempt = async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const body = checkConfirmation(run.command.input, false)
  if (!body.ok) return body
  if (context.tests === undefined) return refused('server.draining')
  const flows = await liveFlows(context, String(state.fields.bot))
  const [outcome] = await context.tests.run(flows, [storedTest(state)], RUN_TIMEOUT_MS)
  if (outcome === undefined) return refused('server.draining')
  const { result, ms } = outcome
  const [first] = result.path
  const last = {
    passed: result.passed,
    revision: first === undefined ? 0 : (flows.dialogs[first.dialog] ?? 0),
    time: run.author.time,
    ...(result.step === undefined ? {} : { step: result.step }),
    ms,
  }
  const { id, level } = state
  const event = eventOf(run.entity, 'Ran', { fields: { last } })
  const committed = await commit(context, run, { entity: run.entity, id, level, loaded }, [event])
  if (!committed.ok) return committed
  return accepted({ id, ...committed.value, result: { result: { ...result, ms } as unknown as JsonObject } })
}
