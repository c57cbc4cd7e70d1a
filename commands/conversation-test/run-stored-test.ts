import { eventOf } from '#domain/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt, CommandContext } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { checkConfirmation } from '../pipeline/parse.ts'
import { awaitLookup } from '../process/descendants.ts'
import { flowsOf, storedTest } from './bot-flows.ts'
import type { TestedFlows } from './conversation-test-port.ts'

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
