import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StoredTest, TestedFlows, TestOutcome, TestRunner } from '#commands/conversation-test/port.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { TestBot } from '#domain/conversation-test/begin-test.ts'
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

/** The bot as a process can be given it: flows at exactly these revisions, settings as they are now. */
const botOf = async (
  source: SettingsSource,
  compiled: ReturnType<typeof openCompiledFlows>,
  { bot, dialogs, handlers }: TestedFlows,
): Promise<TestBot> => {
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
  return {
    release: await compiled.at(dialogs, scripts),
    settings: await turnSettings(source, row, locale),
    dialogs: new Map(dialogRows.map(({ id, name }) => [id, String(name ?? '')])),
  }
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

/**
 * Runs tests in one process of their own, one request after another: an expression or a pattern that never ends is ended
 * with it. The process is kept for a minute.
 */
export const openTestRunner = ({ flows, read, nlu }: TestRunnerOptions): TestRunner & { close(): void } => {
  let compiled: ReturnType<typeof openCompiledFlows> | undefined
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let count = 0

  const end = () => {
    child?.kill('SIGKILL')
    child = undefined
  }
  const started = (): ChildProcess => {
    if (child?.connected === true) return child
    child = fork(PROCESS, { execArgv: [], env: environment(), serialization: 'advanced', stdio: 'ignore' })
    child.unref()
    child.channel?.unref()
    return child
  }

  const runNow = async (tested: TestedFlows, tests: readonly StoredTest[], timeoutMs: number) => {
    clearTimeout(idle)
    count += 1
    compiled ??= openCompiledFlows(flows(), read)
    const question = {
      number: count,
      bot: await botOf({ read, nlu }, compiled, tested),
      files: tests.map(({ file }) => file),
    }
    const { outcomes, isDone } = await asked(started(), question, tests, timeoutMs)
    if (!isDone) end()
    idle = setTimeout(end, IDLE_MS)
    idle.unref()
    return outcomes
  }

  return {
    run(tested, tests, timeoutMs) {
      const ran = queue.then(() => runNow(tested, tests, timeoutMs))
      queue = ran.catch(() => undefined)
      return ran
    },
    close() {
      clearTimeout(idle)
      end()
    },
  }
}
