import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { Limits } from '#gateway/start-gateway.ts'
import type { Piece } from '#test/fixture/thread-pieces.ts'
import { WIDE_LIMITS } from '#test/fixture/wide-limits.ts'
import type { HostAnswer, HostRequest } from './gateway-host.ts'
import { ADMIN_PASSWORD, type Client, clientOf, NODE, type Parley, signInAt, withinStart } from './harness.ts'
import { dropStore, storeOf } from './store-behind.ts'

/** Whether the present test file belongs to the API suite: others do extreme things to a gateway. */
const isOfApi = (): boolean => expect.getState().testPath?.includes('/test/api/') === true

/** File to which long pieces of work are written, instead of failing for them. */
const RECORD = process.env.PARLEY_PIECES

const HOST = join(import.meta.dirname, 'gateway-host.ts')

/** One process of gateways for each process of tests; it ends with its parent. */
class GatewayHost {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, PromiseWithResolvers<HostAnswer>>()
  #calls = 0
  #log = ''

  constructor() {
    const { PATH = '', TMPDIR, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, ...(TMPDIR && { TMPDIR }), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
    const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'ignore', 'pipe', 'ipc']
    this.#process = fork(HOST, { execPath: NODE, execArgv: ['--max-semi-space-size=32'], env, stdio })
    this.#process.stderr?.on('data', chunk => {
      this.#log += chunk
    })
    this.#process.on('message', (answer: HostAnswer) => {
      const waiting = this.#waiting.get(answer.call)
      this.#waiting.delete(answer.call)
      if (answer.error === undefined) waiting?.resolve(answer)
      else waiting?.reject(new Error(answer.error))
    })
    this.#process.on('exit', code => {
      if (host === this) host = undefined
      const error = new Error(`The gateways' process ended with ${code}: ${this.#log.slice(-10_000)}`)
      for (const { reject } of this.#waiting.values()) reject(error)
    })
    // A test process that has nothing left to do may end.
    this.#process.unref()
    this.#process.channel?.unref()
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  get isOpen(): boolean {
    return this.#process.connected
  }

  /** Standard error so far: the log of its gateways. */
  get log(): string {
    return this.#log
  }

  async pieces(longest: number): Promise<readonly Piece[]> {
    return (await this.#ask({ pieces: longest })).pieces ?? []
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }

  async open(
    env: Readonly<Record<string, string>>,
    limits: Limits,
  ): Promise<{ readonly number: number; readonly url: string }> {
    const { call, url = '' } = await this.#ask({ open: env, limits })
    return { number: call, url }
  }

  async close(number: number): Promise<void> {
    if (!this.isOpen) return
    const { pieces = [] } = await this.#ask({ close: number })
    if (RECORD !== undefined) for (const piece of pieces) appendFileSync(RECORD, `${JSON.stringify(piece)}\n`)
    else if (pieces.length > 0 && isOfApi())
      throw new Error(`The main thread of the gateway was held: ${JSON.stringify(pieces)}`)
  }

  async #ask(
    request: { open: Readonly<Record<string, string>>; limits: Limits } | { close: number } | { pieces: number },
  ): Promise<HostAnswer> {
    const waiting = Promise.withResolvers<HostAnswer>()
    const call = ++this.#calls
    this.#waiting.set(call, waiting)
    const message: HostRequest = { call, ...request }
    this.#process.send(message)
    return waiting.promise
  }
}

let host: GatewayHost | undefined

/** A gateway in the process of gateways. */
export interface HostedParley extends Parley {
  /** Of the process of gateways. */
  readonly pid: number
  /** The log since it was opened. Other gateways of this test file write to it too. */
  log(): string
  /** Pieces of work of its main thread that took more than some ms, since the last call. */
  pieces(longest: number): Promise<readonly Piece[]>
  /** Closes the gateway and keeps its folder. */
  stop(): Promise<void>
  /** Ends the process of gateways as `kill -9` does. The next gateway opens in another one. */
  kill(): Promise<void>
}

export interface ParleyOptions {
  readonly env?: Record<string, string>
  readonly limits?: Limits
  /** Of a gateway that was stopped or killed; otherwise an empty one. */
  readonly folder?: string
}

/**
 * A gateway within a process that has run others before: a third of the cost of `startParley`. For tests that do not
 * look at its process.
 */
export const openParley = async (given: ParleyOptions = {}): Promise<HostedParley> => {
  if (host?.isOpen !== true) host = new GatewayHost()
  const chosen = host
  const before = chosen.log.length
  const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'parley-api-'))
  const env = {
    PORT: '0',
    PARLEY_SAMPLE: 'off',
    PARLEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
    LOG_LEVEL: 'silent',
    ...WIDE_LIMITS,
    PARLEY_DATA: folder,
    ...(await storeOf(folder)),
    ...given.env,
  }
  const { number, url } = await withinStart(chosen.open(env, given.limits ?? {}))
  const { origin } = new URL(url)
  return {
    origin,
    folder,
    pid: chosen.pid,
    anyone: clientOf(origin, ''),
    signIn: (username, password) => signInAt(origin, username, password),
    log: () => chosen.log.slice(before),
    pieces: longest => chosen.pieces(longest),
    stop: () => chosen.close(number),
    kill: () => chosen.kill(),
    async close() {
      await chosen.close(number)
      await dropStore(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A gateway of `openParley` for a test file or a group of its tests, and its administrator; it closes when they end. */
export const openAdmin = async (
  given: ParleyOptions = {},
): Promise<{ readonly parley: HostedParley; readonly admin: Client }> => {
  const parley = await openParley(given)
  afterAll(() => parley.close())
  return { parley, admin: await parley.signIn() }
}
