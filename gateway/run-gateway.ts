import v8 from 'node:v8'
import vm from 'node:vm'
import type { Settings } from '#schemas/settings.ts'
import { readGatewaySettings } from './settings.ts'
import type { Gateway } from './start-gateway.ts'

/** A second signal, or a drain that takes longer than this, ends the process at once. */
const DRAIN_MS = 25_000

/** The gateway as a process: its output, its signals, and its exit code. */
export const runGateway = async (): Promise<void> => {
  let gateway: Gateway
  let level: Settings['LOG_LEVEL'] | undefined
  try {
    const settings = readGatewaySettings(process.env)
    level = settings.LOG_LEVEL
    // Loaded only now: a wrong setting is reported at once.
    const [{ startGateway }, { openLog }] = await Promise.all([import('./start-gateway.ts'), import('./log.ts')])
    gateway = await startGateway(settings, openLog(settings.LOG_LEVEL))
  } catch (error) {
    // Prints a failed start as one line, and the stack only at debug level.
    process.stderr.write(`${lineOf(error)}\n`)
    if (level === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  }
  collectGarbage()
  if (gateway.adminPassword !== undefined)
    process.stdout.write(`The password of admin is ${gateway.adminPassword} (told only this once)\n`)
  process.stdout.write(`Parley is ready at ${gateway.url}\n`)

  const stop = () => {
    process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(1))
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    gateway.close().then(
      () => process.exit(0),
      error => {
        process.stderr.write(`${lineOf(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
}

/** Collects the garbage of the start: 0.05 s, once, before requests arrive. V8 frees the rest while the node is idle. */
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc')
  const collect: (options: { readonly type: 'major' }) => void = vm.runInNewContext('gc')
  collect({ type: 'major' })
}

function lineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
