import type { TestedFlows } from '#commands/conversation-test/conversation-test-port.ts'
import type { EffectAnswer } from '#domain/conversation/effect.ts'
import type { InnerEffect } from '#domain/conversation-test/answer-call.ts'
import type { TestBot } from '#domain/conversation-test/begin-test.ts'
import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import { runTest } from '#domain/conversation-test/run-test.ts'
import type { TestResult } from '#domain/conversation-test/test-result.ts'
import { openPool } from '../../isolation/pool.ts'
import { openSandbox } from '../../isolation/pooled-work.ts'
import { performInner } from './inner-effect.ts'

/** Tests to run, one after another. */
export interface TestQuestion {
  readonly number: number
  readonly bot: TestBot
  /** Flows that are about to be published in it. */
  readonly coming: NonNullable<TestedFlows['coming']>
  readonly files: readonly string[]
}

/** Sent once the process accepts questions. */
export type TestReady = 'ready'

/** Outcome of the file at `place`. */
export interface TestAnswer {
  readonly number: number
  readonly place: number
  readonly result: TestResult
  readonly ms: number
}

// The process is a separate worker: its scripts share no level with others.
const sandbox = openSandbox(openPool(1), { level: '' })

const perform = async (effect: InnerEffect): Promise<EffectAnswer> => {
  switch (effect.kind) {
    case 'evaluate':
    case 'holiday':
      return performInner(effect)
    case 'script': {
      const run = await sandbox.run({ source: effect.source, parameters: effect.parameters })
      const failed = run.error?.message ?? run.ended
      return failed === undefined
        ? { kind: 'script', ms: run.time, ok: true, value: run.value ?? null }
        : { kind: 'script', ms: run.time, ok: false, message: failed }
    }
    default:
      return effect satisfies never
  }
}

const run = async (source: string, bot: TestBot): Promise<TestResult> => {
  const read = readTestFile(source)
  if (!read.ok) {
    const [first] = read.errors
    const got = first === undefined ? null : { line: first.line, path: first.path, code: first.code }
    const nothing = { values: {}, path: [], flows: [], coverage: [] }
    return { passed: false, step: 0, line: first?.line ?? 1, kind: 'file', expected: null, got, ...nothing }
  }
  const steps = runTest(read.file, bot)
  let step = steps.next()
  while (!step.done) step = steps.next(await perform(step.value))
  return step.value
}

const tested = async ({ bot, coming }: TestQuestion): Promise<TestBot> => {
  if (Object.keys(coming).length === 0) return bot
  // Loaded lazily: flows as documents are seldom compiled here.
  const { withPendingFlows } = await import('./coming-flows.ts')
  return { ...bot, release: withPendingFlows(bot.release, coming) }
}

process.on('message', (question: TestQuestion) => {
  const { number, files } = question
  void (async () => {
    const bot = await tested(question)
    for (const [place, file] of files.entries()) {
      const began = performance.now()
      const result = await run(file, bot)
      process.send?.({ number, place, result, ms: Math.round(performance.now() - began) } satisfies TestAnswer)
    }
  })()
})

process.send?.('ready' satisfies TestReady)
