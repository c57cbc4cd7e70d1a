import type { FastifyBaseLogger } from 'fastify'
import type { Follower } from '#commands/store/follow.ts'
import type { OpenRooms } from '#realtime/rooms.ts'
import type { LazyConversations } from '#runtime/conversation/compose-conversations.ts'
import type { Meters } from '#runtime/parts.ts'
import type { Metrics } from './metrics.ts'
import type { Parts } from './port.ts'

/** Metrics computed when they are read. */
export function registerGauges(
  { metrics, read, readiness, store }: Parts,
  rooms: OpenRooms,
  conversations: Pick<LazyConversations, 'inboxAge'>,
): void {
  // Read from the log itself: a node's received hints do not show the missed ones.
  const lag = async () => {
    const { position, behind } = read.status()
    return Math.max(behind, await store.countAfter(position).catch(() => behind))
  }
  metrics.observe('parley_projection_lag_events', 'Events not yet shown by the read models, about', lag)
  const failing = () => readiness.followers().filter(({ isFailing }) => isFailing).length
  metrics.observe('parley_failing_followers', 'Parts of this node that fail to read the log', failing)
  const seconds = (of: (follower: Follower) => number) => () =>
    readiness.followers().map(follower => [follower.name, of(follower) / 1000] as const)
  const age = 'Seconds for which a part of this node has failed to read the log, or has handled one event'
  metrics.observeEach(
    'parley_follower_age_seconds',
    age,
    'follower',
    seconds(follower => follower.age()),
  )
  const behind = 'Seconds from the event that a part of this node reads until now'
  metrics.observeEach(
    'parley_follower_lag_seconds',
    behind,
    'follower',
    seconds(follower => follower.lag()),
  )
  const inbox = 'Seconds since the oldest input of a conversation without an answer, as far as this node knows'
  metrics.observe('parley_inbox_age_seconds', inbox, async () => (await conversations.inboxAge()) / 1000)
  metrics.observe('parley_rooms', 'Open flow rooms', () => rooms.count)
  metrics.observe('parley_room_connections', 'Members in all flow rooms', () => rooms.connections)
}

export const metersOf = ({ turns, takeOvers }: Metrics): Meters => ({
  turned: result => turns.inc({ result }),
  tookOver: work => takeOvers.inc({ work }),
})

/** Metrics and log lines of rooms. */
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
