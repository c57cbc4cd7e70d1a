import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { appendService } from './append-service.ts'
import { Faults } from './fault.ts'
import { features, featuresService, streamsService } from './protocol.ts'
import { readService } from './read-service.ts'
import { ServerLog } from './server-log.ts'

/**
 * Test code only: what a client of EventStoreDB sees on the wire, made from the client's own protocol definitions over
 * the embedded store. It shows how the adapter behaves, faults included, and says nothing about the real store's speed,
 * durability or clustering: no figure that is measured on it is the store's.
 */
export interface EventStoreDouble {
  readonly url: string
  readonly faults: Faults
  /** Cuts every connection, forgets what a server forgets, and listens again at the same address. */
  restart(): Promise<void>
  /** Away until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
}

export interface DoubleOptions {
  /** Of its events; what is there already is served again. */
  readonly folder: string
  /** Default: a free one. */
  readonly port?: number
  /** Without it every append is a call of its own, as with servers before 21.10. */
  readonly hasBatchAppend?: boolean
}

const MAX_RECEIVED_BYTES = 17 * 1024 * 1024

export const startEventStoreDouble = async (options: DoubleOptions): Promise<EventStoreDouble> => {
  const { folder, hasBatchAppend = true } = options
  const faults = new Faults()
  let port = options.port ?? 0
  let store: EventStore | undefined
  let server: Server | undefined
  let log: ServerLog | undefined

  const parts = {
    faults,
    port: () => port,
    log: () => {
      if (log === undefined) throw new Error('The double is stopped')
      return log
    },
  }
  const start = async () => {
    store = await openEmbeddedStore({ folder })
    log = new ServerLog(store)
    server = new Server({ 'grpc.max_receive_message_length': MAX_RECEIVED_BYTES })
    add(server, streamsService.StreamsService, { ...appendService(parts), ...readService(parts) })
    add(server, featuresService.ServerFeaturesService, featureService(hasBatchAppend))
    port = await bind(server, port)
  }
  const stop = async () => {
    faults.thaw()
    server?.forceShutdown()
    await store?.close()
    store = undefined
    server = undefined
  }
  await start()
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    faults,
    start,
    stop,
    restart: async () => {
      await stop()
      await start()
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
