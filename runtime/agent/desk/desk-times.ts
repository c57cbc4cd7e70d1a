import { momentText } from '#domain/desk/desk-text.ts'
import type { ReleasedWhy } from '#schemas/events/desk.ts'
import { isRatingScale } from '#schemas/rating.ts'
import { accepted } from '#schemas/refusal.ts'
import type { DeskDirectory, DeskQueue } from './desk-directory.ts'
import type { DeskIndex, DeskRow } from './desk-index.ts'
import type { DeskNotice } from './desk-notices.ts'
import type { DeskPresence } from './desk-presence.ts'
import type { DeskChatState } from './desk-state.ts'
import type { DeskWriter, OpenDeskChat } from './desk-writer.ts'
import type { Places } from './places.ts'

const MINUTE_MS = 60_000
/** Misses in a row after which an agent is set to a pause. */
const MAX_MISSES = 2
/** Pause between two texts about the position, and how many there are at most. */
const POSITION_MS = 60_000
const MAX_POSITIONS = 5
/** A waiting chat is looked at after this time although nothing happened. */
const WAITING_MS = 5_000

interface TimesParts {
  readonly desk: DeskIndex
  readonly writer: DeskWriter
  readonly directory: DeskDirectory
  readonly presence: DeskPresence
  readonly places: Places
  readonly log: { load(id: string): Promise<OpenDeskChat['held'] | undefined> }
  readonly position: (
    row: DeskRow,
    queue: DeskQueue,
  ) => Promise<{ readonly position: number; readonly wait: string | undefined }>
  readonly hasEligible: (queue: DeskQueue, bot: string) => Promise<boolean>
  readonly wake: (conversation: string) => Promise<unknown>
  readonly release: (row: DeskRow, why: ReleasedWhy, seen: DeskChatState) => Promise<boolean>
  readonly alert: (queue: DeskQueue, message: DeskNotice['message'], conversation: string | null) => Promise<void>
  readonly isStopped: (bot: string) => Promise<boolean>
  readonly now: () => number
}

/**
 * Deadlines of chats, checked by the node that drives the chat. Nothing ends by time if other nodes wrote to the chat
 * meanwhile: then it is looked at again.
 */
export class DeskTimes {
  readonly #parts: TimesParts

  constructor(parts: TimesParts) {
    this.#parts = parts
  }

  /** Does what is due for a chat. Returns when it is to be called again unless something happens. */
  async due(conversation: string): Promise<number> {
    const { desk, directory, log } = this.#parts
    const held = await log.load(conversation)
    const { agent: talk } = held ?? {}
    const row = desk.get(conversation)
    // The index follows.
    if (held === undefined || talk?.desk === undefined || row === undefined || row.n !== talk.n) return 0
    const queue = await directory.queue(talk.desk.queue)
    const chat = { held, talk, desk: talk.desk }
    return talk.desk.holder === undefined ? this.#waiting(row, chat, queue) : this.#held(row, chat, queue)
  }

  async #waiting(row: DeskRow, { held, desk }: OpenDeskChat, queue: DeskQueue | undefined): Promise<number> {
    const { now, hasEligible, directory } = this.#parts
    if (queue === undefined || !queue.enable) return this.#leave(row, desk, undefined, 'unavailable', 'nobody')
    const end = queue.max_wait > 0 ? desk.queued + queue.max_wait * MINUTE_MS : Number.POSITIVE_INFINITY
    if (now() > end) return this.#leave(row, desk, queue, 'timeout', 'nobody')
    const { isOpen } = await directory.opening(queue, now())
    if (!isOpen && !(await hasEligible(queue, held.bot))) return this.#leave(row, desk, queue, 'unavailable', 'closed')
    await this.#tellPosition(row, { held, desk }, queue)
    const goal = await this.#goal(row, queue, desk.since, queue.goal_first)
    // Others who leave the queue, its hours and its agents are no events of this chat.
    return Math.min(end, goal, now() + WAITING_MS)
  }

  async #held(row: DeskRow, chat: OpenDeskChat, queue: DeskQueue | undefined): Promise<number> {
    const { now, wake, release, places, presence } = this.#parts
    const { desk, talk } = chat
    const { holder, snoozed } = desk
    if (holder === undefined) return 0
    const until = snoozed?.until ?? undefined
    if (until !== undefined && until <= now()) {
      await wake(row.conversation)
      return 0
    }
    if (queue === undefined || snoozed !== undefined) return until ?? Number.POSITIVE_INFINITY
    const isUnopened = queue.accept_within > 0 && !desk.isOpened && !desk.isAnswered
    const isUnanswered = queue.answer_within > 0 && !desk.isAnswered
    const missed = Math.min(
      isUnopened ? holder.at + queue.accept_within * 1000 : Number.POSITIVE_INFINITY,
      isUnanswered ? holder.at + queue.answer_within * 1000 : Number.POSITIVE_INFINITY,
    )
    if (now() > missed) {
      const { misses, slots, state } = await places.read(holder.user)
      if (!slots.some(({ slot }) => slot === holder.slot)) return 0
      // Before the chat waits again, or they would be given it once more.
      if (misses + 1 >= MAX_MISSES && state === 'available')
        await places.setState(holder.user, { state: 'paused', reason: 'missed' }, 'system')
      if (await release(row, 'missed', desk)) await places.free(holder.user, holder.slot, true)
      return 0
    }
    const owesPerson = desk.isAnswered && desk.unanswered === undefined
    const absent = now() - presence.absence(holder.user) + queue.absent_after * MINUTE_MS
    if (now() > absent && !owesPerson) {
      await release(row, 'absent', desk)
      return 0
    }
    const next = Math.min(missed, owesPerson ? Number.POSITIVE_INFINITY : absent)
    if (desk.unanswered !== undefined) {
      const goal = desk.isAnswered ? queue.goal_answer : queue.goal_first
      return Math.min(next, await this.#goal(row, queue, desk.unanswered, goal))
    }
    return Math.min(next, await this.#idle(row, chat, queue, talk.agentSaid ?? holder.at))
  }

  /** Asks a silent person whether they are there, and ends the chat later. */
  async #idle(row: DeskRow, { desk }: OpenDeskChat, queue: DeskQueue, since: number): Promise<number> {
    const { writer, now, isStopped } = this.#parts
    if (!desk.isAnswered) return Number.POSITIVE_INFINITY
    const momentOf = (minutes: number) => (minutes === 0 ? Number.POSITIVE_INFINITY : since + minutes * MINUTE_MS)
    const close = momentOf(queue.idle_close)
    if (now() > close) {
      // The end of a chat begins a turn, which a stopped bot does not run.
      if (await isStopped(row.bot)) return now() + WAITING_MS
      await writer.write(row.conversation, (chat, facts) => {
        if (chat.desk !== desk) return accepted(null)
        if (isRatingScale(queue.csat)) facts.unrated('user')
        facts.left('user')
        return accepted(null)
      })
      return 0
    }
    const nudge = desk.wasNudged ? Number.POSITIVE_INFINITY : momentOf(queue.idle_nudge)
    if (now() <= nudge) return Math.min(close, nudge)
    await writer.write(row.conversation, async (chat, facts) => {
      if (chat.desk === desk) await facts.text('nudge', queue, { agent: chat.desk.holder?.name })
      return accepted(null)
    })
    return close
  }

  /** Ends a chat that nobody holds. */
  async #leave(
    row: DeskRow,
    seen: DeskChatState,
    queue: DeskQueue | undefined,
    reason: 'timeout' | 'unavailable',
    moment: 'nobody' | 'closed',
  ): Promise<number> {
    const { writer, now, directory, isStopped } = this.#parts
    if (await isStopped(row.bot)) return now() + WAITING_MS
    const opens = queue === undefined ? undefined : (await directory.opening(queue, now())).opens
    await writer.write(row.conversation, async ({ held, desk }, facts) => {
      if (desk !== seen) return accepted(null)
      const next =
        opens === undefined || queue === undefined ? undefined : momentText(opens, now(), queue.timezone, held.locale)
      await facts.text(moment, queue, { next, queue: queue?.name })
      const task = moment === 'closed' ? (queue?.closed_task ?? '') : ''
      facts.left(reason, task === '' ? {} : { return: { kind: 'task', id: task } })
      return accepted(null)
    })
    return 0
  }

  /** Tells a person that they moved on, where the channel shows no state. */
  async #tellPosition(
    row: DeskRow,
    { held, desk }: Pick<OpenDeskChat, 'held' | 'desk'>,
    queue: DeskQueue,
  ): Promise<void> {
    const { now, writer, position } = this.#parts
    const { told } = desk
    if (told === undefined || held.channelType === 'webchat') return
    if (told.count > MAX_POSITIONS || now() - told.at < POSITION_MS) return
    const place = await position(row, queue)
    if (place.position < 1 || place.position >= told.position) return
    await writer.write(row.conversation, async (chat, facts) => {
      if (chat.desk.holder !== undefined || chat.desk.told?.at !== told.at) return accepted(null)
      const values = { position: String(place.position), wait: place.wait, queue: queue.name }
      await facts.text('position', queue, values, { position: place.position })
      return accepted(null)
    })
  }

  /** Notifies once when a goal has passed. Returns the moment of a goal to come. */
  async #goal(row: DeskRow, queue: DeskQueue, since: number, seconds: number): Promise<number> {
    const { now, directory, alert } = this.#parts
    const moment = seconds === 0 ? undefined : await directory.goal(queue, since, seconds)
    if (moment === undefined) return Number.POSITIVE_INFINITY
    if (now() <= moment) return moment
    if (moment > row.queued) await alert(queue, 'desk.goal', row.conversation)
    return Number.POSITIVE_INFINITY
  }
}
