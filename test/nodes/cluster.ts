import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { vi } from 'vitest'
import type { Client, Parley, ParleyProcess } from '#test/api/harness.ts'
import type { EventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { type NatsServer, startNatsServer } from '#test/doubles/nats-server.ts'

process.env.PARLEY_TEST_STORE = 'eventstoredb'
const { discard, startParley } = await import('#test/api/harness.ts')
const { openParley } = await import('#test/api/open-parley.ts')
const { doubleOf } = await import('#test/api/store-behind.ts')

export interface Node<P extends Parley = ParleyProcess> {
  readonly parley: P
  /** Its log so far. */
  errors(): string
  /** Signed in as admin there. */
  readonly admin: Client
}

/** Three gateways on one store, joined by a real nats-server. */
export interface Cluster<P extends Parley = ParleyProcess, L extends Parley = P> {
  readonly nodes: readonly [Node<P>, Node<P>, Node<L>]
  readonly store: EventStoreDouble
  readonly nats: NatsServer
  /** One more node. */
  join(env?: Record<string, string>): Promise<Node<P>>
  close(): Promise<void>
}

interface Given {
  readonly folder?: string
  readonly env?: Record<string, string>
  readonly launched?: (child: ChildProcess) => void
}

/** `env`: of all of them. */
export const startCluster = (env: Record<string, string> = {}): Promise<Cluster> =>
  clusterOf(env, startParley, startParley)

/** For tests that kill none of them: they share a process, which starts in a third of the time. */
export const openCluster = (): Promise<Cluster<Parley>> => clusterOf({}, openParley, openParley)

/** For tests that stop or kill the third one alone: the first two share a process. */
export const openClusterWithProcess = (): Promise<Cluster<Parley, ParleyProcess>> =>
  clusterOf({ DRAIN_SECONDS: '0' }, openParley, startParley)

const clusterOf = async <P extends Parley, L extends Parley>(
  env: Record<string, string>,
  open: (given: Given) => Promise<P>,
  openLast: (given: Given) => Promise<L>,
): Promise<Cluster<P, L>> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-nodes-'))
  const [store, nats] = await Promise.all([doubleOf(folder), startNatsServer()])
  const STORAGE_URL = pathToFileURL(join(folder, 'shared')).href
  const started: Parley[] = []
  const begin = async <N extends Parley>(
    start: (given: Given) => Promise<N>,
    given: Omit<Given, 'launched'>,
  ): Promise<Node<N>> => {
    let errors = ''
    const parley = await start({
      ...given,
      env: { EVENTSTORE_URL: store.url, NATS_URL: nats.url, STORAGE_URL, SINGLE_NODE: 'off', ...env, ...given.env },
      launched: child => {
        child.stderr?.on('data', chunk => {
          errors += chunk
        })
      },
    })
    started.push(parley)
    return { parley, admin: await parley.signIn(), errors: () => errors }
  }
  const first = await begin(open, { folder })
  const [second, third] = await Promise.all([begin(open, {}), begin(openLast, {})])
  return {
    nodes: [first, second, third],
    store,
    nats,
    join: more => begin(open, more === undefined ? {} : { env: more }),
    async close() {
      for (const parley of started.toReversed()) await discard(parley)
      await nats.stop()
    },
  }
}

/** A figure of a node's metrics, its labels included in the name. */
export const figure = async ({ parley }: Node<Parley>, name: string): Promise<number> => {
  const { text } = await parley.anyone.get('/metrics')
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  return line === undefined ? Number.NaN : Number(line.slice(name.length + 1))
}

/** Resolves when every node is connected to NATS, or none is. */
export const reaching = async (nodes: readonly Node<Parley>[], isConnected: boolean): Promise<void> => {
  await vi.waitFor(
    async () => {
      const connected = await Promise.all(nodes.map(node => figure(node, 'parley_nats_connected')))
      if (connected.some(figure => figure !== Number(isConnected))) throw new Error(`NATS: ${connected}`)
    },
    { timeout: 15_000, interval: 20 },
  )
}
