import { flushCompileCache } from 'node:module'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { JobMessage, ProcessMessage } from './messages.ts'
import type { JobSteps, Run } from './work.ts'

interface JobModule {
  readonly run: Run
  readonly warm?: () => Promise<unknown>
}

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

const send = (message: ProcessMessage): void => void process.send?.(message)

class TooLarge extends Error {}

const perform = async ({ run }: JobModule, { id, most, input }: JobMessage): Promise<void> => {
  let began = performance.now()
  const ms = () => performance.now() - began
  const packed = (value: unknown): Uint8Array => {
    const bytes = serialize(value)
    if (bytes.length > most) throw new TooLarge()
    return bytes
  }
  const steps: JobSteps<unknown> = {
    next(part) {
      send({ id, part: packed(part), ms: ms(), next: true })
      began = performance.now()
    },
    tell: part => send({ id, part: packed(part), ms: ms(), next: false }),
  }
  try {
    const value = await run(deserialize(input), steps)
    send({ id, answer: packed(value), ms: ms() })
  } catch (error) {
    const failed = error instanceof TooLarge ? 'work.size' : 'work.failed'
    send({ id, failed, message: String(error).slice(0, 1000), ms: ms() })
  }
}

const end = (): void => void process.kill(process.pid, 'SIGKILL')

process.on('message', async (message: JobMessage) => {
  const isLoaded = modules.has(message.module)
  const module = await load(message.module)
  if (!isLoaded) send({ id: message.id, loaded: true })
  await perform(module, message)
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
