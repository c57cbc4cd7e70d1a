import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Debian's folder for it, which is on the PATH of root only. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** A real nats-server, which a test may pull the plug of. */
export interface NatsServer {
  readonly url: string
  /** Away at once, as when its machine loses power. */
  stop(): Promise<void>
  /** At the same address as before. */
  start(): Promise<void>
  /** Connections stay open and nothing is answered, until `thaw`. */
  freeze(): void
  thaw(): void
}

/** `config`: a configuration file. */
export const startNatsServer = async (config?: string): Promise<NatsServer> => {
  const port = await freePort()
  const more = config === undefined ? [] : ['--config', config]
  let child: ChildProcess | undefined

  const start = async () => {
    const started = spawn('nats-server', ['--addr', '127.0.0.1', '--port', String(port), ...more], {
      env: { PATH },
      stdio: 'ignore',
    })
    child = started
    const failed = once(started, 'error').then(([error]) => {
      throw new Error(`nats-server cannot be run, install Debian's nats-server: ${error.message}`)
    })
    await Promise.race([failed, answering(port)])
  }

  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}

const answering = async (port: number): Promise<void> => {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await pause(20)
    } finally {
      socket.destroy()
    }
  }
}
