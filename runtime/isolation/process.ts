import { flushCompileCache } from 'node:module'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import {
  type BytesMessage,
  type JobMessage,
  type JobSteps,
  type ProcessMessage,
  type ProcessReport,
  processorTime,
  type Run,
  workingTime,
} from './work.ts'

type JobModule = { readonly warm?: () => Promise<unknown> } & Readonly<Record<string, Run>>

const modules = new Map<string, Promise<JobModule>>()

const load = (address: string): Promise<JobModule> => {
  const known = modules.get(address)
  if (known !== undefined) return known
  const loading = import(address).then(async (found: JobModule) => {
    await found.warm?.()
    return found
  })
  modules.set(address, loading)
  return loading
}

const send = (report: ProcessReport): void =>
  void process.send?.({ ...report, cpu: processorTime() } satisfies ProcessMessage)

class TooLarge extends Error {}

const perform = async (module: JobModule, { id, job, most, input }: JobMessage, bytes: Uint8Array[]): Promise<void> => {
  let ms = workingTime()
  const packed = (value: unknown): Uint8Array => {
    const bytes = serialize(value)
    if (bytes.length > most) throw new TooLarge()
    return bytes
  }
  const steps: JobSteps<unknown> = {
    bytes,
    next(part) {
      send({ id, part: packed(part), ms: ms(), next: true })
      ms = workingTime()
    },
    tell: part => send({ id, part: packed(part), ms: ms(), next: false }),
  }
  try {
    const value = await module[job]?.(deserialize(input), steps)
    send({ id, answer: packed(value), ms: ms() })
  } catch (error) {
    const failed = error instanceof TooLarge ? 'work.size' : 'work.failed'
    send({ id, failed, message: String(error).slice(0, 1000), ms: ms() })
  }
}

const end = (): void => void process.kill(process.pid, 'SIGKILL')

const started = async (message: JobMessage, bytes: Uint8Array[]): Promise<void> => {
  const isLoaded = modules.has(message.module)
  const module = await load(message.module)
  if (!isLoaded) send({ id: message.id, loaded: true })
  await perform(module, message, bytes)
}

/** The job whose bytes arrive. */
let arriving: { readonly message: JobMessage; readonly bytes: Uint8Array[] } | undefined

process.on('message', async (message: JobMessage | BytesMessage) => {
  if ('module' in message) arriving = { message, bytes: [] }
  else arriving?.bytes.push(message.bytes)
  if (arriving === undefined || arriving.bytes.length < arriving.message.pieces) return
  const { message: job, bytes } = arriving
  arriving = undefined
  await started(job, bytes)
})
process.on('disconnect', end)
process.on('uncaughtException', end)
process.on('unhandledRejection', end)

const [parent = '', ...warm] = process.argv.slice(2)
// The main thread may be in an endless job when the gateway dies.
new Worker(new URL('./watch-parent.ts', import.meta.url), { workerData: Number(parent), env: {} }).unref()
await Promise.all(warm.map(load))
send({ ready: true })
// Written at an exit, which processes that are killed never have.
flushCompileCache()
