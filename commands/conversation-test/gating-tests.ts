import type { Live } from '#domain/behaviour.ts'
import type { Json } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { liveChildren } from '../version/capture-version.ts'
import { flowsOf, storedTest } from './conversation-test-facts.ts'
import type { StoredTest, TestedFlows, TestOutcome } from './conversation-test-port.ts'

/** All gating tests of a bot together (RUNTIME 89). */
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
 * The gating tests of a bot that fail against its release as it would be (RUNTIME 89). A bot without gating tests is
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
