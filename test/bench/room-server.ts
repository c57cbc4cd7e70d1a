import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { discard, startParley } from '../api/harness.ts'

/** One room of a server, and what its protocol has around y-websocket's messages. */
export interface RoomServer {
  readonly url: string
  readonly pid: number
  readonly headers?: Record<string, string>
  /** Before every message, both ways. */
  readonly prefix?: Uint8Array
  /** Said first, without the prefix. */
  readonly greeting?: Uint8Array
  stop(): Promise<void>
}

const inProcess = async (file: string): Promise<RoomServer> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(String(data).trim()))
    child.once('exit', () => reject(new Error(`${file} did not start`)))
  })
  return {
    url: `ws://127.0.0.1:${port}/bench`,
    pid: child.pid ?? 0,
    stop: () => {
      child.kill()
      return ended
    },
  }
}

const ROOM = Buffer.from('\u0005bench')
/** Authentication, with a token, which every connection of Hocuspocus begins with. */
const TOKEN = Buffer.concat([ROOM, Buffer.from([2, 0, 1, 0x78])])

export const bareRelay = () => inProcess('./bare-relay.ts')
export const yWebsocket = () => inProcess('./rival/y-websocket.ts')
export const hocuspocus = async (): Promise<RoomServer> => ({
  ...(await inProcess('./rival/hocuspocus.ts')),
  prefix: ROOM,
  greeting: TOKEN,
})

export const parley = async (): Promise<RoomServer> => {
  const started = await startParley({ env: { PARLEY_SAMPLE: 'off', LOG_LEVEL: 'warn' } })
  const client = await started.signIn()
  const { dialog } = await client.createDialog({ name: 'Bench' }, 'Bench', 'Bench')
  return {
    url: `${started.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?acks=1`,
    pid: started.pid,
    headers: { authorization: `Bearer ${client.token}` },
    stop: () => discard(started),
  }
}
