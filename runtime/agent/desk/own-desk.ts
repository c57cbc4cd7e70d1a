import { randomUUID } from 'node:crypto'
import { derivedId } from '#commands/pipeline/append.ts'
import { momentText, waitOf } from '#domain/desk/desk-text.ts'
import { MAX_HELD } from '#domain/desk/place.ts'
import type { Unclaimed } from '#runtime/conversation/store/person-conversations.ts'
import { isPushed } from '#schemas/channel-type.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX, conversationPart, conversationStream } from '#schemas/events/conversation.ts'
import { DESK_PLACE_PREFIX, userOfPlace } from '#schemas/events/desk.ts'
import { textAt, trimmedText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { type FoldedConversation, lastSpoken } from '../../conversation/engine/folded-conversation.ts'
import { isStarted } from '../../release/releases.ts'
import type { AgentChat, AgentCheck, AgentLink } from '../agent-port.ts'
import type { DeskFigures } from '../figures/desk-figures.ts'
import { type DeskDirectory, type DeskQueue, isReadyAt, queueFor, queueOf, usualQueue } from './desk-directory.ts'
import type { DeskIndex, DeskRow } from './desk-index.ts'
import { DeskNews } from './desk-news.ts'
import { agentWindow, type DeskParts } from './desk-parts.ts'
import type { Desk } from './desk-port.ts'
import { DeskPresence } from './desk-presence.ts'
import { DeskRouter } from './desk-router.ts'
import { DeskTimes } from './desk-times.ts'
import { type AgentWords, type DeskActor, DeskWork, faultIn } from './desk-work.ts'
import { DeskFacts, DeskWriter, deskTextFor } from './desk-writer.ts'
import { Places } from './places.ts'
import { type DeskWritten, time } from './take-over.ts'

/** State of a conversation to whose person a user may write first. */
interface FirstWordsState {
  readonly held: FoldedConversation
  /** The person's newest conversation, or the one that is open with them already. */
  readonly newest: Unclaimed | { readonly kind: 'live'; readonly held: FoldedConversation }
  /** ms since 1970 of the person's last word. */
  readonly spoke: number
  /** End of the time in which the channel takes free words; undefined: at any time. */
  readonly window: number | undefined
}

interface FirstWordsParts extends DeskParts {
  readonly places: Places
  readonly say: DeskWork['say']
}

/** Whether an earlier request with this id began a conversation, in which its words may still be missing. */
const isBegunBy = ({ agent }: FoldedConversation, user: string, request: string): boolean => {
  const { holder } = agent?.desk ?? {}
  if (agent === undefined || holder?.user !== user || holder.how !== 'begun') return false
  return agent.agentSaid === undefined || agent.seen.has(request)
}

/** Agents who write first to the person of an ended conversation. */
class FirstWords {
  readonly #parts: FirstWordsParts

  constructor(parts: FirstWordsParts) {
    this.#parts = parts
  }

  /** Whether a user may write first to the person of a conversation, and how. */
  async may(conversation: string): Promise<Result<FirstWordsState>> {
    const { log, persons } = this.#parts
    const held = await log.refresh(conversation)
    if (held === undefined) return refused('entity.notfound')
    // The page of a web chat shows its own conversation alone.
    if (!isPushed(held.channelType) || held.user.id === '') return refused('conversation.unreachable')
    const newest = held.ended === undefined ? ({ kind: 'live', held } as const) : await persons.newest(held)
    const last = newest.kind === 'live' ? newest.held : newest.ended
    const spoke = Math.max(lastSpoken(held), last === undefined ? 0 : lastSpoken(last))
    return accepted({ held, newest, spoke, window: await agentWindow(this.#parts, held, spoke) })
  }

  /**
   * A user writes first to the person of an ended conversation: the next one begins with them as its holder. A repeated
   * request continues where the one before stopped.
   */
  async write(
    conversation: string,
    by: DeskActor,
    words: AgentWords,
    queue: string | undefined,
  ): Promise<Result<DeskWritten & { readonly conversation: string }>> {
    const fault = faultIn(words)
    if (fault !== undefined) return fault
    const begun = await this.#begin(conversation, by, words, queue)
    if (!begun.ok) return begun
    const said = await this.#parts.say(begun.value, by, words)
    return said.ok ? accepted({ ...said.value, conversation: begun.value }) : said
  }

  /** The conversation in which a user writes first. */
  async #begin(
    conversation: string,
    by: DeskActor,
    words: AgentWords,
    queue: string | undefined,
  ): Promise<Result<string>> {
    const id = derivedId(conversation, `written ${words.id}`)
    for (;;) {
      const may = await this.may(conversation)
      if (!may.ok) return may
      const { newest } = may.value
      if (newest.kind === 'live') {
        const { held } = newest
        if (isBegunBy(held, by.user, words.id)) return accepted(held.id)
        return refused('conversation.open', { params: { conversation: held.id } })
      }
      // An earlier request with this id began it.
      if (newest.ended?.id === id) return accepted(id)
      const { unopened = id } = newest
      const begun = await this.#claim(unopened, may.value, newest, by.user, { words, queue })
      if (!begun.ok) return begun
      if (begun.value) return accepted(unopened)
    }
  }

  /** False: the person, or another agent, began a conversation at that moment. */
  async #claim(
    id: string,
    { held, spoke, window }: FirstWordsState,
    newest: Unclaimed,
    user: string,
    { words: { template }, queue }: { readonly words: AgentWords; readonly queue: string | undefined },
  ): Promise<Result<boolean>> {
    const { bot, channelOf, now, words, places, directory, persons, begin, engine } = this.#parts
    if (!isStarted(await bot(held.bot))) return refused('bot.stopped')
    const channel = await channelOf(held.bot)
    if (channel === undefined) return refused('desk.off')
    if (window !== undefined && window < now() && template === undefined)
      return refused('desk.window', { params: { until: time(window) } })
    const found =
      queue === undefined ? await usualQueue(this.#parts, held.bot, user) : await queueOf(this.#parts, held.bot, queue)
    if (queue !== undefined && found === undefined)
      return refused('validation.failed', { errors: [{ path: 'queue', code: 'reference' }] })
    const { name, avatar, capacity } = await directory.profile(user)
    const slot = randomUUID()
    const refusal = await places.take(user, { slot, conversation: id, n: 1, auto: false, capacity })
    if (refusal === 'held') return refused('desk.taken', { params: { agent: name, since: time(now()) } })
    if (refusal !== undefined) return refused('desk.full', { params: { agent: name, max: MAX_HELD } })
    const sealed = await words.seal(held.person, { name, avatar, joined: '' }, conversationStream(id))
    const data = { user, how: 'begun', queue: found?.id ?? '', channel, slot, sealed, claim: { ...engine.claim() } }
    const first = { type: 'TakeoverAsked' as const, cause: `${id} takeover ${slot}`, time: now(), data }
    const isClaimed = await persons.claim(held, newest, id)
    const opened = isClaimed ? await begin(held, { id, spoke, first }) : accepted({ isNew: false })
    if (opened.ok && opened.value.isNew) return accepted(true)
    await places.free(user, slot)
    return opened.ok ? accepted(false) : opened
  }
}

/** Samples of the mean time of a chat, and their age. */
const SAMPLES = 20
const SAMPLE_MS = 4 * 3_600_000
/** Number of the option that takes a waiting person back to the bot. */
const LEAVE_NUMBER = '1'
/** Longest wait for the index, and the pause between two looks, ms. */
const SHOWN_MS = 2_000
const LOOK_MS = 10
/** The place of those who wait is shown again at most this often. */
const MOVED_MS = 500
/** An agent is not notified of a message that is older. */
const NEWS_MS = 60_000
/** Places of the agents of a queue are counted again after this time. */
const CAPACITY_MS = 2_000
/** Events that change no chat as the desk shows it. */
const UNSEEN: ReadonlySet<string> = new Set(['AgentLeased', 'ClaimTaken', 'EffectRequested'])
/** Events that change who waits, or the order of those who do. */
const ORDERED: ReadonlySet<string> = new Set([
  'AgentQueued',
  'AgentAssigned',
  'AgentReleased',
  'AgentPrioritized',
  'AgentMoved',
  'AgentLeft',
  'TurnTaken',
  'TurnFailed',
  'ConversationEnded',
])
/** Higher than that of each page. */
const EVERY_REVISION = Number.MAX_SAFE_INTEGER
/** Web chats have the way back in their menu. */
const WITH_MENU = 'webchat'

/** Place of a waiting person, as their web chat shows it. */
interface WaitingPlace {
  readonly position: number
  /** null: not known. */
  readonly wait: string | null
}

/** Parley's own desk on one node. */
export class OwnDesk implements Desk {
  readonly places: Places
  readonly presence: DeskPresence
  readonly news: DeskNews
  readonly work: DeskWork
  readonly firstWords: FirstWords
  readonly directory: DeskDirectory
  readonly #router: DeskRouter
  readonly #parts: DeskParts
  readonly #times: DeskTimes
  readonly #stop: () => void
  readonly #moving = new Map<string, NodeJS.Timeout>()
  #isStopped = false
  readonly #capacities = new Map<string, { readonly at: number; readonly places: Promise<number> }>()

  constructor(parts: DeskParts) {
    this.#parts = parts
    this.directory = parts.directory
    this.places = new Places(parts.store, parts.now)
    this.presence = new DeskPresence(parts.hints, parts.now, user => this.#router.pokeOf(user))
    this.news = new DeskNews(parts.hints, parts.now, parts.typing)
    const writer = new DeskWriter(parts)
    const base = { ...parts, desk: parts.index.desk, writer, places: this.places, presence: this.presence }
    this.work = new DeskWork({ ...base, news: this.news })
    const { work, places } = this
    this.firstWords = new FirstWords({ ...parts, places, say: (...given) => work.say(...given) })
    this.#router = new DeskRouter({
      ...base,
      levelOf: async bot => (await parts.bot(bot))?.hierarchylevel ?? '',
      give: (row, user) => work.give(row, user),
      release: (row, why) => work.release(row, why),
    })
    this.#times = new DeskTimes({
      ...base,
      position: (row, queue) => this.#place(row, queue),
      hasEligible: (queue, bot) => this.#router.hasEligible(queue, bot),
      wake: conversation => work.wake(conversation, 'until'),
      release: (row, why, seen) => work.release(row, why, seen),
      isStopped: async bot => !isStarted(await parts.bot(bot)),
      alert: (queue, message, conversation) => this.#router.alert(queue, message, conversation),
    })
    this.#stop = parts.directory.onChanged(() => this.#router.rightsChanged())
  }

  get index(): DeskIndex {
    return this.#parts.index.desk
  }

  /** Follows the log after the index: frees places, routes and tells the sockets of this node. */
  heard({ stream, type, time, data }: StoredEvent): void {
    // The index closes while its last events are still handled.
    if (this.#isStopped) return
    if (stream.startsWith(DESK_PLACE_PREFIX)) {
      const user = userOfPlace(stream)
      this.news.place(user)
      this.#router.watch()
      // A place that was taken helps nobody who waits.
      if (type !== 'SlotTaken') this.#router.pokeOf(user)
      return
    }
    if (!this.index.isUsed || UNSEEN.has(type) || !stream.startsWith(CONVERSATION_PREFIX)) return
    const { id } = conversationPart(stream)
    const row = this.index.get(id)
    if (type === 'PersonForgotten') {
      const { index } = this.#parts
      // Open pages read again what is left of their chats.
      for (const each of index.ofPerson(index.get(id)?.person ?? '')) this.news.chat(each, EVERY_REVISION)
      return
    }
    // Of an ended chat only its end, and what is still said about it.
    if (row === undefined || (row.closed !== null && row.closed !== Date.parse(time) && row.n !== data.n)) return
    this.news.chat(id, row.revision)
    if (type === 'MessageReceived') this.news.personWrote(id)
    const freed = row.freed === null ? undefined : this.index.slot(row.freed)
    const isMissed = row.status === 'waiting' && row.returned === 'missed'
    if (freed !== undefined) void this.places.free(freed.user, freed.slot, isMissed).catch(this.#parts.failed)
    if (ORDERED.has(type)) this.#moved(row.queue)
    if (row.status === 'waiting' && ORDERED.has(type)) {
      this.#router.watch()
      this.#router.poke(row.queue)
    }
    const { holder, queue } = row
    const isNew = this.#parts.now() - Date.parse(time) < NEWS_MS
    if (type === 'MessageReceived' && holder !== null && isNew && !this.news.isViewing(id, holder))
      this.#parts.notify({ message: 'desk.message', queue, users: [holder], conversation: id })
  }

  /** Place in the queue of a waiting person, and the wait from there; undefined: they do not wait. */
  async waitingPlace({ id, bot, agent }: FoldedConversation): Promise<WaitingPlace | undefined> {
    const { desk } = agent ?? {}
    if (desk === undefined || desk.holder !== undefined) return undefined
    const position = this.index.position(id)
    const queue = position === 0 ? undefined : await this.directory.queue(desk.queue)
    return queue && { position, wait: (await this.#wait(queue, bot, position)) ?? null }
  }

  /** The order of a queue changed: the web chats of those who wait in it show their place. */
  #moved(queue: string): void {
    if (this.#moving.has(queue)) return
    const timer = setTimeout(() => {
      this.#moving.delete(queue)
      for (const { conversation } of this.index.waitingIn(queue)) this.#parts.moved(conversation)
    }, MOVED_MS)
    this.#moving.set(queue, timer.unref())
  }

  get figures(): DeskFigures {
    return this.#parts.index.figures
  }

  /** End of the time in which an agent may write to a person, ms since 1970; undefined: at any time. */
  windowOf(held: FoldedConversation): Promise<number | undefined> {
    return agentWindow(this.#parts, held)
  }

  load(conversation: string): Promise<FoldedConversation | undefined> {
    return this.#parts.log.load(conversation)
  }

  /** Waits until the index has a write of this node, so that the next list shows it. */
  async shown(conversation: string, revision: number): Promise<void> {
    await this.#until(() => (this.index.get(conversation)?.revision ?? revision) >= revision)
  }

  /** Waits until the index has a state of a user that was set at a moment, ms since 1970. */
  async placed(user: string, since: number): Promise<void> {
    await this.#until(() => (this.index.place(user)?.since ?? since) >= since)
  }

  /** Waits until a user holds a chat, as after a takeover whose turn runs. */
  async held(conversation: string, user: string): Promise<void> {
    await this.#until(() => this.index.get(conversation)?.holder === user)
  }

  async #until(isThere: () => boolean): Promise<void> {
    const end = performance.now() + SHOWN_MS
    while (performance.now() < end && !isThere()) await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }

  /** Nothing is routed now. */
  get isQuiet(): boolean {
    return this.#router.isQuiet
  }

  /** Routes everything once, as the safety sweep does. Returns the number of assignments. */
  sweep(): Promise<number> {
    return this.#router.sweep()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stop()
    for (const timer of this.#moving.values()) clearTimeout(timer)
    this.presence.close()
    this.news.close()
    await this.#router.close()
  }

  async open(chat: AgentChat, fields: JsonObject): Promise<Result<AgentLink>> {
    const held = await this.#parts.log.refresh(chat.conversation)
    const talk = [held?.agent, ...(held?.closing ?? [])].find(each => each?.key === chat.key)
    if (held === undefined || talk === undefined) return refused('agent.gone')
    const link = { conversation: chat.conversation, n: talk.n }
    if (talk.desk !== undefined || talk !== held.agent) return accepted(link)
    const queue = await this.#queueOf(held, chat.queue.trim(), trimmedText(fields.defaultqueue), talk.channel)
    if (queue === undefined) return this.#nobody(held, undefined, 'noagents', 'nobody')
    const refusal = await this.#refusal(held, queue)
    if (refusal !== undefined) return refusal
    const priority = Math.max(talk.priority, rulePriority(queue, talk.fields))
    const waiting = this.index.waitingIn(queue.id)
    const ahead = waiting.filter(other => other.priority >= priority).length
    const terms = await this.directory.terms(queue, this.#parts.now())
    const written = await this.#parts.log.write(chat.conversation, async latest => {
      const current = latest?.agent
      if (latest === undefined || current?.key !== chat.key || current.desk !== undefined) return []
      const facts = new DeskFacts(this.#parts, latest, { ...current, priority }).queued(queue.id, terms)
      await this.#waitingText(facts, latest, queue, ahead + 1)
      return facts.all()
    })
    if (written !== undefined) this.#parts.tell(written)
    this.#router.poke(queue.id)
    await this.#router.alertFull(queue, waiting.length + 1)
    return accepted(link)
  }

  async said({ conversation }: AgentLink): Promise<Result<null>> {
    const row = this.index.get(String(conversation))
    if (row?.status === 'snoozed') await this.work.wake(row.conversation, 'message')
    return accepted(null)
  }

  /** Nothing to do: the event that ended the chat frees its place. */
  async close(): Promise<Result<null>> {
    return accepted(null)
  }

  due({ conversation }: AgentLink): Promise<number> {
    return this.#times.due(String(conversation))
  }

  openIn(queue: string): number {
    return this.index.openIn(queue)
  }

  isReadyAt(level: string): Promise<boolean> {
    return isReadyAt(this.directory, level)
  }

  async check(fields: JsonObject, bot: string): Promise<readonly AgentCheck[]> {
    const { directory } = this.#parts
    const level = (await this.#parts.bot(bot))?.hierarchylevel ?? ''
    const levels = await directory.levelsAbove(level)
    const queue = queueFor(await directory.queues(), levels, trimmedText(fields.defaultqueue))
    const agents = directory.agentsAt(level)
    const members = (queue?.members ?? []).filter(({ user }) => agents.has(user))
    const isThere = members.some(({ user }) => this.presence.isPresent(user))
    return [
      { part: 'queue', result: queue === undefined ? refused('agent.notfound', NOT_FOUND) : accepted(queue.name) },
      { part: 'agents', result: isThere ? accepted(String(members.length)) : refused('agent.nobody') },
    ]
  }

  async #queueOf(
    held: FoldedConversation,
    named: string,
    usual: string,
    channel: string,
  ): Promise<DeskQueue | undefined> {
    const { directory, bot, botLog } = this.#parts
    const levels = await directory.levelsAbove((await bot(held.bot))?.hierarchylevel ?? '')
    const queues = await directory.queues()
    const found = named === '' ? undefined : queueFor(queues, levels, named)
    if (named !== '' && found === undefined) {
      const about = { bot: held.bot, release: held.release, conversation: held.id, service: `parley:${channel}` }
      botLog?.log({ level: 'warn', code: 'desk.queue', ...about })
    }
    return found ?? (usual === '' ? undefined : queueFor(queues, levels, usual)) ?? queueFor(queues, levels, '')
  }

  /** Why a queue takes no chat now. */
  async #refusal(held: FoldedConversation, queue: DeskQueue): Promise<Result<never> | undefined> {
    if (queue.members.length === 0) return this.#nobody(held, queue, 'noagents', 'nobody')
    const { isOpen } = await this.directory.opening(queue, this.#parts.now())
    if (!isOpen && !(await this.#router.hasEligible(queue, held.bot)))
      return this.#nobody(held, queue, 'hours', 'closed')
    if (this.index.waitingIn(queue.id).length >= queue.max_waiting) return this.#nobody(held, queue, 'full', 'full')
    return undefined
  }

  async #nobody(
    held: FoldedConversation,
    queue: DeskQueue | undefined,
    why: 'hours' | 'full' | 'noagents',
    moment: 'nobody' | 'full' | 'closed',
  ): Promise<Result<never>> {
    const now = this.#parts.now()
    const opens = queue === undefined ? undefined : (await this.directory.opening(queue, now)).opens
    const next =
      opens === undefined || queue === undefined ? undefined : momentText(opens, now, queue.timezone, held.locale)
    const text = await deskTextFor(this.#parts, held, moment, queue, { next, queue: queue?.name })
    const task = why === 'hours' ? (queue?.closed_task ?? '') : ''
    return refused('agent.nobody', { params: { why, text: text ?? '', task } })
  }

  /** Position of a waiting chat, and how long it takes from there. */
  async #place({ conversation, bot }: Pick<DeskRow, 'conversation' | 'bot'>, queue: DeskQueue) {
    const position = this.index.position(conversation)
    return { position, wait: await this.#wait(queue, bot, position) }
  }

  async #wait(queue: DeskQueue, bot: string, position: number): Promise<string | undefined> {
    const now = this.#parts.now()
    const key = `${queue.id} ${bot}`
    const known = this.#capacities.get(key)
    const isKnown = known !== undefined && Math.abs(now - known.at) < CAPACITY_MS
    const places = isKnown ? known.places : this.#router.placesOf(queue, bot)
    if (!isKnown) this.#capacities.set(key, { at: now, places })
    return waitOf(position, this.index.handled(queue.id, now - SAMPLE_MS, SAMPLES), await places)
  }

  async #waitingText(facts: DeskFacts, held: FoldedConversation, queue: DeskQueue, position: number): Promise<void> {
    const wait = await this.#wait(queue, held.bot, position)
    const values = { position: String(position), wait, queue: queue.name }
    const moment = wait === undefined ? 'waiting_unknown' : 'waiting'
    const text = await deskTextFor(this.#parts, held, moment, queue, values)
    if (text === undefined) return
    const more = { moment, position }
    const row = held.channelType === WITH_MENU ? undefined : await this.#parts.bot(held.bot)
    if (row === undefined) return void (await facts.message(text, more))
    const option = (await this.#parts.settings(row, held.locale)).messages.get('desk.tobot') ?? ''
    await facts.message(`${text}\n${LEAVE_NUMBER}. ${option}`, { ...more, leave: [LEAVE_NUMBER, option] })
  }
}

const NOT_FOUND = { params: { status: 0, error: '' } } as const

/** The highest priority that a rule of the queue gives to fields of a chat. */
const rulePriority = ({ priority_rules: rules }: DeskQueue, fields: JsonObject): number =>
  Math.max(
    0,
    ...rules.map(rule =>
      String(fields[rule.field] ?? textAt(fields, rule.field)) === rule.equals ? (rule.priority ?? 0) : 0,
    ),
  )
