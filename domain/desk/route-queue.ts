import { PACE_MS } from './place.ts'

/** A chat that waits in a queue. Times are ms since 1970. */
export interface WaitingChat {
  readonly id: string
  /** Time of its first wait. */
  readonly since: number
  /** Time since which it waits now. */
  readonly queued: number
  readonly priority: number
  /** Last holder of the person, or the user named by the block. */
  readonly preferred?: string
  /** Users who may not see its bot. */
  readonly hiddenFrom?: ReadonlySet<string>
}

/** A member of a queue as the router knows it. */
export interface RoutedMember {
  readonly user: string
  /** 1 comes first. */
  readonly priority: number
  /** Available and present. */
  readonly isThere: boolean
  readonly load: number
  readonly capacity: number
  readonly lastAuto: number
  readonly lastAssigned: number
}

type RoutingMode = 'leastbusy' | 'roundrobin' | 'manual'

interface Routing {
  readonly mode: RoutingMode
  readonly chats: readonly WaitingChat[]
  readonly members: readonly RoutedMember[]
  /** ms that a chat waits for its preferred agent. */
  readonly stickyWait: number
  readonly now: number
}

interface Routed {
  readonly assigned: readonly { readonly chat: string; readonly user: string }[]
  /** When it has to be routed again although nothing happens, ms since 1970. */
  readonly again: number | undefined
}

/** Urgent chats first, then by the time of their first wait. */
export const inQueueOrder = <C extends Pick<WaitingChat, 'id' | 'priority' | 'since'>>(chats: readonly C[]): C[] =>
  chats.toSorted(
    (one, other) => other.priority - one.priority || one.since - other.since || (one.id < other.id ? -1 : 1),
  )

const betterOf =
  (mode: RoutingMode) =>
  (one: RoutedMember, other: RoutedMember): number =>
    one.priority - other.priority ||
    (mode === 'leastbusy' ? one.load - other.load : 0) ||
    one.lastAssigned - other.lastAssigned ||
    (one.user < other.user ? -1 : 1)

/** Assigns waiting chats to members. The same input gives the same answer on every node. */
export const routeQueue = ({ mode, chats, members, stickyWait, now }: Routing): Routed => {
  const moments: number[] = []
  const assigned: { chat: string; user: string }[] = []
  if (mode === 'manual') return { assigned, again: undefined }
  const known = new Map(members.map(member => [member.user, member]))
  const hasPlace = ({ isThere, load, capacity }: RoutedMember) => isThere && load < capacity
  const isPaced = ({ lastAuto }: RoutedMember) => now - lastAuto < PACE_MS
  const give = (chat: WaitingChat, member: RoutedMember) => {
    assigned.push({ chat: chat.id, user: member.user })
    known.set(member.user, { ...member, load: member.load + 1, lastAuto: now, lastAssigned: now })
    moments.push(now + PACE_MS)
  }
  for (const chat of inQueueOrder(chats)) {
    const wanted = chat.preferred === undefined ? undefined : known.get(chat.preferred)
    const isWanted = wanted?.isThere === true && chat.hiddenFrom?.has(wanted.user) !== true
    if (isWanted && hasPlace(wanted) && !isPaced(wanted)) {
      give(chat, wanted)
      continue
    }
    if (isWanted && now < chat.queued + stickyWait) {
      moments.push(chat.queued + stickyWait)
      if (hasPlace(wanted)) moments.push(wanted.lastAuto + PACE_MS)
      continue
    }
    const free = [...known.values()].filter(member => hasPlace(member) && chat.hiddenFrom?.has(member.user) !== true)
    const [best] = free.filter(member => !isPaced(member)).toSorted(betterOf(mode))
    if (best !== undefined) give(chat, best)
    else for (const { lastAuto } of free) moments.push(lastAuto + PACE_MS)
  }
  const later = moments.filter(moment => moment > now)
  return { assigned, again: later.length === 0 ? undefined : Math.min(...later) }
}
