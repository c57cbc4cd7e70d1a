import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import type { DoubleAnswer, DoubleCommands, DoubleRequest } from './double-process.ts'

const SCRIPT = join(import.meta.dirname, 'double-process.ts')

/** A double in a separate process. A test can stop, kill and restart it at the same address. */
export class RemoteDouble {
  readonly url: string
  readonly #options: string
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #child: ChildProcess | undefined
  #calls = 0

  private constructor(ports: readonly [number, number], folder: string) {
    const [port, secondPort] = ports
    this.url = `esdb://127.0.0.1:${port}?tls=false`
    this.#options = JSON.stringify({ folder, port, secondPort, isProxied: true })
  }

  static async start(folder: string): Promise<RemoteDouble> {
    const double = new RemoteDouble([await freePort(), await freePort()], folder)
    await double.start()
    return double
  }

  /** Of its process. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the double was never started')
    return this.#child.pid
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const child = fork(SCRIPT, [this.#options], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.#child = child
    const started = Promise.withResolvers<unknown>()
    this.#waiting.set(0, started)
    child.on('message', ({ call, value, error }: DoubleAnswer) => {
      const waiting = this.#waiting.get(call)
      this.#waiting.delete(call)
      if (error === undefined) waiting?.resolve(value)
      else waiting?.reject(new Error(error))
    })
    child.on('exit', code => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`The double ended with ${code}`))
      this.#waiting.clear()
    })
    await started.promise
  }

  /** Calls a command of the double. */
  call<Name extends keyof DoubleCommands>(
    name: Name,
    ...args: Parameters<DoubleCommands[Name]>
  ): Promise<ReturnType<DoubleCommands[Name]>> {
    const call = ++this.#calls
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(call, waiting)
    const request: DoubleRequest = { call, name, args }
    this.#child?.send(request)
    return waiting.promise as Promise<ReturnType<DoubleCommands[Name]>>
  }

  /** Suspends the whole process, answers to keepalive pings included. Resolves when it runs again. */
  async suspend(ms: number): Promise<void> {
    this.#child?.kill('SIGSTOP')
    await new Promise(resolve => setTimeout(resolve, ms))
    this.#child?.kill('SIGCONT')
  }

  /** Ends it as a crash does; `start` begins it again with the events that it acknowledged. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}
