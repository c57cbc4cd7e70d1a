import { afterOpenTime, keptHours, type OpeningState, openingOf, type QueueHours } from '#domain/desk/opening-hours.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { PAUSE_REASONS } from '#schemas/api/desk.ts'
import type { EntityName } from '#schemas/entities/registry.ts'
import { singleId } from '#schemas/entity.ts'
import { folded } from '#schemas/fold-text.ts'
import { levelChain } from '../../conversation/effect/turn-settings.ts'
import type { HolidaysOf } from '../../isolation/pooled-work.ts'

export type DeskQueue = RowOf<'deskqueue'>

/** A user as people and colleagues see them. */
export interface AgentProfile {
  readonly user: string
  readonly name: string
  readonly username: string
  /** Address of a picture; empty: none. */
  readonly avatar: string
  readonly capacity: number
  /** A device in the background counts as present for longer. */
  readonly isOnPhone: boolean
}

/** Reason for a pause; without a name it is one of the usual ones. */
interface PauseReason {
  readonly key: string
  readonly name: string | null
}

const USUAL_REASONS: readonly PauseReason[] = PAUSE_REASONS.map(key => ({ key, name: null }))

/** Terms of a queue under which a chat waits; figures of the chat are measured against them. */
export interface QueueTerms {
  /** Absent: always open. */
  readonly hours?: QueueHours
  /** Seconds until the first answer. */
  readonly goal: number
}

/** Queues and agents as the console has them. */
export interface DeskDirectory {
  /** All queues, oldest first. */
  queues(): Promise<readonly DeskQueue[]>
  queue(id: string): Promise<DeskQueue | undefined>
  /** Canned answers of all levels, by shortcut. */
  answers(): Promise<readonly RowOf<'cannedanswer'>[]>
  /** Levels of all bots, by the bot's id. */
  botLevels(): Promise<ReadonlyMap<string, string>>
  profile(user: string): Promise<AgentProfile>
  /** Reasons for a pause: those of the nearest desk setting at the level of a user or above. */
  pauseReasons(user: string): Promise<readonly PauseReason[]>
  /** Users who may answer people of bots at this level. */
  agentsAt(level: string): ReadonlySet<string>
  /** Users who supervise the queues of bots at this level. */
  supervisorsAt(level: string): readonly string[]
  /** A level and its ancestors, root first. */
  levelsAbove(level: string): Promise<readonly string[]>
  /** Whether a queue is open at a moment, ms since 1970. */
  opening(queue: DeskQueue, now: number): Promise<OpeningState>
  /** Moment after seconds of open time of a queue, ms since 1970; undefined: it does not come. */
  goal(queue: DeskQueue, since: number, seconds: number): Promise<number | undefined>
  /** Hours and goal of a queue, as they are kept with a chat that is added to it now. */
  terms(queue: DeskQueue, now: number): Promise<QueueTerms>
  /** The user with an id, or an e-mail address; undefined: none. */
  find(idOrEmail: string): Promise<string | undefined>
  /** Whether a user has a session that has not ended. */
  hasSession(user: string): boolean
  /** Called when queues, profiles, rights or sessions may have changed. Returns how to stop. */
  onChanged(listener: () => void): () => void
}

/** Entities whose changes may change a right of a user. */
export const RIGHTS = ['user', 'usergroup', 'role', 'hierarchy', 'session'] as const
const YEARS = [-1, 0, 1]

const MINUTE_MS = 60_000

/** Limit of entries in each cache. */
const MAX_CACHED = 5_000

/** Caches of reads, each emptied when one of its entities changes. */
const openCaches = (read: ReadModels) => {
  const stops: (() => void)[] = []
  const cached = <T>(entities: readonly EntityName[], readOne: (key: string) => T): ((key: string) => T) => {
    const values = new Map<string, T>()
    stops.push(read.onTouched(entities, () => values.clear()))
    return key => {
      const known = values.get(key)
      if (known !== undefined) return known
      if (values.size >= MAX_CACHED) values.clear()
      const value = readOne(key)
      values.set(key, value)
      // A failed read is tried again.
      if (value instanceof Promise) value.catch(() => values.delete(key))
      return value
    }
  }
  const stop = () => {
    for (const each of stops) each()
  }
  return { cached, stop }
}

/** Hours of queues, with the holidays of their places. */
const openHours = (holidays: HolidaysOf): Pick<DeskDirectory, 'opening' | 'goal' | 'terms'> => {
  const isHoliday = async ({ country, state, holiday_kinds: kinds }: DeskQueue, now: number) => {
    if (country === null || country === '' || kinds.length === 0) return () => false
    const year = new Date(now).getUTCFullYear()
    const found = await Promise.all(YEARS.map(each => holidays({ country, state: state ?? '' }, year + each)))
    const days = new Set(
      found.flat().flatMap(({ day, type }) => ((kinds as readonly string[]).includes(type) ? [day] : [])),
    )
    return (day: string) => days.has(day)
  }
  /** `otherwise`: result for a queue that is always open, or whose time zone is not known. */
  const inHours = async <T>(
    queue: DeskQueue,
    at: number,
    otherwise: T,
    compute: (isClosed: (day: string) => boolean) => T,
  ): Promise<T> => {
    if (queue.week.length === 0) return otherwise
    const isClosed = await isHoliday(queue, at)
    try {
      return compute(isClosed)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return otherwise
    }
  }
  /** State of each queue within a minute: hours begin and end with one. */
  const openings = new Map<
    string,
    { readonly queue: DeskQueue; readonly minute: number; readonly state: Promise<OpeningState> }
  >()
  return {
    opening(queue, now) {
      const minute = Math.floor(now / MINUTE_MS)
      const known = openings.get(queue.id)
      if (known?.queue === queue && known.minute === minute) return known.state
      if (openings.size >= MAX_CACHED) openings.clear()
      const state = inHours<OpeningState>(queue, now, { isOpen: true }, isClosed => openingOf(queue, isClosed, now))
      openings.set(queue.id, { queue, minute, state })
      state.catch(() => openings.delete(queue.id))
      return state
    },
    goal: (queue, since, seconds) => {
      const ms = seconds * 1000
      return inHours(queue, since, since + ms, isClosed => afterOpenTime(queue, isClosed, since, ms))
    },
    async terms(queue, now) {
      const hours = queue.week.length === 0 ? undefined : keptHours(queue, await isHoliday(queue, now), now)
      return { goal: queue.goal_first ?? 0, ...(hours === undefined ? {} : { hours }) }
    },
  }
}

export const openDeskDirectory = (read: ReadModels, holidays: HolidaysOf): DeskDirectory & { close(): void } => {
  const listeners = new Set<() => void>()
  // Before the listeners, which read again.
  const { cached, stop: stopCaches } = openCaches(read)
  const stop = read.onTouched([...RIGHTS, 'deskqueue', 'deskagent'], () => {
    for (const listener of listeners) listener()
  })
  const readProfile = async (user: string): Promise<AgentProfile> => {
    const [[person], row] = await Promise.all([
      read.people(SYSTEM_SCOPE, [user]),
      read.detail(SYSTEM_SCOPE, 'deskagent', singleId('deskagent', user)),
    ])
    const full = [person?.firstname, person?.lastname].filter(Boolean).join(' ')
    const name = row?.display_name || full || person?.username || '—'
    const avatar = typeof row?.avatar === 'string' ? row.avatar : ''
    return {
      user,
      name,
      username: person?.username ?? '',
      avatar,
      capacity: row?.capacity ?? 4,
      isOnPhone: row?.onphone === true,
    }
  }
  const queues = cached(['deskqueue', 'hierarchy'], async () => {
    const rows = await allRows(read, SYSTEM_SCOPE, 'deskqueue')
    return rows.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
  })
  const answers = cached(['cannedanswer', 'hierarchy'], async () => {
    const rows = await allRows(read, SYSTEM_SCOPE, 'cannedanswer')
    return rows.toSorted((one, other) => (one.shortcut < other.shortcut ? -1 : 1))
  })
  const botLevels = cached(['bot', 'hierarchy'], async () => {
    const rows = await allRows(read, SYSTEM_SCOPE, 'bot')
    return new Map(rows.map(({ id, hierarchylevel: level }) => [id, level ?? '']))
  })
  const pauseReasons = cached(['user', 'desksetting', 'hierarchy'], async (user: string) => {
    const level = (await read.detail(SYSTEM_SCOPE, 'user', user))?.hierarchylevel ?? ''
    const [levels, settings] = await Promise.all([levelChain(read, level), allRows(read, SYSTEM_SCOPE, 'desksetting')])
    const reasons = levels.toReversed().flatMap(id => {
      const own = settings.find(({ hierarchylevel }) => hierarchylevel === id)?.pause_reasons ?? []
      return own.length === 0 ? [] : [own.map(({ key, name }) => ({ key, name }))]
    })
    return reasons[0] ?? USUAL_REASONS
  })
  const holders = RIGHTS.filter(entity => entity !== 'session')
  return {
    queues: () => queues(''),
    queue: async id => (await queues('')).find(queue => queue.id === id),
    answers: () => answers(''),
    botLevels: () => botLevels(''),
    profile: cached(['user', 'deskagent'], readProfile),
    pauseReasons,
    agentsAt: cached(holders, level => new Set(read.holdersAt('answerconversation', level))),
    supervisorsAt: level => read.holdersAt('superviseconversation', level),
    levelsAbove: cached(['hierarchy'], level => levelChain(read, level)),
    ...openHours(holidays),
    async find(idOrEmail) {
      if (idOrEmail === '') return undefined
      const row = await read.detail(SYSTEM_SCOPE, 'user', idOrEmail)
      if (row !== undefined) return row.id
      if (!idOrEmail.includes('@')) return undefined
      const query = { page: 1, size: 10, search: idOrEmail, filter: {} }
      const { items } = await read.list(SYSTEM_SCOPE, 'user', query)
      return items.find(({ email }) => folded(email ?? '') === folded(idOrEmail))?.id
    },
    hasSession: user => read.sessionsOf(user).some(({ expires }) => expires > new Date().toISOString()),
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      stop()
      stopCaches()
    },
  }
}

/** The queue that a chat names by id or name, at the level of its bot or above, nearest first; without a name the nearest. */
export const queueFor = (
  queues: readonly DeskQueue[],
  levels: readonly string[],
  named: string,
): DeskQueue | undefined => {
  const words = folded(named)
  const usable = [...levels]
    .reverse()
    .flatMap(level => queues.filter(queue => queue.hierarchylevel === level && queue.enable))
  if (named === '') return usable[0]
  return usable.find(({ id }) => id === named) ?? usable.find(({ name }) => folded(name) === words)
}

/** Enabled queues that serve bots at a level: those of it and of the levels above. */
export const queuesServing = async (
  { queues, levelsAbove }: Pick<DeskDirectory, 'queues' | 'levelsAbove'>,
  level: string,
): Promise<readonly DeskQueue[]> => {
  const [levels, all] = await Promise.all([levelsAbove(level), queues()])
  return all.filter(({ enable, hierarchylevel: at }) => enable && levels.includes(at ?? ''))
}

/** Whether people of bots at a level can be handed over: an enabled queue serves them, with a member who may answer. */
export const isReadyAt = async (
  directory: Pick<DeskDirectory, 'queues' | 'levelsAbove' | 'agentsAt'>,
  level: string,
): Promise<boolean> => {
  const queues = await queuesServing(directory, level)
  const agents = directory.agentsAt(level)
  return queues.some(({ members }) => members.some(({ user }) => agents.has(user)))
}

interface QueueParts {
  readonly directory: Pick<DeskDirectory, 'queues' | 'levelsAbove'>
  readonly bot: (id: string) => Promise<RowOf<'bot'> | undefined>
}

/** An enabled queue, by id or name, at the level of a bot or above. */
export const queueOf = async (
  { directory, bot }: QueueParts,
  botId: string,
  queue: string,
): Promise<DeskQueue | undefined> => {
  const levels = await directory.levelsAbove((await bot(botId))?.hierarchylevel ?? '')
  return queueFor(await directory.queues(), levels, queue)
}

/** The first queue of a bot that a user is a member of, else its first one. */
export const usualQueue = async (
  { directory, bot }: QueueParts,
  botId: string,
  user: string,
): Promise<DeskQueue | undefined> => {
  const levels = await directory.levelsAbove((await bot(botId))?.hierarchylevel ?? '')
  const queues = await directory.queues()
  const own = queues.filter(({ members }) => members.some(member => member.user === user))
  return queueFor(own, levels, '') ?? queueFor(queues, levels, '')
}
