import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { isolatedEnv } from '#commands/isolated-env.ts'
import type { BytesMessage, JobKind, JobMessage, ProcessMessage, WorkCode } from './work.ts'

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url))
/** ms in which a process must start, and load the code of a job. */
const LOADING_MS = 30_000
/** A part that waits for a processor is ended after twice its time and this, ms. */
const STARVED_MS = 2_000
const PAGE = 4096
/** ms in which Linux counts processor time. */
const TICK = 10
const MIB = 1024 * 1024

export interface ProcessOptions {
  /** MiB of the heap. */
  readonly heap: number
  /** Kinds whose code is loaded before the first job. */
  readonly warm: readonly JobKind[]
  /** Scheduling priority: 0 is normal, 19 the lowest. */
  readonly nice: number
}

interface ProcessEvents {
  onReady(): void
  /** The process has ended, after the failure of its job. */
  onEnd(): void
}

interface ProcessJob {
  readonly kind: JobKind
  readonly input: unknown
  readonly bytes: readonly Uint8Array[]
  readonly ms: number
  readonly partMs: readonly number[]
  readonly onPart: (part: unknown) => void
  readonly settle: (end: JobEnd) => void
}

export type JobEnd =
  | { readonly value: unknown; readonly ms: number }
  | { readonly code: WorkCode; readonly message?: string; readonly ms: number }

interface Running {
  readonly id: number
  readonly job: ProcessJob
  /** Number of finished parts, and their ms. */
  parts: number
  spent: number
  /** Start of the present part, and the processor time of the process then, ms. */
  since: number
  cpu: number
  hasBegun: boolean
}

/** Resident memory of a process in bytes; undefined where the system has no /proc. */
const residentBytes = (pid: number): number | undefined => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE
  } catch {
    return undefined
  }
}

/** Processor time of a process, ms; undefined where the system has no /proc. */
const processorTimeOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, can contain spaces.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * TICK
  } catch {
    return undefined
  }
}

/** Bytes of one message: some 0.2 ms of copying. */
const PIECE = 512 * 1024

/** The bytes with large pieces divided. */
const piecesOf = (bytes: readonly Uint8Array[]): readonly Uint8Array[] =>
  bytes.flatMap(piece =>
    Array.from({ length: Math.ceil(piece.length / PIECE) }, (_, k) => piece.subarray(k * PIECE, (k + 1) * PIECE)),
  )

/** One child process. It does one job at a time and is killed when a job exceeds a limit. */
export class WorkProcess {
  readonly #child: ChildProcess
  readonly #events: ProcessEvents
  readonly #loaded: Set<string>
  #isReady = false
  hasEnded = false
  #running: Running | undefined
  #timer: NodeJS.Timeout | undefined
  #count = 0
  /** Processor time of the process at its last message, ms. */
  #cpu = 0

  constructor({ heap, warm, nice }: ProcessOptions, events: ProcessEvents) {
    this.#events = events
    this.#loaded = new Set(warm.map(({ module }) => module.href))
    this.#child = fork(PROCESS, [String(process.pid), ...this.#loaded], {
      execArgv: [`--max-old-space-size=${heap}`, '--max-semi-space-size=16'],
      env: isolatedEnv(),
      serialization: 'advanced',
      stdio: 'ignore',
    })
    this.#child.on('message', message => this.#hear(message as ProcessMessage))
    // A death that the pool did not cause: V8 aborts beyond its heap, the system kills beyond its memory.
    this.#child.on('exit', () => this.#end('work.memory'))
    this.#child.on('error', () => this.#end('work.failed'))
    this.#watch(LOADING_MS, 'work.failed')
    try {
      if (nice > 0 && this.#child.pid !== undefined) setPriority(this.#child.pid, nice)
    } catch {
      // It has ended already, which `exit` reports.
    }
  }

  get isFree(): boolean {
    return this.#isReady && !this.hasEnded && this.#running === undefined
  }

  get isStarting(): boolean {
    return !this.#isReady && !this.hasEnded
  }

  /** Moment at which its job began; undefined when it has none. */
  get busySince(): number | undefined {
    return this.#running?.since
  }

  run(job: ProcessJob): void {
    this.#count += 1
    const id = this.#count
    const hasBegun = this.#loaded.has(job.kind.module.href)
    this.#running = { id, job, parts: 0, spent: 0, since: performance.now(), cpu: this.#cpu, hasBegun }
    const input = this.#packed(job)
    if (input === undefined) return
    const pieces = piecesOf(job.bytes)
    const message: JobMessage = {
      id,
      module: job.kind.module.href,
      job: job.kind.job ?? 'run',
      most: job.kind.answer,
      input,
      pieces: pieces.length,
    }
    this.#child.ref()
    this.#child.channel?.ref()
    if (hasBegun) this.#watchPart()
    else this.#watch(LOADING_MS, 'work.time')
    // `exit` reports a process that has ended.
    if (this.#child.connected) this.#child.send(message, () => this.#sendPiece(id, pieces, 0))
  }

  /** Sends each piece of a job's bytes when the one before it was written. */
  #sendPiece(id: number, pieces: readonly Uint8Array[], at: number): void {
    const bytes = pieces[at]
    if (bytes === undefined || this.#running?.id !== id || !this.#child.connected) return
    this.#child.send({ id, bytes } satisfies BytesMessage, () =>
      setImmediate(() => this.#sendPiece(id, pieces, at + 1)),
    )
  }

  /** Kills the process beyond the memory limit of its job. */
  checkMemory(): void {
    const memory = this.#running?.job.kind.memory
    if (memory === undefined || this.#child.pid === undefined) return
    if ((residentBytes(this.#child.pid) ?? 0) > memory * MIB) this.#end('work.memory')
  }

  /** Whether an idle process holds more than this many MiB. */
  holdsMoreThan(memory: number): boolean {
    return this.#child.pid !== undefined && (residentBytes(this.#child.pid) ?? 0) > memory * MIB
  }

  /** Kills the process; a running job ends with the code. */
  end(code: WorkCode = 'work.dropped'): void {
    this.#end(code)
  }

  /** Kills the process. Resolves once the system has ended it. */
  async leave(): Promise<void> {
    this.#end('work.dropped')
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.ref()
    await once(this.#child, 'exit')
  }

  #packed({ input, bytes: given, kind }: ProcessJob): Uint8Array | undefined {
    let bytes: Uint8Array
    try {
      bytes = serialize(input)
    } catch (error) {
      this.#settle({ code: 'work.failed', message: String(error), ms: 0 })
      return undefined
    }
    const size = given.reduce((sum, { length }) => sum + length, bytes.length)
    if (size <= kind.input) return bytes
    this.#settle({ code: 'work.size', ms: 0 })
    return undefined
  }

  #hear(message: ProcessMessage): void {
    if (this.hasEnded) return
    this.#cpu = message.cpu
    if ('ready' in message) {
      this.#isReady = true
      clearTimeout(this.#timer)
      this.#rest()
      this.#events.onReady()
      return
    }
    const running = this.#running
    if (running?.id !== message.id) return
    if ('loaded' in message) {
      this.#loaded.add(running.job.kind.module.href)
      this.#startPart(running)
      running.hasBegun = true
      this.#watchPart()
    } else if ('part' in message) {
      if (message.next) {
        running.parts += 1
        running.spent += message.ms
        this.#startPart(running)
        this.#watchPart()
      }
      running.job.onPart(deserialize(message.part))
    } else if ('answer' in message) this.#settle({ value: deserialize(message.answer), ms: running.spent + message.ms })
    else this.#settle({ code: message.failed, message: message.message, ms: running.spent + message.ms })
  }

  #startPart(running: Running): void {
    running.since = performance.now()
    running.cpu = this.#cpu
  }

  /** Working time of the present part, ms: without the time in which the process waited for a processor. */
  #worked({ since, cpu }: Running): number {
    const passed = performance.now() - since
    const used = this.#child.pid === undefined ? undefined : processorTimeOf(this.#child.pid)
    return used === undefined ? passed : Math.min(passed, Math.max(0, used - cpu))
  }

  #watchPart(): void {
    const running = this.#running
    if (running === undefined) return
    const left = running.job.ms - running.spent
    const limit = Math.max(1, Math.min(running.job.partMs[running.parts] ?? left, left))
    const end = () => {
      const rest = limit - this.#worked(running)
      if (rest > 0 && performance.now() - running.since < 2 * limit + STARVED_MS)
        this.#watch(Math.max(TICK, rest), 'work.time', end)
      else this.#end('work.time')
    }
    this.#watch(limit, 'work.time', end)
  }

  /** Ends the process after some ms. An answer that has arrived meanwhile is read first: timers run before sockets. */
  #watch(ms: number, code: WorkCode, end = () => this.#end(code)): void {
    clearTimeout(this.#timer)
    const part = `${this.#count} ${this.#running?.parts} ${this.#isReady}`
    const isSame = () => part === `${this.#count} ${this.#running?.parts} ${this.#isReady}`
    this.#timer = setTimeout(() => {
      setImmediate(() => {
        const isWaiting = this.#running !== undefined || !this.#isReady
        if (isWaiting && isSame()) end()
      })
    }, ms).unref()
  }

  /** An idle process does not keep this one alive. */
  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #settle(end: JobEnd): void {
    clearTimeout(this.#timer)
    this.#rest()
    const running = this.#running
    this.#running = undefined
    running?.job.settle(end)
  }

  #end(code: WorkCode): void {
    if (this.hasEnded) return
    this.hasEnded = true
    const running = this.#running
    const ms = running === undefined ? 0 : running.spent + (running.hasBegun ? this.#worked(running) : 0)
    this.#child.kill('SIGKILL')
    this.#settle({ code, ms })
    this.#events.onEnd()
  }
}
