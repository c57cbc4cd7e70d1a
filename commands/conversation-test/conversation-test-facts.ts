import type { Live } from '#domain/behaviour.ts'
import type { ConversationTestFacts } from '#domain/conversation-test/behaviour.ts'
import type { BotNames } from '#domain/conversation-test/check-names.ts'
import { eventOf } from '#domain/entity.ts'
import { rootName } from '#domain/flow/variable/variable-use.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import {
  type Attempt,
  awaitLookup,
  type CommandContext,
  checkConfirmation,
  type LoadFacts,
  loadLiveTarget,
} from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { liveChildren } from '../version/capture-version.ts'
import type { StoredTest, TestedFlows, TestOutcome } from './conversation-test-port.ts'

/** Live dialogs and handlers of a bot. */
const flowsOf = async (
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

const storedTest = ({ id, fields }: Pick<Live, 'id' | 'fields'>): StoredTest => ({
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

/** Runs a test against the bot as it is drawn, and keeps what came of it. */
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

/** Members of a block that name the variable it writes. */
const WRITES = new Set(['varname', 'resultVariable', 'errorVariable'])

const writtenIn = (value: unknown, found: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) writtenIn(item, found)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') writtenIn(member, found)
    else if (WRITES.has(key) && typeof member === 'string' && member !== '') found.add(rootName(member))
  }
}

/** The variables of an assignment. */
const assignedIn = (properties: unknown, found: Set<string>): void => {
  if (!isObject(properties) || !Array.isArray(properties.variables)) return
  for (const item of properties.variables) {
    const name: unknown = isObject(item) ? item.name : item
    if (typeof name === 'string' && name !== '') found.add(rootName(name))
  }
}

/** Names in a bot that its tests may use, from its live flows. */
const botNames = async (context: CommandContext, bot: string): Promise<BotNames> => {
  await awaitLookup(context)
  const { tasks, dialogs, handlers } = await flowsOf(context, bot)
  const declared = await liveChildren(context, 'bot', bot, 'variable')
  const blocks: { id: string; name: string }[] = []
  const variables = new Set(declared.map(({ fields }) => String(fields.name ?? '')))
  for (const { id } of dialogs) {
    const { state } = await context.flows.stored(id)
    const file = JSON.parse(await context.flows.work.perform({ do: 'file', state, hasScript: false })) as FlowFile
    for (const [block, { title, properties }] of Object.entries(file.operators)) {
      blocks.push({ id: block, name: typeof title === 'string' ? title : '' })
      writtenIn(properties, variables)
      assignedIn(properties, variables)
    }
  }
  const named = ({ id, fields }: (typeof tasks)[number]) => ({ id, name: String(fields.name ?? '') })
  return {
    tasks: tasks.map(named),
    dialogs: dialogs.map(named),
    handlers: handlers.map(named),
    blocks,
    variables: [...variables],
  }
}

/** Errors of a file, where one is written. */
export const loadConversationTestFacts: LoadFacts<ConversationTestFacts> = async (
  context,
  { command },
  state,
  fields,
) => {
  const { file } = fields
  if (typeof file !== 'string') return {}
  const held = state.status === 'live' || state.status === 'removed' ? state.fields.bot : fields.bot
  const names = typeof held === 'string' ? await botNames(context, held) : undefined
  return { errors: await context.checks.testFile(file, names, command.caller.level) }
}

/** All gating tests of a bot together. */
const GATE_TIMEOUT_MS = 60_000
/** Characters of an expected or received value in a refusal. */
const MAX_VALUE = 2000

/** Difference between the present release and the tested one: revisions by flow, and removed flows. */
export interface ReleaseDifference extends Pick<TestedFlows, 'coming' | 'rows'> {
  readonly dialogs?: Readonly<Record<string, number>>
  readonly handlers?: Readonly<Record<string, number>>
  readonly without?: readonly string[]
  /** Of dialogs that come back, by id. */
  readonly names?: Readonly<Record<string, string>>
}

const published = (flows: readonly Live[], gone: ReadonlySet<string>): Record<string, number> =>
  Object.fromEntries(
    flows.flatMap(({ id, fields }) =>
      fields.published === true && typeof fields.publishedrevision === 'number' && !gone.has(id)
        ? [[id, fields.publishedrevision] as const]
        : [],
    ),
  )

const short = (value: Json | undefined): Json => {
  const written = JSON.stringify(value ?? null)
  return written.length <= MAX_VALUE ? (value ?? null) : `${written.slice(0, MAX_VALUE)}…`
}

/** A failed test as one line of a refusal. */
const errorOf = (bot: string, { id, name, result }: TestOutcome): FieldError => {
  const { kind = 'message', step = 0, line = 0, expected, got } = result
  const params = { rule: kind, bot, test: id, name, step, line, expected: short(expected), got: short(got) }
  return { path: `tests.${id}`, code: 'test', params }
}

/** The gating tests of a bot, with the files that they are about to have, and those that are about to come. */
const gatingTests = async (
  context: CommandContext,
  bot: string,
  rows: ReleaseDifference['rows'] = [],
): Promise<StoredTest[]> => {
  const present = await liveChildren(context, 'bot', bot, 'conversationtest')
  const coming = rows.flatMap(({ entity, id, fields }) =>
    entity === 'conversationtest' && fields ? [{ id, fields }] : [],
  )
  const tests = new Map<string, Pick<Live, 'id' | 'fields'>>([...present, ...coming].map(test => [test.id, test]))
  return [...tests.values()].filter(({ fields }) => fields.gating === true).map(storedTest)
}

/**
 * The gating tests of a bot that fail against its release as it would be. A bot without gating tests is
 * asked nothing else.
 */
export const runGatingTests = async (
  context: CommandContext,
  bot: string | undefined,
  { dialogs = {}, handlers = {}, without = [], names = {}, coming = {}, rows = [] }: ReleaseDifference,
): Promise<readonly FieldError[]> => {
  if (context.tests === undefined || bot === undefined) return []
  const gating = await gatingTests(context, bot, rows)
  if (gating.length === 0) return []
  const flows = await flowsOf(context, bot)
  const gone = new Set([...without, ...Object.keys(coming)])
  const tested = {
    bot,
    dialogs: { ...published(flows.dialogs, gone), ...dialogs },
    handlers: { ...published(flows.handlers, gone), ...handlers },
    names,
    coming,
    rows,
  }
  const outcomes = await context.tests.run(tested, gating, GATE_TIMEOUT_MS)
  return outcomes.filter(({ result }) => !result.passed).map(outcome => errorOf(bot, outcome))
}
