import { randomUUID } from 'node:crypto'
import type { MessageTemplate } from '#domain/conversation/message.ts'
import type { ReturnTarget } from '#domain/conversation/state.ts'
import { gapsIn } from '#domain/desk/desk-text.ts'
import { MAX_HELD } from '#domain/desk/place.ts'
import { chatRatingOf, mayReturnTo } from '#domain/desk/queue.ts'
import type { AssignedHow, ReleasedWhy } from '#schemas/events/desk.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { channelWindow, type FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import { isStarted } from '../../release/releases.ts'
import { type DeskQueue, type QueueTerms, queueOf } from './desk-directory.ts'
import type { DeskIndex, DeskRow } from './desk-index.ts'
import type { DeskNews } from './desk-news.ts'
import { type DeskNotice, usersMentioned } from './desk-notices.ts'
import { agentWindow, type DeskParts } from './desk-parts.ts'
import { saidEvent } from './desk-port.ts'
import type { DeskPresence } from './desk-presence.ts'
import type { DeskFacts, DeskWriter, NewHolder, OpenDeskChat } from './desk-writer.ts'
import type { Places } from './places.ts'
import { type DeskWritten, takeFromBot, time, writtenOf } from './take-over.ts'

/** An agent who does something; `isBoss`: they may act on chats of others. */
export interface DeskActor {
  readonly user: string
  readonly isBoss: boolean
}

export interface AgentWords {
  /** The client's: a repeated request writes once. */
  readonly id: string
  readonly text: string
  readonly files: readonly { readonly name: string; readonly type: string; readonly url: string }[]
  /** Last position that the client showed. */
  readonly seen: string
  /** Sent in place of the text outside the channel's window. */
  readonly template?: MessageTemplate
}

interface Closing {
  readonly reason?: string | undefined
  /** False: the person is not asked for a rating. */
  readonly csat?: boolean | undefined
  readonly note?: string | undefined
  readonly return?: ReturnTarget | undefined
}

interface DeskWorkParts extends DeskParts {
  readonly desk: DeskIndex
  readonly writer: DeskWriter
  readonly places: Places
  readonly news: DeskNews
  readonly presence: Pick<DeskPresence, 'isPresent'>
}

const heldByOther = (code: 'desk.notyours' | 'desk.taken', { desk }: OpenDeskChat): Result<never> => {
  const params = { agent: desk.holder?.name ?? '—', since: time(desk.holder?.at ?? desk.queued) }
  return refused(code, { params })
}

/** Chats that are written at a time when a queue is emptied. */
const MOVED_AT_ONCE = 10

/** The refusal of words that no chat takes. */
export const faultIn = ({ text, files }: Pick<AgentWords, 'text' | 'files'>): Result<never> | undefined => {
  const missing = gapsIn(text)
  if (missing.length > 0) return refused('desk.canned', { params: { missing: [...missing] } })
  return text.trim() === '' && files.length === 0
    ? refused('validation.failed', { errors: [{ path: 'text', code: 'required' }] })
    : undefined
}

/** Actions of agents on chats. The conversation is the truth, a place is a reservation. */
export class DeskWork {
  readonly #parts: DeskWorkParts

  constructor(parts: DeskWorkParts) {
    this.#parts = parts
  }

  /** A user takes a chat that waits. */
  async take(conversation: string, user: string): Promise<Result<DeskWritten>> {
    return this.#assign(conversation, user, { how: 'taken' }, chat => {
      const { holder } = chat.desk
      if (holder === undefined || holder.user === user) return accepted(null)
      return heldByOther('desk.taken', chat)
    })
  }

  /** The router gives a chat. Returns whether the user has it now. */
  async give(row: DeskRow, user: string): Promise<boolean> {
    const given = await this.#assign(row.conversation, user, { how: 'auto' }, chat => {
      const { holder, queue } = chat.desk
      return holder === undefined && queue === row.queue && chat.talk.n === row.n
        ? accepted(null)
        : heldByOther('desk.taken', chat)
    })
    return given.ok
  }

  /** Gives a chat to another user; null: back to its queue. */
  async assign(conversation: string, user: string | null, by: DeskActor): Promise<Result<DeskWritten>> {
    if (user !== null) return this.#assign(conversation, user, { how: 'given', by: by.user }, () => accepted(null))
    let before: string | undefined
    const written = await this.#write(conversation, async (chat, facts) => {
      before = chat.desk.holder?.user
      return before === undefined ? accepted(null) : this.#requeue(chat, facts, 'returned', by.user)
    })
    if (written.ok && before !== undefined && before !== by.user) this.#tell(conversation, 'desk.returned', [before])
    return written
  }

  async transfer(
    conversation: string,
    to: { readonly queue: string } | { readonly user: string },
    note: string | undefined,
    by: DeskActor,
  ): Promise<Result<DeskWritten>> {
    const noted = (facts: DeskFacts) => facts.noted(by.user, note)
    if ('user' in to) {
      const given = { how: 'transfer', by: by.user } as const
      return this.#assign(conversation, to.user, given, chat => this.#mine(chat, by), noted)
    }
    const queue = await queueOf(this.#parts, this.#parts.index.get(conversation)?.bot ?? '', to.queue)
    if (queue === undefined) return refused('validation.failed', { errors: [{ path: 'queue', code: 'reference' }] })
    return this.#write(conversation, async (chat, facts) => {
      const mine = this.#mine(chat, by)
      if (!mine.ok) return mine
      await noted(facts)
      facts.released('transfer', by.user).queued(queue.id, await this.#terms(queue), 'transfer')
      await facts.text('transferred', queue, { queue: queue.name })
      return accepted(null)
    })
  }

  /** The user who passed a chat on to another one, who may decline it: they have not answered in it. */
  senderOf({ holder, isAnswered }: OpenDeskChat['desk'], user: string): string | undefined {
    return holder?.user === user && holder.how === 'transfer' && !isAnswered ? holder.by : undefined
  }

  /** Whether a user is at the desk and may hold chats of a bot. */
  async isAtDesk(user: string, botId: string): Promise<boolean> {
    const { bot, desk, directory, presence } = this.#parts
    const state = desk.place(user)?.state
    const isWorking = (state === 'available' || state === 'finishing') && presence.isPresent(user)
    return isWorking && directory.agentsAt((await bot(botId))?.hierarchylevel ?? '').has(user)
  }

  /** Gives a chat back to the colleague who passed it on, or to its queue if they are not at the desk. */
  async decline(conversation: string, user: string, note: string | undefined): Promise<Result<DeskWritten>> {
    let sender = ''
    const check = (chat: OpenDeskChat): Result<null> => {
      sender = this.senderOf(chat.desk, user) ?? ''
      if (sender !== '') return accepted(null)
      return chat.desk.holder?.user === user ? refused('desk.decline') : heldByOther('desk.notyours', chat)
    }
    const found = await this.#parts.writer.find(conversation)
    if (!found.ok) return found
    const may = check(found.value)
    if (!may.ok) return may
    if (await this.isAtDesk(sender, found.value.held.bot)) {
      const given = { how: 'declined', by: user } as const
      const back = await this.#assign(conversation, sender, given, check, facts => facts.noted(user, note))
      if (back.ok || back.refusal.code !== 'desk.full') return back
    }
    const written = await this.#write(conversation, async (chat, facts) => {
      const still = check(chat)
      if (!still.ok) return still
      await facts.noted(user, note)
      return this.#requeue(chat, facts, 'declined', user)
    })
    if (written.ok) this.#tell(conversation, 'desk.declined', [sender])
    return written
  }

  /** Puts a chat into its queue again; false: its holder changed, or anything since `seen`. */
  async release(row: DeskRow, why: ReleasedWhy, seen?: OpenDeskChat['desk']): Promise<boolean> {
    let told: readonly string[] = []
    const written = await this.#write(row.conversation, async (chat, facts) => {
      const { holder } = chat.desk
      const isOther = chat.talk.n !== row.n || (seen !== undefined && chat.desk !== seen)
      if (holder === undefined || holder.user !== row.holder || isOther) return refused('agent.gone')
      told = holder.by === undefined ? [holder.user] : [holder.user, holder.by]
      return this.#requeue(chat, facts, why)
    })
    if (!written.ok) return false
    this.#tell(row.conversation, 'desk.returned', [...told, ...(await this.#supervisors(row.bot))])
    return true
  }

  async say(conversation: string, by: DeskActor, words: AgentWords): Promise<Result<DeskWritten>> {
    const fault = faultIn(words)
    if (fault !== undefined) return fault
    if (await this.#isStopped(conversation)) return refused('bot.stopped')
    return this.#write(conversation, async (chat, facts) => {
      const { held, talk, desk } = chat
      if (talk.seen.has(words.id)) return accepted(null)
      if (desk.holder?.user !== by.user) return heldByOther('desk.notyours', chat)
      const { word } = held.desk
      if (word !== undefined && word.user !== by.user && word.position > words.seen) return refused('desk.changed')
      const window = await agentWindow(this.#parts, held)
      if (window !== undefined && window < this.#parts.now() && words.template === undefined)
        return refused('desk.window', { params: { until: time(window) } })
      const shown = (await this.#parts.directory.queue(desk.queue))?.show_agent_name ?? 'first'
      const named = shown === 'always' || (shown === 'first' && !desk.isAnswered)
      const { name, avatar } = desk.holder
      await facts.heard([saidEvent({ name, avatar }, words)], { by: by.user, ...(named ? { named } : {}) })
      return accepted(null)
    })
  }

  /** A text for agents alone. */
  async note(conversation: string, user: string, id: string, text: string): Promise<Result<DeskWritten>> {
    const written = await this.#parts.writer.write(conversation, async ({ held }, facts) => {
      if (held.desk.notes.some(note => note.id === id)) return accepted(null)
      await facts.noted(user, text, id)
      return accepted(null)
    })
    if (!written.ok) return written
    await this.#notifyMentioned(written.value, user, text)
    return accepted(writtenOf(written.value))
  }

  async snooze(conversation: string, by: DeskActor, until: number | undefined): Promise<Result<DeskWritten>> {
    if (until !== undefined && until <= this.#parts.now())
      return refused('validation.failed', { errors: [{ path: 'until', code: 'toosmall' }] })
    return this.#write(conversation, async (chat, facts) => {
      if (chat.desk.holder?.user !== by.user) return heldByOther('desk.notyours', chat)
      const window = await agentWindow(this.#parts, chat.held)
      if (until !== undefined && window !== undefined && until > window)
        return refused('desk.window', { params: { until: time(window) } })
      const { snoozed } = chat.desk
      if (snoozed === undefined || snoozed.until !== (until ?? null))
        facts.put('AgentSnoozed', { until: until ?? null, by: by.user })
      return accepted(null)
    })
  }

  /** Puts a snoozed chat back into the load of its holder, also above their capacity. */
  async wake(conversation: string, why: 'until' | 'message' | 'agent', by?: DeskActor): Promise<Result<DeskWritten>> {
    const found = await this.#parts.writer.find(conversation)
    if (!found.ok) return found
    const { desk, talk, held } = found.value
    const { holder } = desk
    if (holder === undefined || (by !== undefined && by.user !== holder.user && !by.isBoss))
      return heldByOther('desk.notyours', found.value)
    if (desk.snoozed === undefined) return accepted(writtenOf(held))
    const { places } = this.#parts
    const { user } = holder
    await places.free(user, holder.slot)
    const slot = randomUUID()
    const { capacity } = await this.#parts.directory.profile(user)
    await places.take(user, { slot, conversation, n: talk.n, auto: false, forced: true, capacity })
    const written = await this.#write(conversation, (chat, facts) => {
      if (chat.desk.snoozed === undefined || chat.desk.holder?.user !== user) return refused('agent.gone')
      facts.put('AgentWoken', { why, slot })
      return accepted(null)
    })
    if (!written.ok) await places.free(user, slot)
    return written
  }

  async prioritize(conversation: string, priority: number, by: DeskActor): Promise<Result<DeskWritten>> {
    return this.#write(conversation, ({ desk }, facts) => {
      if (desk.priority !== priority) facts.put('AgentPrioritized', { priority, by: by.user })
      return accepted(null)
    })
  }

  /**
   * Gives the chats of a queue to another one: who waits keeps their place in time, who holds one keeps it.
   * Returns what was moved. Nothing is moved when the other queue does not serve the bot of one of them.
   */
  async move(from: string, to: DeskQueue, by: DeskActor): Promise<Result<readonly DeskRow[]>> {
    const { desk, directory, bot } = this.#parts
    const rows = desk.rowsIn(from)
    for (const id of new Set(rows.map(row => row.bot))) {
      const levels = await directory.levelsAbove((await bot(id))?.hierarchylevel ?? '')
      if (!to.enable || !levels.includes(to.hierarchylevel ?? ''))
        return refused('validation.failed', { errors: [{ path: 'to', code: 'reference' }] })
    }
    const terms = await this.#terms(to)
    const moved: DeskRow[] = []
    for (let first = 0; first < rows.length; first += MOVED_AT_ONCE) {
      const writes = rows.slice(first, first + MOVED_AT_ONCE).map(async row => {
        const written = await this.#write(row.conversation, (chat, facts) => {
          if (chat.desk.queue === from && chat.talk.n === row.n) facts.moved(to.id, terms, by.user)
          return accepted(null)
        })
        // A chat that has ended is in no queue.
        return written.ok ? [{ ...row, revision: written.value.revision }] : []
      })
      moved.push(...(await Promise.all(writes)).flat())
    }
    return accepted(moved)
  }

  async tag(conversation: string, tags: readonly string[], by: DeskActor): Promise<Result<DeskWritten>> {
    return this.#write(conversation, (chat, facts) => {
      const mine = this.#mine(chat, by)
      if (!mine.ok) return mine
      const wanted = [...new Set(tags.map(tag => tag.trim()).filter(tag => tag !== ''))]
      if (JSON.stringify(wanted) !== JSON.stringify(chat.held.state.tags))
        facts.put('AgentTagged', { tags: wanted, by: by.user })
      return accepted(null)
    })
  }

  async close(conversation: string, by: DeskActor, closing: Closing): Promise<Result<DeskWritten>> {
    // No turn begins while the bot is stopped: there is nothing to return to.
    if (await this.#isStopped(conversation)) return refused('bot.stopped')
    return this.#write(conversation, async (chat, facts) => {
      const mine = this.#mine(chat, by)
      if (!mine.ok) return mine
      const queue = await this.#parts.directory.queue(chat.desk.queue)
      const keys = (queue?.close_reasons ?? []).map(({ key }) => key)
      const { reason, note, return: target } = closing
      if (target !== undefined && !mayReturnTo(queue?.return_targets ?? [], target))
        return refused('validation.failed', { errors: [{ path: 'return', code: 'option' }] })
      if (reason === undefined && queue?.reason_required === true && keys.length > 0) return refused('desk.reason')
      if (reason !== undefined && !keys.includes(reason))
        return refused('validation.failed', { errors: [{ path: 'reason', code: 'option' }] })
      await facts.noted(by.user, note)
      const agent = chat.desk.holder?.name
      await facts.text('left', queue, { agent })
      await facts.text('back', queue, { agent })
      const window = channelWindow(chat.held)
      const rating = chatRatingOf(queue, {
        reason,
        csat: closing.csat,
        hasAgentWritten: chat.talk.agentSaid !== undefined,
        isWindowOpen: window === undefined || window >= this.#parts.now(),
      })
      if (typeof rating === 'string') facts.unrated(rating)
      facts.left('closed', {
        by: by.user,
        ...(reason === undefined ? {} : { key: reason }),
        ...(target === undefined || target.kind === 'flow' ? {} : { return: { ...target } }),
        ...(typeof rating === 'object' ? { rating: { ...rating } } : {}),
      })
      return accepted(null)
    })
  }

  /** Tells the agents of a chat that a user asked to see it until a moment. */
  async reveal(conversation: string, user: string, until: number): Promise<Result<DeskWritten>> {
    return this.#write(conversation, (_chat, facts) => {
      facts.put('ChatRevealed', { user, until })
      return accepted(null)
    })
  }

  /** Its holder looks at a chat that has to be opened in time. */
  async opened(conversation: string, user: string): Promise<void> {
    const row = this.#parts.desk.get(conversation)
    const queue = row?.holder === user ? await this.#parts.directory.queue(row.queue) : undefined
    if (queue === undefined || queue.accept_within === 0) return
    await this.#write(conversation, ({ desk }, facts) => {
      if (desk.holder?.user !== user || desk.isOpened || desk.isAnswered) return accepted(null)
      facts.put('AgentOpened', { user })
      return accepted(null)
    })
  }

  /** A user takes over a live conversation: the turn after the running one gives it to them. */
  async takeOver(conversation: string, by: DeskActor, queue: string | undefined): Promise<Result<DeskWritten>> {
    const { log, bot } = this.#parts
    const held = await log.refresh(conversation)
    if (held === undefined) return refused('entity.notfound')
    if (held.ended !== undefined) return refused('conversation.ended')
    const row = await bot(held.bot)
    if (!isStarted(row)) return refused('bot.stopped')
    if (held.agent?.desk !== undefined) {
      const { holder } = held.agent.desk
      if (holder === undefined) return this.take(conversation, by.user)
      if (holder.user === by.user) return accepted(writtenOf(held))
      if (!by.isBoss) return heldByOther('desk.notyours', { held, talk: held.agent, desk: held.agent.desk })
      return this.#assign(conversation, by.user, { how: 'takeover', by: by.user }, () => accepted(null))
    }
    return takeFromBot(this.#parts, held, by.user, queue)
  }

  /** Accepts the holder, and users with rights to the chats of others. */
  #mine(chat: OpenDeskChat, by: DeskActor): Result<null> {
    return chat.desk.holder?.user === by.user || by.isBoss ? accepted(null) : heldByOther('desk.notyours', chat)
  }

  async #requeue({ desk }: OpenDeskChat, facts: DeskFacts, why: ReleasedWhy, by?: string): Promise<Result<null>> {
    const queue = await this.#parts.directory.queue(desk.queue)
    facts.released(why, by).queued(desk.queue, await this.#terms(queue), why)
    await facts.text('returned', queue, { queue: queue?.name })
    return accepted(null)
  }

  /** Reserves a place, then writes who holds the chat, and frees the place where that is refused. */
  async #assign(
    conversation: string,
    user: string,
    { how, by }: { readonly how: AssignedHow; readonly by?: string },
    may: (chat: OpenDeskChat) => Result<unknown>,
    more: (facts: DeskFacts) => Promise<unknown> = async () => undefined,
  ): Promise<Result<DeskWritten>> {
    const { writer, places, directory } = this.#parts
    const found = await writer.find(conversation)
    if (!found.ok) return found
    const allowed = may(found.value)
    if (!allowed.ok) return allowed
    const { talk, desk } = found.value
    if (desk.holder?.user === user) return accepted(writtenOf(found.value.held))
    const { name, avatar, capacity } = await directory.profile(user)
    const auto = how === 'auto'
    const slot = randomUUID()
    const refusal = await places.take(user, { slot, conversation, n: talk.n, auto, capacity })
    if (refusal === 'held') return this.#reserved(conversation, user, name)
    if (refusal !== undefined) return refused('desk.full', { params: { agent: name, max: auto ? capacity : MAX_HELD } })
    let before: string | undefined
    const holder: NewHolder = { user, how, slot, name, avatar, ...(by === undefined ? {} : { by }) }
    const written = await this.#write(conversation, async (chat, facts) => {
      const still = may(chat)
      if (!still.ok) return still
      if (chat.desk.holder?.user === user)
        return refused('desk.taken', { params: { agent: name, since: time(chat.desk.holder.at) } })
      before = chat.desk.holder?.user
      facts.released(how === 'declined' ? how : 'transfer', by)
      await more(facts)
      await facts.assigned(holder, chat.desk.queue)
      await facts.text('joined', await this.#parts.directory.queue(chat.desk.queue), { agent: name })
      return accepted(null)
    })
    if (!written.ok) {
      await places.free(user, slot)
      return written
    }
    if (how === 'auto' || how === 'given') this.#tell(conversation, 'desk.assigned', [user])
    if (how === 'transfer') this.#tell(conversation, 'desk.transferred', [user])
    if (how === 'declined') this.#tell(conversation, 'desk.declined', [user])
    if (before !== undefined && before !== by) this.#tell(conversation, 'desk.takenover', [before])
    return written
  }

  /** A request that came twice: the first has reserved the place, and gives the chat to the same user or fails. */
  async #reserved(conversation: string, user: string, agent: string): Promise<Result<DeskWritten>> {
    const found = await this.#parts.writer.find(conversation)
    if (!found.ok) return found
    const { holder } = found.value.desk
    if (holder?.user === user) return accepted(writtenOf(found.value.held))
    if (holder !== undefined) return heldByOther('desk.taken', found.value)
    return refused('desk.taken', { params: { agent, since: time(this.#parts.now()) } })
  }

  #tell(conversation: string, message: DeskNotice['message'], users: readonly string[]): void {
    const queue = this.#parts.desk.get(conversation)?.queue ?? ''
    this.#parts.notify({ message, queue, users, conversation })
  }

  async #write(conversation: string, decide: Parameters<DeskWriter['write']>[1]): Promise<Result<DeskWritten>> {
    const written = await this.#parts.writer.write(conversation, decide)
    return written.ok ? accepted(writtenOf(written.value)) : written
  }

  async #isStopped(conversation: string): Promise<boolean> {
    const { log, bot } = this.#parts
    return !isStarted(await bot((await log.load(conversation))?.bot ?? ''))
  }

  async #terms(queue: DeskQueue | undefined): Promise<QueueTerms | undefined> {
    const { directory, now } = this.#parts
    return queue === undefined ? undefined : directory.terms(queue, now())
  }

  async #supervisors(bot: string): Promise<readonly string[]> {
    const level = (await this.#parts.bot(bot))?.hierarchylevel
    return level === null || level === undefined ? [] : this.#parts.directory.supervisorsAt(level)
  }

  async #notifyMentioned(held: FoldedConversation, by: string, text: string): Promise<void> {
    const queue = held.agent?.desk?.queue ?? ''
    const users = await usersMentioned(this.#parts, { bot: held.bot, queue, by, text })
    if (users.length > 0) this.#tell(held.id, 'desk.mentioned', users)
  }
}
