import { keptHours, type QueueHours } from '#domain/desk/figures/queue-hours.ts'
import { type OpeningState, openingOf } from '#domain/desk/opening-hours.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { folded } from '#schemas/fold-text.ts'
import { singleId } from '#schemas/versioned.ts'
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
  profile(user: string): Promise<AgentProfile>
  /** Users who may answer people of bots at this level. */
  agentsAt(level: string): ReadonlySet<string>
  /** Users who supervise the queues of bots at this level. */
  supervisorsAt(level: string): readonly string[]
  /** A level and its ancestors, root first. */
  levelsAbove(level: string): Promise<readonly string[]>
  /** Whether a queue is open at a moment, ms since 1970. */
  opening(queue: DeskQueue, now: number): Promise<OpeningState>
  /** Hours and goal of a queue, as they are kept with a chat that is added to it now. */
  terms(queue: DeskQueue, now: number): Promise<QueueTerms>
  /** The user with an id, or an e-mail address; undefined: none. */
  find(idOrEmail: string): Promise<string | undefined>
  /** Whether a user has a session that has not ended. */
  hasSession(user: string): boolean
  /** `rights`: permissions or levels may have changed. Returns how to stop. */
  onChanged(listener: (change: { readonly rights: boolean; readonly desk: boolean }) => void): () => void
}

const DESK = new Set(['deskqueue', 'deskagent'])
const RIGHTS = new Set(['user', 'usergroup', 'role', 'hierarchy', 'session'])
const YEARS = [-1, 0, 1]

/** Profiles that are remembered. */
const MAX_PROFILES = 5_000

export const openDeskDirectory = (read: ReadModels, holidays: HolidaysOf): DeskDirectory & { close(): void } => {
  let queues: Promise<readonly DeskQueue[]> | undefined
  const profiles = new Map<string, Promise<AgentProfile>>()
  const listeners = new Set<Parameters<DeskDirectory['onChanged']>[0]>()
  const stop = read.onApplied(({ touched }) => {
    const rights = touched.some(({ entity }) => RIGHTS.has(entity))
    const desk = touched.some(({ entity }) => DESK.has(entity))
    if (!rights && !desk) return
    if (touched.some(({ entity }) => entity !== 'session')) {
      queues = undefined
      profiles.clear()
    }
    for (const listener of listeners) listener({ rights, desk })
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
  const isHoliday = async ({ country, state, holiday_kinds: kinds }: DeskQueue, now: number) => {
    if (country === null || country === '' || kinds.length === 0) return () => false
    const year = new Date(now).getUTCFullYear()
    const found = await Promise.all(YEARS.map(each => holidays({ country, state: state ?? '' }, year + each)))
    const days = new Set(
      found.flat().flatMap(({ day, type }) => ((kinds as readonly string[]).includes(type) ? [day] : [])),
    )
    return (day: string) => days.has(day)
  }
  return {
    queues() {
      queues ??= allRows(read, SYSTEM_SCOPE, 'deskqueue').then(rows =>
        rows.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1)),
      )
      queues.catch(() => {
        queues = undefined
      })
      return queues
    },
    profile(user) {
      const known = profiles.get(user) ?? readProfile(user)
      if (profiles.size >= MAX_PROFILES) profiles.clear()
      profiles.set(user, known)
      known.catch(() => profiles.delete(user))
      return known
    },
    agentsAt: level => new Set(read.holdersAt('answerconversation', level)),
    supervisorsAt: level => read.holdersAt('superviseconversation', level),
    levelsAbove: level => levelChain(read, level),
    async opening(queue, now) {
      if (queue.week.length === 0) return { isOpen: true }
      try {
        return openingOf(queue, await isHoliday(queue, now), now)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        // Without a clock that is known nobody could ever be handed over.
        return { isOpen: true }
      }
    },
    async terms(queue, now) {
      const hours = queue.week.length === 0 ? undefined : keptHours(queue, await isHoliday(queue, now), now)
      return { goal: queue.goal_first ?? 0, ...(hours === undefined ? {} : { hours }) }
    },
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
    close: stop,
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
