import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import type { StoredTest, TestedFlows, TestOutcome, TestRunner } from '#commands/conversation-test/port.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import { beginsIn, type TestBot } from '#domain/conversation-test/begin-test.ts'
import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import type { TestResult } from '#domain/conversation-test/test-result.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { openCompiledFlows } from '../conversation/compiled-flows.ts'
import { type SettingsSource, turnSettings } from '../conversation/turn-settings.ts'
import { allRows } from '../report/granted-reports.ts'
import type { TestAnswer, TestQuestion } from './process.ts'

interface TestRunnerOptions {
  /** Opened with the first run. */
  readonly flows: () => FlowLog
  readonly read: ReadModels
  readonly nlu: SettingsSource['nlu']
}

/** A process without work is ended after this long. */
const IDLE_MS = 60_000
const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url))

const LATE: TestResult = { passed: false, step: 0, kind: 'time', expected: null, got: null, path: [], coverage: [] }

const environment = (): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

/** Outcomes that are kept; the ones used longest ago go first. */
const MAX_CACHED = 2000

/** What tests came to, by what they were run with: the same file, flows and settings always give the same. */
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
    // What was not done in time may be next time.
    if (result.kind === 'time') return
    this.#held.delete(key)
    this.#held.set(key, { result, ms })
    const [oldest] = this.#held.keys()
    if (this.#held.size > MAX_CACHED && oldest !== undefined) this.#held.delete(oldest)
  }
}

interface SignedBot {
  readonly bot: TestBot
  /** The same for the same flows and settings. */
  readonly sign: string
}

/** The bot as a process can be given it: flows at exactly these revisions, settings as they are now. */
const botOf = async (
  source: SettingsSource,
  compiled: ReturnType<typeof openCompiledFlows>,
  { bot, dialogs, handlers }: TestedFlows,
): Promise<SignedBot> => {
  const { read } = source
  const row = (await read.detail(SYSTEM_SCOPE, 'bot', bot)) as Row
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot })
  const rowsOf = async (entity: string) =>
    (await Promise.all(tasks.map(({ id }) => allRows(read, SYSTEM_SCOPE, entity, { dialogtask: id })))).flat()
  const [dialogRows, handlerRows] = await Promise.all([rowsOf('dialog'), rowsOf('handler')])
  const scripts = Object.entries(handlers).map(([id, revision]) => {
    const held = handlerRows.find(each => each.id === id)
    return { id, revision, name: String(held?.name ?? ''), slow: held?.slow === true }
  })
  const locale = typeof row.defaultlocale === 'string' ? row.defaultlocale : 'pt'
  const settings = await turnSettings(source, row, locale)
  const names = new Map(dialogRows.map(({ id, name }) => [id, String(name ?? '')]))
  const sign = createHash('sha256').update(serialize({ bot, dialogs, scripts, settings, names })).digest('base64')
  return { bot: { release: await compiled.at(dialogs, scripts), settings, dialogs: names }, sign }
}

const beginsWithin = ({ file }: StoredTest, bot: TestBot, dialog: string): boolean => {
  const read = readTestFile(file)
  return read.ok && beginsIn(read.file.given, bot) === dialog
}

/** Asks a process; what it has not answered in time, or when it ends, has failed. */
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

/** One process, kept for a minute after its last work; one that is late is ended. */
class TestProcess {
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #count = 0

  async ask(bot: TestBot, tests: readonly StoredTest[], timeoutMs: number): Promise<readonly TestOutcome[]> {
    clearTimeout(this.#idle)
    this.#count += 1
    const question = { number: this.#count, bot, files: tests.map(({ file }) => file) }
    const { outcomes, isDone } = await asked(this.#started(), question, tests, timeoutMs)
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

  #started(): ChildProcess {
    if (this.#child?.connected === true) return this.#child
    const child = fork(PROCESS, { execArgv: [], env: environment(), serialization: 'advanced', stdio: 'ignore' })
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }
}

/**
 * Runs tests in one process of their own, one request after another: an expression or a pattern that never ends is ended
 * with it.
 */
export const openTestRunner = ({ flows, read, nlu }: TestRunnerOptions): TestRunner & { close(): void } => {
  let compiled: ReturnType<typeof openCompiledFlows> | undefined
  let queue: Promise<unknown> = Promise.resolve()
  const apart = new TestProcess()
  const cache = new OutcomeCache()
  const signed = (tested: TestedFlows) => {
    compiled ??= openCompiledFlows(flows(), read)
    return botOf({ read, nlu }, compiled, tested)
  }

  const runNow = async (tested: TestedFlows, tests: readonly StoredTest[], timeoutMs: number) => {
    const { bot, sign } = await signed(tested)
    const known = tests.map(test => cache.get(cache.keyOf(sign, test)))
    const left = tests.filter((_, place) => known[place] === undefined)
    const ran = left.length === 0 ? [] : await apart.ask(bot, left, timeoutMs)
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
      const ran = queue.then(() => runNow(tested, tests, timeoutMs))
      queue = ran.catch(() => undefined)
      return ran
    },
    async within(tested, tests, dialog) {
      const { bot } = await signed(tested)
      return tests.filter(test => beginsWithin(test, bot, dialog))
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
