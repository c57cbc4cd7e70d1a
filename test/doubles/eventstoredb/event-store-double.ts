import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import { appendService } from './append-service.ts'
import type { DoubleParts } from './double-parts.ts'
import { Faults } from './fault.ts'
import { features, featuresService, streamsService } from './protocol.ts'
import { readService } from './read-service.ts'
import { ServerLog } from './server-log.ts'

/**
 * Test code only: the wire protocol of EventStoreDB over the embedded store, from the client's own protocol
 * definitions. It shows how the adapter behaves, faults included, and says nothing about the real store's speed,
 * durability or clustering: figures measured on it are not the store's.
 */
export interface EventStoreDouble {
  readonly url: string
  readonly faults: Faults
  /** Cuts every connection, forgets what a server forgets, and listens again at the same address. */
  restart(): Promise<void>
  /** Away until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  /** The other node becomes the leader: the old one refuses calls with its address, and it is silent for `silenceMs`. */
  changeLeader(silenceMs: number): void
  /** Open connections stay open and carry nothing any more; new ones work. */
  halfOpen(): void
}

export interface DoubleOptions {
  /** Of its events; existing ones are served again. */
  readonly folder: string
  /** Default: a free one. */
  readonly port?: number
  /** Port of a second node, for `changeLeader`. */
  readonly secondPort?: number
  /** Connections pass through a proxy, for `halfOpen`. */
  readonly isProxied?: boolean
  /** Without it every append is a separate call, as with servers before 21.10. */
  readonly hasBatchAppend?: boolean
}

const MAX_RECEIVED_BYTES = 17 * 1024 * 1024

/** A node of the double. Both nodes serve the same log. */
interface DoubleNode {
  readonly server: Server
  readonly proxy: TcpProxy | undefined
  /** Advertised to clients. */
  readonly port: number
}

export const startEventStoreDouble = async (options: DoubleOptions): Promise<EventStoreDouble> => {
  const { folder, hasBatchAppend = true, secondPort } = options
  const faults = new Faults()
  const ports = [options.port ?? 0, ...(secondPort === undefined ? [] : [secondPort])]
  let nodes: readonly DoubleNode[] = []
  let leader = 0
  let store: EventStore | undefined
  let log: ServerLog | undefined

  const startNode = async (place: number): Promise<DoubleNode> => {
    const parts: DoubleParts = {
      faults,
      isLeader: () => place === leader,
      leaderPort: () => ports[leader] ?? 0,
      log: () => {
        if (log === undefined) throw new Error('The double is stopped')
        return log
      },
    }
    const server = new Server({ 'grpc.max_receive_message_length': MAX_RECEIVED_BYTES })
    add(server, streamsService.StreamsService, { ...appendService(parts), ...readService(parts) })
    add(server, featuresService.ServerFeaturesService, featureService(hasBatchAppend))
    const port = ports[place] ?? 0
    if (options.isProxied !== true) return { server, proxy: undefined, port: await bind(server, port) }
    const behind = await bind(server, 0)
    const proxy = await startTcpProxy(port, () => behind)
    return { server, proxy, port: proxy.port }
  }
  const start = async () => {
    store = await openEmbeddedStore({ folder })
    log = new ServerLog(store)
    nodes = await Promise.all(ports.map((_, place) => startNode(place)))
    for (const [place, { port }] of nodes.entries()) ports[place] = port
  }
  const stop = async () => {
    faults.thaw()
    for (const { server, proxy } of nodes) {
      server.forceShutdown()
      await proxy?.close()
    }
    await store?.close()
    store = undefined
    nodes = []
  }
  await start()
  return {
    url: `esdb://127.0.0.1:${ports[0]}?tls=false`,
    faults,
    start,
    stop,
    restart: async () => {
      await stop()
      await start()
    },
    changeLeader(silenceMs) {
      if (nodes.length < 2) throw new Error('A double without a second node has one leader')
      leader = 1 - leader
      faults.freeze(silenceMs)
    },
    halfOpen() {
      for (const { proxy } of nodes) {
        if (proxy === undefined) throw new Error('Connections of this double pass through no proxy')
        proxy.halfOpen()
      }
    },
  }
}

function add(server: Server, service: unknown, handlers: object): void {
  server.addService(service as ServiceDefinition, handlers as UntypedServiceImplementation)
}

function featureService(hasBatchAppend: boolean) {
  const names = ['Read', 'Append', 'Delete', 'Tombstone', ...(hasBatchAppend ? ['BatchAppend'] : [])]
  return {
    getSupportedMethods: (_call: unknown, answer: (error: null, response: unknown) => void) => {
      const supported = new features.SupportedMethods().setEventStoreServerVersion('23.10.0')
      for (const name of names) {
        const method = new features.SupportedMethod().setServiceName('event_store.client.streams.Streams')
        supported.addMethods(method.setMethodName(name.toLowerCase()))
      }
      answer(null, supported)
    },
  }
}

async function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error)
      else resolve(bound)
    })
  })
}
