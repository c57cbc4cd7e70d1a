import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { discard, startParley } from '../api/harness.ts'
import { startNatsServer } from '../doubles/nats-server.ts'
import { driveCluster, type Load, type Measured, type Node } from './drive-cluster.ts'
import { type Figure, quantile, rounded } from './figure.ts'
import { processorTime } from './processor-time.ts'

const NODES = 3
const LOAD = { rooms: 30, editors: 300 }
/** Of the run with one node, at most. */
const ONE_NODE_S = 60
const MOST = 1.5
const KEY = Buffer.alloc(32, 7).toString('base64')

interface Store {
  readonly url: string
  /** Of the double alone: a server's own work is not seen from here. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

/** An empty server that the caller names, otherwise the double in a separate process. */
const openStore = async (): Promise<Store> => {
  const given = process.env.EVENTSTORE_URL
  if (given !== undefined) return { url: given, pid: undefined, stop: async () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const child = spawn(process.execPath, [fileURLToPath(new URL('./double-process.ts', import.meta.url)), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(String(data).trim()))
    child.once('exit', () => reject(new Error('The double did not start')))
  })
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface ClusterRun extends Measured {
  /** Processor time of the store, ms. */
  readonly ofStore: number
}

/** Gateways on one empty store, joined by a real nats-server, all of them and the load on this machine. */
const runNodes = async (count: number, load: Load): Promise<ClusterRun> => {
  await using open = new AsyncDisposableStack()
  const store = await openStore()
  open.defer(() => store.stop())
  const nats = await startNatsServer()
  open.defer(() => nats.stop())
  const env = { EVENTSTORE_URL: store.url, NATS_URL: nats.url, PARLEY_KEY: KEY, SINGLE_NODE: 'on' }
  const nodes: Node[] = []
  while (nodes.length < count) {
    const parley = await startParley({ env })
    open.defer(() => discard(parley))
    nodes.push({ parley, client: await parley.signIn() })
  }
  const ofStore = () => (store.pid === undefined ? Number.NaN : processorTime(store.pid))
  const before = ofStore()
  const run = await driveCluster(nodes, load)
  return { ...run, ofStore: ofStore() - before }
}

/** P9: three gateways, and with the double one of them under the same load. */
export const cluster = async (given: Pick<Load, 'commands' | 'edits' | 'seconds'>): Promise<readonly Figure[]> => {
  const load = { ...LOAD, ...given }
  const three = await runNodes(NODES, load)
  const figures = figuresOf(three, load)
  if (process.env.EVENTSTORE_URL !== undefined) return figures
  const one = await runNodes(1, { ...load, seconds: Math.min(load.seconds, ONE_NODE_S) })
  const each = [three, one].map(({ cpu, given }) => cpu / given)
  const ratio = (each[0] ?? Number.NaN) / NODES / (each[1] ?? Number.NaN)
  return [
    ...figures,
    {
      id: 'P9',
      what: `… processor time of each of ${NODES} nodes for a command or an edit, of one node under the same load`,
      measured: `${rounded(ratio, 2)}×`,
      target: `≤ ${MOST}×`,
      met: ratio <= MOST,
      detail: { ratio: rounded(ratio, 3) },
    },
  ]
}

const figuresOf = (run: ClusterRun, load: Load): readonly Figure[] => {
  const isDouble = !Number.isNaN(run.ofStore)
  const behind = isDouble ? 'the double of EventStoreDB' : 'a server of EventStoreDB'
  const rate = rounded(run.given / run.seconds, 0)
  const detail = { seconds: rounded(run.seconds), failed: run.failed }
  const failures = [...run.failures].map(([what, count]) => `${count}: ${what}`).join('; ')
  const times = (what: string, values: readonly number[]): Figure => ({
    id: 'P9',
    what,
    measured: `${rounded(quantile(values, 0.99))} ms (p50 ${rounded(quantile(values, 0.5))} ms, ${values.length} times)`,
    target: '–',
    met: null,
    detail: { p50: rounded(quantile(values, 0.5)), p99: rounded(quantile(values, 0.99)), times: values.length },
  })
  const each = run.cpu / run.given
  return [
    {
      id: 'P9',
      what: `${NODES} nodes on ${behind}, ${load.editors} editors in ${load.rooms} rooms, ${load.commands} commands and ${load.edits} edits a second for ${load.seconds} s: what came through`,
      measured: `${rate} a second, ${run.failed} failed${failures === '' ? '' : ` (${failures})`}`,
      target: 'all of it, none failed',
      met: run.failed === 0 && run.seconds < load.seconds * 1.02 + 1,
      detail,
    },
    times('… a command over HTTP, durable and shown on its node: p99', run.commands),
    times('… from its answer until another node shows it: p99', run.elsewhere),
    times('… an edit, until others on the same node have it: p99', run.nearby),
    times('… an edit, until others on another node have it: p99', run.across),
    {
      id: 'P9',
      what: '… processor time of all nodes for a command or an edit, every node showing each',
      measured: `${rounded(each, 2)} ms${isDouble ? `, and ${rounded(run.ofStore / run.given, 2)} ms of the double's` : ''}`,
      target: '–',
      met: null,
      detail: { each: rounded(each, 3) },
    },
  ]
}
