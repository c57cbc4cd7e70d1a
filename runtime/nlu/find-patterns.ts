import { Worker } from 'node:worker_threads'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { RegexMatch } from '#domain/nlu/parse-text.ts'
import type { RegexAnswer, RegexQuestion } from './regex-worker.ts'

/** ms allowed for the regexes of a project over one text. */
const SEARCH_TIMEOUT_MS = 100
/** ms allowed while the thread starts. */
const START_MS = 5_000
/** UTF-16 units searched of a text. */
const MAX_LENGTH = 4_000

/** Runs the regexes of projects in another thread, within a time limit. */
interface PatternFinder {
  /** Returns no matches on a timeout; never rejects. */
  find(regexes: RegexQuestion['regexes'], text: string): Promise<readonly RegexMatch[]>
  close(): void
}

interface Waiting {
  readonly question: RegexQuestion
  readonly resolve: (matches: readonly RegexMatch[]) => void
}

export const openPatternFinder = (): PatternFinder => new RegexThread()

class RegexThread implements PatternFinder {
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  #isReady = false
  #timer: NodeJS.Timeout | undefined
  #count = 0

  find(regexes: RegexQuestion['regexes'], text: string): Promise<readonly RegexMatch[]> {
    if (regexes.length === 0) return Promise.resolve([])
    return new Promise(resolve => {
      const question = { number: ++this.#count, text: text.slice(0, MAX_LENGTH), regexes }
      this.#waiting.set(question.number, { question, resolve })
      if (this.#thread === undefined) this.#start()
      else this.#thread.postMessage(question)
      if (this.#waiting.size === 1) this.#watch()
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    const closing = this.#thread
    this.#thread = undefined
    void closing?.terminate()
    for (const { resolve } of this.#waiting.values()) resolve([])
    this.#waiting.clear()
  }

  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.size === 0) return
    this.#timer = setTimeout(() => this.#giveUp(), this.#isReady ? SEARCH_TIMEOUT_MS : START_MS).unref()
  }

  /** Ends the thread with the oldest question, which gets no matches; a new thread gets the other questions. */
  #giveUp(): void {
    const [first] = this.#waiting
    if (first !== undefined) {
      this.#waiting.delete(first[0])
      first[1].resolve([])
    }
    void this.#thread?.terminate()
    this.#thread = undefined
    if (this.#waiting.size > 0) this.#start()
  }

  #start(): void {
    this.#isReady = false
    const thread = new Worker(new URL('./regex-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 64 },
      env: isolatedEnv(),
    })
    this.#thread = thread
    thread.unref()
    thread.on('message', ({ number, matches }: RegexAnswer) => {
      if (this.#thread !== thread) return
      this.#isReady = true
      this.#waiting.get(number)?.resolve(matches)
      this.#waiting.delete(number)
      this.#watch()
    })
    const lost = () => {
      if (this.#thread === thread) this.#giveUp()
    }
    thread.on('error', lost)
    thread.on('exit', lost)
    for (const { question } of this.#waiting.values()) thread.postMessage(question)
    this.#watch()
  }
}
