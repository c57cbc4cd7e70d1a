import type { FastifyBaseLogger } from 'fastify'
import type { NodeKeys } from '#commands/keys/secret.ts'
import type { EventStore } from '#commands/store/port.ts'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import type { HintBus } from '#realtime/port.ts'
import type { Settings } from '#schemas/settings.ts'
import type { Metrics } from './metrics.ts'

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
