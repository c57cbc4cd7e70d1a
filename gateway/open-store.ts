import { once } from 'node:events'
import { accessSync, constants, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { openKeys } from '#commands/keys/open-keys.ts'
import type { NodeKeys } from '#commands/keys/secret.ts'
import { lockFolder, prepareFolder } from '#commands/store/embedded/folder-lock.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { ConnectionEvents } from '#commands/store/eventstoredb/open-event-store-db.ts'
import { type EventStore, START, StoreUnavailable } from '#commands/store/port.ts'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import type { HintBus } from '#realtime/port.ts'
import { DEFAULT_LANGUAGE, languageOf } from '#schemas/language.ts'
import type { RefusalCode } from '#schemas/refusal.ts'
import type { Settings } from '#schemas/settings.ts'
import type { Metrics } from './metrics.ts'
import { problemOf } from './problem.ts'

/** Not imported: an ES import of that module loads an HTTP client along with it, 14 MB. */
const { createServer } = process.getBuiltinModule('node:http')

const LIVE = '/botadmin/api/health/live'
const HEADERS = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
  'retry-after': '5',
  connection: 'close',
}

/** Answers in the gateway's place until the store is there: alive, not ready, and 503 to everything else. */
const openPlaceholderServer = async ({ HOST, PORT }: Settings, code: RefusalCode): Promise<AsyncDisposable> => {
  const server = createServer((request, response) => {
    if (request.url === LIVE) return response.end('live\n')
    response
      .writeHead(503, HEADERS)
      .end(JSON.stringify(problemOf({ code }, languageOf(request.headers['accept-language']) ?? DEFAULT_LANGUAGE)))
  })
  server.listen(PORT, HOST)
  await once(server, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Place {
  readonly settings: Settings
  readonly folder: string
  /** One line for the operator. */
  readonly log: (line: string) => void
  readonly metrics: Pick<Metrics, 'replacements' | 'cuts'>
}

interface OpenedStore {
  readonly store: EventStore
  close(): Promise<void>
}

const RETRY_MS = 500

/** The store that the settings name; the folder, which holds the read models at least, is this process's alone. */
export const openStore = async (place: Place): Promise<OpenedStore> => {
  const { settings, folder, log } = place
  const url = settings.EVENTSTORE_URL
  await untilWritable(place)
  if (url === undefined) {
    const store = await openEmbeddedStore({ folder, log })
    return { store, close: () => store.close() }
  }
  prepareFolder(folder)
  const lock = lockFolder(folder)
  const store = await openServer(url, place)
  return {
    store,
    close: async () => {
      await store.close()
      lock.release()
    },
  }
}

/**
 * A folder in use whose disk is read-only is waited for: SQLite, once it has opened a file there, takes it for read-only
 * as long as the process lives.
 */
async function untilWritable({ settings, folder, log }: Place): Promise<void> {
  if (!isOnReadOnlyDisk(folder)) return
  log(`The folder ${folder} lies on a read-only disk; waiting until it can be written`)
  await using _place = await openPlaceholderServer(settings, 'store.readonly')
  while (isOnReadOnlyDisk(folder)) await pause(RETRY_MS)
}

/** False for one that holds nothing yet: it may not be the one that was meant. */
function isOnReadOnlyDisk(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    const isReadOnly = error instanceof Error && 'code' in error && error.code === 'EROFS'
    return isReadOnly && readdirSync(folder).length > 0
  }
}

/** Waits for a server that does not answer; callers receive that reason meanwhile. Its client is loaded only on use. */
async function openServer(url: string, { settings, log, metrics }: Place): Promise<EventStore> {
  const { openEventStoreDb } = await import('#commands/store/eventstoredb/open-event-store-db.ts')
  const on: ConnectionEvents = {
    replaced: () => metrics.replacements.inc(),
    cut: reason => metrics.cuts.inc({ reason }),
  }
  const open = () => openEventStoreDb({ url, on })
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    log(`${error.message}; waiting for it`)
  }
  await using _place = await openPlaceholderServer(settings, 'store.unavailable')
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await pause(RETRY_MS)
    }
  }
}

interface NodeKeysOptions {
  readonly settings: Settings
  readonly folder: string
  readonly store: EventStore
}

/**
 * The keys where their events are: beside the embedded store, or in the shared one.
 * @throws KeyRefused with one line
 */
export const openNodeKeys = async ({ settings, folder, store }: NodeKeysOptions): Promise<NodeKeys> => {
  const { EVENTSTORE_URL, PARLEY_KEY } = settings
  if (EVENTSTORE_URL === undefined || PARLEY_KEY === undefined)
    return openKeys({ folder, key: PARLEY_KEY, create: (await store.head()) === START })
  const { openSharedKeys } = await import('#commands/keys/open-shared-keys.ts')
  return openSharedKeys({ store, key: PARLEY_KEY, folder })
}

interface HintParts {
  readonly settings: Settings
  readonly log: FastifyBaseLogger
  readonly store: EventStore
  readonly keys: NodeKeys
  readonly metrics: Metrics
}

/** The way to the other nodes: over NATS with NATS_URL, whose client is loaded only then; else there are none. */
export const openHints = async ({ settings, log, store, keys, metrics }: HintParts): Promise<Hints> => {
  const isAlone = settings.NATS_URL === undefined
  const bus = isAlone ? new MemoryBus().join() : await natsBus({ settings, log, metrics })
  return new Hints({
    bus,
    store: store.id,
    key: keys.index.hmac(JSON.stringify(['hints between nodes'])),
    on: {
      sent: () => metrics.hints.inc({ outcome: 'sent' }),
      received: () => metrics.hints.inc({ outcome: 'received' }),
      dropped: why => metrics.hints.inc({ outcome: why }),
    },
  })
}

async function natsBus({ settings, log, metrics }: Pick<HintParts, 'settings' | 'log' | 'metrics'>): Promise<HintBus> {
  const { openNatsBus } = await import('#realtime/cluster/nats-bus.ts')
  const bus = openNatsBus({
    settings,
    name: `parley ${settings.INSTANCE_NAME}`,
    lost: reason => log.warn({ reason }, 'NATS is away: nodes hear of each other from the store alone'),
    found: () => log.info('NATS is there again'),
  })
  metrics.observe('parley_nats_connected', 'Whether this node is connected to NATS', () => Number(bus.connected))
  return bus
}
