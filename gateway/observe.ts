import type { FastifyBaseLogger } from 'fastify'
import type { OpenRooms } from '#realtime/rooms.ts'
import type { Metrics } from './metrics.ts'
import type { Parts } from './port.ts'

/** Figures that are asked for when they are read. */
export function observe({ metrics, read, readiness, store }: Parts, rooms: OpenRooms): void {
  // Asked of the log itself: what a node was told of says nothing of what it was not told of.
  const lag = async () => {
    const { position, behind } = read.status()
    return Math.max(behind, await store.countAfter(position).catch(() => behind))
  }
  metrics.observe('parley_projection_lag_events', 'Events not yet shown by the read models, about', lag)
  metrics.observe('parley_failing_followers', 'Parts of this node that fail to read the log', () => readiness.failing())
  metrics.observe('parley_rooms', 'Open flow rooms', () => rooms.count)
  metrics.observe('parley_room_connections', 'Members in all flow rooms', () => rooms.connections)
}

/** What rooms tell of themselves, as figures and log lines. */
export function roomFigures({ stored, deliveries, rejectedFrames, gaps }: Metrics, log: FastifyBaseLogger) {
  return {
    stored: (milliseconds: number) => stored.observe(milliseconds / 1000),
    relayed: (count: number) => deliveries.inc(count),
    gap: () => gaps.inc(),
    // The reason may name what a client sent: it is for the log, not for figures that anyone may read.
    rejected: (flow: string, reason: string, error?: unknown) => {
      rejectedFrames.inc()
      if (error === undefined) log.warn({ flow, reason }, 'a room refused a message')
      else log.error({ flow, reason, err: error }, 'a room could not handle a message')
    },
  }
}
