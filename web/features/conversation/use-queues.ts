import { useQueries, useQuery } from '@tanstack/react-query'
import { useSession } from '#web/api/session.ts'
import { readAll } from '#web/entity/read-all.ts'
import { queueQuery } from '#web/features/agentchannel/index.ts'

/** Waiting people and open chats of one agent channel. */
export interface ChannelQueue {
  readonly channel: string
  readonly name: string
  /** Parley's own desk. */
  readonly isDesk: boolean
  readonly waiting: number
  readonly talking: number
  /** Whether those who wait may be taken out. */
  readonly clearing: boolean
  /** Since when the first one waits, ISO 8601 UTC. */
  readonly longest: string | undefined
}

/** A conversation in a queue, or with an agent. */
export interface QueuedConversation {
  readonly queue: ChannelQueue
  /** Since when it waits, ISO 8601 UTC; null: an agent is there. */
  readonly waiting: string | null
  readonly requested: string
  /** Counted from 1 among those who wait. */
  readonly place: number
}

/** The queues of a bot's agent channels, for who may read them, and the conversations in them by id. */
export const useQueues = (bot: string) => {
  const { can } = useSession()
  const channels = useQuery({
    queryKey: ['agentchannel', 'list', { bot, all: true }],
    queryFn: ({ signal }) => readAll('agentchannel', { bot, sort: 'name' }, signal),
    enabled: can('readagentchannel') && bot !== '',
  })
  const tracked = channels.data?.items.filter(row => row.queue_tracker_enabled === true) ?? []
  const read = useQueries({ queries: tracked.map(({ id }) => queueQuery(id)) })
  const talks = new Map<string, QueuedConversation>()
  const queues = tracked.flatMap((row, at): ChannelQueue[] => {
    const found = read[at]?.data
    if (found === undefined || !found.enabled || (row.enable !== true && found.items.length === 0)) return []
    const waiting = found.items
      .filter(talk => talk.waiting !== null)
      .toSorted((one, other) => String(one.waiting).localeCompare(String(other.waiting)))
    const queue: ChannelQueue = {
      channel: row.id,
      name: String(row.name),
      isDesk: row.type === 'parley',
      waiting: found.waiting,
      talking: found.talking,
      clearing: found.clearing,
      longest: waiting[0]?.waiting ?? undefined,
    }
    for (const talk of found.items)
      talks.set(talk.conversation, {
        queue,
        waiting: talk.waiting,
        requested: talk.requested,
        place: waiting.indexOf(talk) + 1,
      })
    return [queue]
  })
  return { queues, talks }
}
