import { momentText } from '#domain/desk/desk-text.ts'
import type { OpeningState } from '#domain/desk/opening-hours.ts'
import type { ReleasedWhy } from '#schemas/events/desk.ts'
import { isRatingScale } from '#schemas/rating.ts'
import { accepted } from '#schemas/refusal.ts'
import type { DeskDirectory, DeskQueue } from './desk-directory.ts'
import type { DeskIndex, DeskRow } from './desk-index.ts'
import type { DeskNotice } from './desk-notices.ts'
import type { DeskPresence } from './desk-presence.ts'
import type { DeskWriter, OpenDeskChat } from './desk-writer.ts'
import type { Places } from './places.ts'

const MINUTE_MS = 60_000
/** Misses in a row after which an agent is set to a pause (D24). */
const MAX_MISSES = 2
/** Pause between two texts about the position, and how many there are at most (D29). */
const POSITION_MS = 60_000
const MAX_POSITIONS = 5
/** The opening of a queue is read again after this time. */
const OPENING_MS = 5_000

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
  readonly release: (row: DeskRow, why: ReleasedWhy) => Promise<boolean>
  readonly alert: (queue: DeskQueue, message: DeskNotice['message'], conversation: string | null) => Promise<void>
  readonly now: () => number
}

/** Deadlines of chats, checked by the node that drives the chat (D24 to D26). */
export class DeskTimes {
  readonly #parts: TimesParts
  readonly #openings = new Map<string, { readonly at: number; readonly state: Promise<OpeningState> }>()

  constructor(parts: TimesParts) {
    this.#parts = parts
  }

  async due(conversation: string): Promise<void> {
    const { desk, directory, log } = this.#parts
    const held = await log.load(conversation)
    const { agent: talk } = held ?? {}
    const row = desk.get(conversation)
    if (held === undefined || talk?.desk === undefined || row === undefined || row.n !== talk.n) return
    const queue = (await directory.queues()).find(({ id }) => id === talk.desk?.queue)
    const chat = { held, talk, desk: talk.desk }
    await (talk.desk.holder === undefined ? this.#waiting(row, chat, queue) : this.#held(row, chat, queue))
  }

  async #waiting(row: DeskRow, { held, desk }: OpenDeskChat, queue: DeskQueue | undefined): Promise<void> {
    const { now, hasEligible } = this.#parts
    if (queue === undefined || !queue.enable) return this.#leave(row, undefined, 'unavailable', 'nobody')
    const late = queue.max_wait > 0 && now() - desk.queued > queue.max_wait * MINUTE_MS
    if (late) return this.#leave(row, queue, 'timeout', 'nobody')
    const { isOpen } = await this.#opening(queue)
    if (!isOpen && !(await hasEligible(queue, held.bot))) return this.#leave(row, queue, 'unavailable', 'closed')
    await this.#tellPosition(row, { held, desk }, queue)
    await this.#goal(row, queue, desk.since + queue.goal_first * 1000)
  }

  async #held(row: DeskRow, chat: OpenDeskChat, queue: DeskQueue | undefined): Promise<void> {
    const { now, wake, release, places } = this.#parts
    const { desk, talk } = chat
    const { holder, snoozed } = desk
    if (holder === undefined) return
    const until = snoozed?.until ?? undefined
    if (until !== undefined && until <= now()) return void (await wake(row.conversation))
    if (queue === undefined || snoozed !== undefined) return
    const held = now() - holder.at
    const isUnopened = queue.accept_within > 0 && !desk.isOpened && !desk.isAnswered
    const isUnanswered = queue.answer_within > 0 && !desk.isAnswered
    const isMissed =
      (isUnopened && held > queue.accept_within * 1000) || (isUnanswered && held > queue.answer_within * 1000)
    if (isMissed) {
      const { misses, slots } = await places.read(holder.user)
      if (!slots.some(({ slot }) => slot === holder.slot)) return
      // Before the chat waits again, or they would be given it once more.
      if (misses + 1 >= MAX_MISSES) await places.setState(holder.user, { state: 'paused', reason: 'missed' }, 'system')
      if (await release(row, 'missed')) await places.free(holder.user, holder.slot, true)
      return
    }
    const owesPerson = desk.isAnswered && desk.unanswered === undefined
    const isAbsent = this.#parts.presence.absence(holder.user) > queue.absent_after * MINUTE_MS
    if (isAbsent && !owesPerson) return void (await release(row, 'absent'))
    if (desk.unanswered !== undefined) {
      const goal = desk.isAnswered ? queue.goal_answer : queue.goal_first
      return this.#goal(row, queue, desk.unanswered + goal * 1000)
    }
    await this.#idle(row, chat, queue, now() - (talk.agentSaid ?? holder.at))
  }

  /** Asks a silent person whether they are there, and ends the chat later. */
  async #idle(row: DeskRow, { desk }: OpenDeskChat, queue: DeskQueue, silence: number): Promise<void> {
    const { writer } = this.#parts
    if (!desk.isAnswered) return
    if (queue.idle_close > 0 && silence > queue.idle_close * MINUTE_MS) {
      await writer.write(row.conversation, (chat, facts) => {
        if (chat.desk.unanswered !== undefined || chat.talk.n !== row.n) return accepted(null)
        if (isRatingScale(queue.csat)) facts.unrated('user')
        facts.left('user')
        return accepted(null)
      })
      return
    }
    if (desk.wasNudged || queue.idle_nudge === 0 || silence <= queue.idle_nudge * MINUTE_MS) return
    await writer.write(row.conversation, async (chat, facts) => {
      if (chat.desk.unanswered === undefined && !chat.desk.wasNudged && chat.talk.n === row.n)
        await facts.text('nudge', queue, { agent: chat.desk.holder?.name })
      return accepted(null)
    })
  }

  /** Ends a chat that nobody holds. */
  async #leave(
    row: DeskRow,
    queue: DeskQueue | undefined,
    reason: 'timeout' | 'unavailable',
    moment: 'nobody' | 'closed',
  ): Promise<void> {
    const { writer, now } = this.#parts
    const opens = queue === undefined ? undefined : (await this.#opening(queue)).opens
    await writer.write(row.conversation, async ({ held, talk, desk }, facts) => {
      if (desk.holder !== undefined || talk.n !== row.n) return accepted(null)
      const next =
        opens === undefined || queue === undefined ? undefined : momentText(opens, now(), queue.timezone, held.locale)
      await facts.text(moment, queue, { next, queue: queue?.name })
      const task = moment === 'closed' ? (queue?.closed_task ?? '') : ''
      facts.left(reason, task === '' ? {} : { return: { kind: 'task', id: task } })
      return accepted(null)
    })
  }

  /** Tells a person that they moved on, where the channel shows no state (D29). */
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

  async #goal(row: DeskRow, queue: DeskQueue, moment: number): Promise<void> {
    if (moment < this.#parts.now() && moment > row.queued) await this.#parts.alert(queue, 'desk.goal', row.conversation)
  }

  #opening(queue: DeskQueue): Promise<OpeningState> {
    const now = this.#parts.now()
    const known = this.#openings.get(queue.id)
    if (known !== undefined && Math.abs(now - known.at) < OPENING_MS) return known.state
    const state = this.#parts.directory.opening(queue, now)
    this.#openings.set(queue.id, { at: now, state })
    return state
  }
}
