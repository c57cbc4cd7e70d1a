import { type ChildProcess, fork } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import type {
  PendingEntity,
  StoredTest,
  TestedFlows,
  TestOutcome,
  TestRunner,
} from '#commands/conversation-test/conversation-test-port.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import { isolatedEnv } from '#commands/isolated-env.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { startDialogOf, type TestBot } from '#domain/conversation-test/begin-test.ts'
import type { TestResult } from '#domain/conversation-test/test-result.ts'
import type { TestGiven } from '#domain/conversation-test/test-schema.ts'
import type { ReadModels, Row, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { botLanguage } from '#schemas/language.ts'
import { openCompiledFlows } from '../../conversation/effect/compiled-flows.ts'
import { type SettingsSource, turnSettings } from '../../conversation/effect/turn-settings.ts'
import type { PooledChecks } from '../../isolation/pooled-work.ts'
import type { TestAnswer, TestQuestion, TestReady } from './process.ts'

type TestSubject = Pick<TestQuestion, 'bot' | 'coming'>

/** Time after which an idle process is ended. */
const IDLE_MS = 60_000
/** A process that does not start within this time gets no questions. */
const START_MS = 30_000
/** Limit of working processes; further requests wait until a process is free. */
const MAX_PROCESSES = Math.min(2, availableParallelism())
const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url))

/** Result of a test that was not finished in time. */
const LATE: TestResult = {
  passed: false,
  step: 0,
  kind: 'time',
  expected: null,
  got: null,
  values: {},
  path: [],
  flows: [],
  coverage: [],
}

/** Sends a question to a process; tests without an answer at the deadline or the process's end have failed. */
const asked = (
  running: ChildProcess,
  question: TestQuestion,
  tests: readonly StoredTest[],
  timeoutMs: number,
): Promise<{ readonly outcomes: readonly TestOutcome[]; readonly isDone: boolean }> =>
  new Promise(resolve => {
    const outcomes: TestOutcome[] = tests.map(({ id, name }) => ({ id, name, result: LATE, ms: timeoutMs }))
    let left = tests.length
    const finish = () => {
      clearTimeout(timer)
      running.off('message', take)
      running.off('exit', finish)
      running.off('error', finish)
      resolve({ outcomes, isDone: left === 0 })
    }
    const take = (message: unknown) => {
      const { number, place, result, ms } = message as TestAnswer
      const test = tests[place]
      if (number !== question.number || test === undefined) return
      outcomes[place] = { id: test.id, name: test.name, result, ms }
      left -= 1
      if (left === 0) finish()
    }
    const timer = setTimeout(finish, timeoutMs)
    running.on('message', take)
    running.on('exit', finish)
    running.on('error', finish)
    running.send(question, error => {
      if (error !== null) finish()
    })
  })

/** Resolves when the process accepts questions; its startup time does not count for its tests. */
const started = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    const go = () => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', go)
      child.off('error', go)
      resolve()
    }
    const onMessage = (message: unknown) => {
      if (message === ('ready' satisfies TestReady)) go()
    }
    const timer = setTimeout(go, START_MS)
    child.on('message', onMessage)
    child.on('exit', go)
    child.on('error', go)
  })

/** One process, kept for a minute after its last work; a late process is ended. */
class TestProcess {
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #count = 0

  async ask(bot: TestSubject, tests: readonly StoredTest[], timeoutMs: number): Promise<readonly TestOutcome[]> {
    clearTimeout(this.#idle)
    this.#count += 1
    const question = { number: this.#count, ...bot, files: tests.map(({ file }) => file) }
    const { outcomes, isDone } = await asked(await this.#started(), question, tests, timeoutMs)
    if (!isDone) this.#end()
    this.#idle = setTimeout(() => this.#end(), IDLE_MS)
    this.#idle.unref()
    return outcomes
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#end()
  }

  #end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #started(): Promise<ChildProcess> {
    if (this.#child?.connected === true) return this.#child
    const child = fork(PROCESS, { execArgv: [], env: isolatedEnv(), serialization: 'advanced', stdio: 'ignore' })
    child.unref()
    child.channel?.unref()
    this.#child = child
    await started(child)
    return child
  }
}

type Ask = (bot: TestSubject, tests: readonly StoredTest[], timeoutMs: number) => Promise<readonly TestOutcome[]>

/** Processes that run tests; a request starts one if no process is free. */
const openTestProcesses = (): { readonly ask: Ask; close(): void } => {
  const all: TestProcess[] = []
  const free: TestProcess[] = []
  const waiting: ((process: TestProcess) => void)[] = []
  const taken = async (): Promise<TestProcess> => {
    const found = free.pop()
    if (found !== undefined) return found
    if (all.length >= MAX_PROCESSES) return new Promise(resolve => waiting.push(resolve))
    const started = new TestProcess()
    all.push(started)
    return started
  }
  const give = (process: TestProcess) => {
    const next = waiting.shift()
    if (next === undefined) free.push(process)
    else next(process)
  }
  return {
    async ask(bot, tests, timeoutMs) {
      const process = await taken()
      try {
        return await process.ask(bot, tests, timeoutMs)
      } finally {
        give(process)
      }
    },
    close() {
      for (const process of all) process.close()
    },
  }
}

const EPOCH = new Date(0).toISOString()

const newRow = (id: string): Row => ({
  id,
  revision: 0,
  hierarchylevel: null,
  created_at: EPOCH,
  modified_at: EPOCH,
  created_by: null,
  modified_by: null,
})

/** The present rows with those that are about to change as they are going to be. */
const readWith = (read: ReadModels, rows: readonly PendingEntity[]): ReadModels => {
  if (rows.length === 0) return read
  const coming = Map.groupBy(rows, ({ entity }) => entity)
  const changed = <R>(row: R | undefined, id: string, fields: JsonObject | null): R | undefined =>
    fields === null ? undefined : ({ ...(row ?? newRow(id)), ...fields, id } as R)
  const detail: ReadModels['detail'] = async (scope, entity, id, options) => {
    const row = await read.detail(scope, entity, id, options)
    const one = coming.get(entity)?.find(each => each.id === id)
    return one === undefined ? row : changed(row, id, one.fields)
  }
  const list: ReadModels['list'] = async (scope, entity, query) => {
    const others = coming.get(entity)
    if (others === undefined) return read.list(scope, entity, query)
    const present = await allRows(read, SYSTEM_SCOPE, entity, query.filter)
    const held = new Map(present.map(row => [row.id, row]))
    for (const { id, fields } of others) {
      const row = changed(held.get(id), id, fields)
      const isMeant = Object.entries(query.filter).every(([name, value]) => (row as Row | undefined)?.[name] === value)
      if (row !== undefined && isMeant) held.set(id, row)
      else held.delete(id)
    }
    const items = [...held.values()]
    return { items, total: items.length, page: query.page, size: query.size }
  }
  return new Proxy(read, {
    get: (target, name) => {
      if (name === 'detail') return detail
      if (name === 'list') return list
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

interface TestRunnerOptions {
  /** Opened on the first run. */
  readonly flows: () => FlowLog
  readonly read: ReadModels
  readonly nlu: SettingsSource['nlu']
  /** Upper limit of every run, ms. */
  readonly maxMs?: number
  /** Start of a file's test. */
  readonly given: PooledChecks['given']
}

/** Limit of outcomes in memory; the least recently used are evicted. */
const MAX_CACHED = 2000

/** Outcomes of tests by their inputs: the same file, flows and settings always give the same outcome. */
class OutcomeCache {
  readonly #held = new Map<string, Pick<TestOutcome, 'result' | 'ms'>>()

  keyOf(sign: string, { file }: StoredTest): string {
    return createHash('sha256').update(sign).update(file).digest('base64')
  }

  get(key: string): Pick<TestOutcome, 'result' | 'ms'> | undefined {
    const held = this.#held.get(key)
    if (held !== undefined) this.put(key, held)
    return held
  }

  put(key: string, { result, ms }: Pick<TestOutcome, 'result' | 'ms'>): void {
    // A test that ran out of time may finish the next time.
    if (result.kind === 'time') return
    this.#held.delete(key)
    this.#held.set(key, { result, ms })
    const [oldest] = this.#held.keys()
    if (this.#held.size > MAX_CACHED && oldest !== undefined) this.#held.delete(oldest)
  }
}

type Coming = NonNullable<TestedFlows['coming']>

/** Drawings have up to tens of MB. */
const addComing = async (hash: Hash, coming: Coming): Promise<void> => {
  const slices = new TimeSlicer()
  for (const [id, { drawing, ...rest }] of Object.entries(coming)) {
    hash.update(serialize([id, rest]))
    for (const piece of drawing) hash.update(piece)
    await slices.pause()
  }
}

interface SignedBot {
  /** Without the flows that are about to come: the process compiles them. */
  readonly bot: TestBot
  readonly coming: Coming
  /** Equal for equal flows and settings. */
  readonly sign: string
}

/** The bot in a form that a process accepts: flows at exactly these revisions, current settings. */
const botOf = async (
  source: SettingsSource,
  compiled: ReturnType<typeof openCompiledFlows>,
  { bot, dialogs, handlers, names: returning = {}, coming = {}, rows = [] }: TestedFlows,
): Promise<SignedBot> => {
  const read = readWith(source.read, rows)
  const row = (await read.detail(SYSTEM_SCOPE, 'bot', bot)) as RowOf<'bot'>
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot })
  const rowsOf = async <N extends 'dialog' | 'handler'>(entity: N) =>
    (await Promise.all(tasks.map(({ id }) => allRows(read, SYSTEM_SCOPE, entity, { dialogtask: id })))).flat()
  const [dialogRows, handlerRows] = await Promise.all([rowsOf('dialog'), rowsOf('handler')])
  const scripts = Object.entries(handlers).map(([id, revision]) => {
    const held = handlerRows.find(each => each.id === id)
    return { id, revision, name: held?.name ?? '', slow: held?.slow === true }
  })
  const settings = await turnSettings({ ...source, read }, row, botLanguage(row))
  const live = dialogRows.map(({ id, name }) => [id, name] as const)
  const names = new Map([...Object.entries(returning), ...live])
  const sign = createHash('sha256').update(serialize({ bot, dialogs, scripts, settings, names }))
  await addComing(sign, coming)
  const release = await compiled.at(dialogs, scripts)
  return { bot: { release, settings, dialogs: names }, coming, sign: sign.digest('base64') }
}

const isWithin = (given: TestGiven | undefined, bot: TestBot, dialog: string): boolean =>
  given !== undefined && startDialogOf(given, bot) === dialog

/**
 * Runs tests in separate processes: an expression or a pattern that never ends is ended with its process. Requests for
 * one bot run one after another and reuse earlier outcomes; requests for other bots do not wait for them.
 */
export const openTestRunner = ({
  flows,
  read,
  nlu,
  given,
  maxMs = Number.POSITIVE_INFINITY,
}: TestRunnerOptions): TestRunner & { close(): void } => {
  let compiled: ReturnType<typeof openCompiledFlows> | undefined
  const queues = new Map<string, Promise<unknown>>()
  const apart = openTestProcesses()
  const cache = new OutcomeCache()
  const signed = (tested: TestedFlows) => {
    compiled ??= openCompiledFlows(flows(), read)
    return botOf({ read, nlu }, compiled, tested)
  }

  const runNow = async (tested: TestedFlows, tests: readonly StoredTest[], timeoutMs: number) => {
    const { sign, ...asked } = await signed(tested)
    const known = tests.map(test => cache.get(cache.keyOf(sign, test)))
    const left = tests.filter((_, place) => known[place] === undefined)
    const ran = left.length === 0 ? [] : await apart.ask(asked, left, timeoutMs)
    for (const [place, outcome] of ran.entries()) {
      const test = left[place]
      if (test !== undefined) cache.put(cache.keyOf(sign, test), outcome)
    }
    const fresh = new Map(left.map(({ id }, place) => [id, ran[place]]))
    return tests.map(({ id, name }, place): TestOutcome => {
      const { result, ms } = known[place] ?? fresh.get(id) ?? { result: LATE, ms: timeoutMs }
      return { id, name, result, ms }
    })
  }

  return {
    run(tested, tests, timeoutMs) {
      const { bot } = tested
      const ran = (queues.get(bot) ?? Promise.resolve()).then(() => runNow(tested, tests, Math.min(timeoutMs, maxMs)))
      const done: Promise<unknown> = ran
        .catch(() => undefined)
        .then(() => {
          if (queues.get(bot) === done) queues.delete(bot)
        })
      queues.set(bot, done)
      return ran
    },
    async within(tested, tests, dialog) {
      const { bot } = await signed(tested)
      const begins = await Promise.all(tests.map(({ file }) => given(file, tested.bot)))
      return tests.filter((_, place) => isWithin(begins[place], bot, dialog))
    },
    async outputs(tested) {
      const { bot } = await signed(tested)
      return [...bot.release.dialogs.values()].flatMap(({ dialog, blocks }) =>
        [...blocks.values()].flatMap(({ id: block, title, next }) =>
          [...next].map(([out, to]) => ({ dialog, block, title, out, to: blocks.get(to)?.title || to })),
        ),
      )
    },
    close: () => apart.close(),
  }
}
