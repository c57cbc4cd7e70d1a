import type { FastifyInstance } from 'fastify'
import type { StoredTest, TestedFlows, TestOutcome } from '#commands/conversation-test/conversation-test-port.ts'
import { releaseNumber } from '#commands/release/make-release.ts'
import type { FlowDifference } from '#domain/flow/diff/diff-flows.ts'
import type { Row, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { openCompiledFlows } from '#runtime/conversation/effect/compiled-flows.ts'
import { STORIES } from '#runtime/isolation/jobs.ts'
import { answerOf, callerOf } from '#runtime/isolation/pooled-work.ts'
import { flowsOfBot, lastMoments, replayedTest, testedFlows } from '#runtime/simulation/kept-test/replayed-test.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { FieldError } from '#schemas/refusal.ts'
import { closedSignal, handle, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import type { Flows } from '../server-parts.ts'
import { sessionOf } from './command.ts'
import { type ConversationParts, findConversation, recordReading } from './conversation.ts'

/** Stores nothing: callers who may read tests may run them. */
const CONFIG = { permission: 'readconversationtest' }
/** Blocks of a tested flow may call other systems. */
const RUN = { ...CONFIG, effect: 'calls out' } as const
const RUN_TIMEOUT_MS = 20_000
/** Moments beside the draft and what is published. */
const MAX_MOMENTS = 4

type RunRequest = RouteRequest<'POST /bot/{id}/tests'>['body']
type TestRun = AnswerOf<'POST /bot/{id}/tests'>
type Moments = AnswerOf<'GET /bot/{id}/tests'>['items']

const mayRead = ({ readable }: Scope, entity: string): boolean => readable === 'all' || readable.has(entity)

const storedTest = ({ id, name, file }: Row): StoredTest => ({ id, name: String(name ?? ''), file: String(file ?? '') })

/** Blocks that a dialog's next publishing adds or changes, or whose outputs lead elsewhere; all of one that is not published. */
const changedBlocks = async (flows: Flows, row: Row, revision: number): Promise<ReadonlySet<string> | 'all'> => {
  if (row.published !== true || typeof row.publishedrevision !== 'number') return 'all'
  const written = await flows.difference(row.id, row.publishedrevision, revision)
  if (written === undefined) return 'all'
  const { nodes, links } = JSON.parse(written) as FlowDifference
  const changed = nodes.changed.filter(({ changes }) => changes.some(({ path }) => path !== 'pos'))
  const leaving = [...links.added, ...links.removed, ...links.changed.map(({ after }) => after)]
  return new Set([...nodes.added, ...changed].map(({ id }) => id).concat(leaving.map(link => link.fromOperator)))
}

const outcomeOf = ({ result, ms }: TestOutcome, row: Row, brief: boolean): TestRun['outcomes'][number] => {
  const { path, coverage: _, more, values, flows, ...told } = result
  return {
    ...told,
    ...(more === undefined ? {} : { more: [...more] }),
    values: brief ? {} : values,
    flows: [...flows],
    id: row.id,
    name: String(row.name ?? ''),
    revision: row.revision,
    gating: row.gating === true,
    ms,
    path: brief ? [] : path.map(step => ({ ...step })),
  }
}

/** The outputs of the bot, and which of them the tests took. */
const outputsOf = async (
  { tests, read }: Parts,
  flows: Flows,
  tested: TestedFlows,
  outcomes: readonly TestOutcome[],
  going: readonly string[],
): Promise<TestRun['outputs']> => {
  const nameOf = (dialog: string, block: string, out: string) => `${dialog} ${block} ${out}`
  const taken = new Set(
    outcomes.flatMap(({ result }) => result.coverage.map(({ dialog, block, out }) => nameOf(dialog, block, out))),
  )
  const rows = (await flowsOfBot(read, tested.bot)).filter(({ row }) => going.includes(row.id))
  const changed = new Map(
    await Promise.all(
      rows.map(async ({ row }) => [row.id, await changedBlocks(flows, row, tested.dialogs[row.id] ?? 0)] as const),
    ),
  )
  return (await tests.outputs(tested)).map(each => {
    const blocks = changed.get(each.dialog)
    return {
      ...each,
      taken: taken.has(nameOf(each.dialog, each.block, each.out)),
      changed: blocks === 'all' || blocks?.has(each.block) === true,
    }
  })
}

/** The first flow that is asked about and is none of the bot's. */
const unknownFlow = async ({ read }: Parts, bot: string, asked: RunRequest): Promise<FieldError | undefined> => {
  const { dialog, publish } = asked
  const named = [
    ...(dialog === undefined ? [] : [['dialog', dialog] as const]),
    ...(publish?.dialogs ?? []).map((id, place) => [`publish.dialogs.${place}`, id] as const),
    ...(publish?.handlers ?? []).map((id, place) => [`publish.handlers.${place}`, id] as const),
  ]
  if (named.length === 0) return undefined
  const own = new Set((await flowsOfBot(read, bot)).map(({ row }) => row.id))
  const wrong = named.find(([, id]) => !own.has(id))
  return wrong && { path: wrong[0], code: 'reference' }
}

const addRun = (app: FastifyInstance, parts: Parts, flows: Flows): void => {
  const { read, tests } = parts
  const chosen = async (all: readonly Row[], tested: TestedFlows, asked: RunRequest): Promise<readonly Row[]> => {
    const rows = all.filter(
      ({ id, gating }) => (asked.tests?.includes(id) ?? true) && (!asked.gating || gating === true),
    )
    if (asked.dialog === undefined) return rows
    const own = new Set((await tests.within(tested, rows.map(storedTest), asked.dialog)).map(({ id }) => id))
    return rows.filter(({ id }) => own.has(id))
  }

  handle(app, 'POST /bot/{id}/tests', RUN, async (request, reply) => {
    const { scope } = sessionOf(request)
    const { id } = request.params
    if ((await read.detail(scope, 'bot', id)) === undefined) return refuse(reply, { code: 'entity.notfound' })
    const { publish, brief } = request.body
    const unknown = await unknownFlow(parts, id, request.body)
    if (unknown !== undefined) return refuse(reply, { code: 'validation.failed', errors: [unknown] })
    const tested = await testedFlows({ read, flows }, id, request.body)
    const all = await allRows(read, scope, 'conversationtest', { bot: id })
    const rows = await chosen(all, tested, request.body)
    const outcomes = await tests.run(tested, rows.map(storedTest), RUN_TIMEOUT_MS)
    const told = rows.flatMap((row, place) => {
      const outcome = outcomes[place]
      return outcome === undefined ? [] : [outcomeOf(outcome, row, brief)]
    })
    const hasOutputs = !brief && mayRead(scope, 'dialog')
    const outputs = hasOutputs ? await outputsOf(parts, flows, tested, outcomes, publish?.dialogs ?? []) : []
    return { outcomes: told, total: all.length, outputs, dialogs: { ...tested.dialogs } }
  })
}

const addMoments = (app: FastifyInstance, { read }: Parts, flows: Flows): void => {
  handle(app, 'GET /bot/{id}/tests', CONFIG, async (request, reply) => {
    const { scope } = sessionOf(request)
    const { id } = request.params
    if ((await read.detail(scope, 'bot', id)) === undefined) return refuse(reply, { code: 'entity.notfound' })
    const { flows: wanted } = request.query
    const all = (await flowsOfBot(read, id)).filter(
      ({ kind, row }) => mayRead(scope, kind) && (wanted?.has(row.id) ?? true),
    )
    const drawn = await Promise.all(
      all.map(async ({ kind, row }) =>
        (await lastMoments({ read, flows }, row.id, true)).map(({ time, revision, authors }) => ({
          at: time,
          time,
          flow: { kind, id: row.id, name: String(row.name ?? ''), revision },
          authors: authors.map(author => ({ ...author })),
        })),
      ),
    )
    const moments: Moments = drawn.flat().sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    const [newest, ...earlier] = moments
    const draft = newest === undefined ? { time: null, flow: null, authors: [] } : newest
    const isLive = all.some(({ row }) => row.published === true)
    const live: Moments = isLive ? [{ at: 'published', time: null, flow: null, authors: [] }] : []
    return { items: [{ ...draft, at: 'draft' }, ...earlier.slice(0, MAX_MOMENTS), ...live] }
  })
}

const addRead = (app: FastifyInstance, { read, work }: Parts): void => {
  handle(
    app,
    'POST /bot/{id}/readtests',
    { permission: 'createconversationtest', effect: 'reads' },
    async (request, reply) => {
      const bot = await read.detail(sessionOf(request).scope, 'bot', request.params.id)
      if (bot === undefined) return refuse(reply, { code: 'entity.notfound' })
      const { text, name } = request.body
      const options = { from: callerOf(bot), signal: closedSignal(reply) }
      const found = answerOf(await work.run(STORIES, { text, name, bot: String(bot.name ?? '') }, options))
      if (found === undefined) return refuse(reply, { code: 'request.toolarge' })
      return { tests: [...found.tests], faults: [...found.faults] }
    },
  )
}

/** Conversation tests of a bot against what it was, is and would be. */
export const addConversationTests = (app: FastifyInstance, parts: Parts, flows: Flows): void => {
  addRun(app, parts, flows)
  addMoments(app, parts, flows)
  addRead(app, parts)
}

/** POST /conversation/{id}/test: the transcript as a test file, for callers who may read it. */
export const addKeptTest = (app: FastifyInstance, given: ConversationParts, flows: Flows): void => {
  const { read, store } = given.parts
  const compiled = openCompiledFlows(flows.log, read)
  handle(
    app,
    'POST /conversation/{id}/test',
    { permission: 'readconversation', effect: 'reads' },
    async (request, reply) => {
      const found = await findConversation(given, request, reply)
      if (found === undefined) return reply
      const { id, bot, release: number, channeltype: channel } = found.record
      const reading = { verb: 'exported', conversation: id, bot, level: found.level, part: 'test' } as const
      await recordReading(given.parts, request, reading)
      const turns = await found.records.replay(id, true)
      const release = await compiled.at((await releaseNumber(store, bot, number))?.dialogs ?? {}, [])
      const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot })
      const names = new Map(tasks.map(task => [task.id, String(task.name ?? '')]))
      const held = await read.detail(SYSTEM_SCOPE, 'bot', bot)
      const asked = { nlu: held?.nluenabled === true, brain: held?.brainenabled === true }
      return { file: replayedTest({ name: request.body.name, channel, turns, release, tasks: names, ...asked }) }
    },
  )
}
