import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { StoredTest, TestOutcome } from '#commands/conversation-test/conversation-test-port.ts'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { TestResult } from '#domain/conversation-test/test-result.ts'
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
export const LATE: TestResult = {
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
export const openTestProcesses = (): { readonly ask: Ask; close(): void } => {
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
