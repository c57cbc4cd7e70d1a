import type { JsonObject } from '#schemas/event.ts'
import {
  CONVERSATION_DAY_PREFIX,
  CONVERSATION_PREFIX,
  DELIVERY_PREFIX,
  INBOX_PREFIX,
} from '#schemas/events/conversation.ts'
import type { OpenedConversations } from '../../conversation/conversation-port.ts'
import type { Words } from '../../conversation/engine/folded-conversation.ts'
import { createConversationContinuation } from '../../conversation/store/log.ts'
import { removeStream } from '../../log/stream-aggregate.ts'
import type { FileStorage } from '../../storage/storage-port.ts'
import type { ProviderEvent } from '../channel-port.ts'
import type { ChannelWatch, ProviderChannel } from '../open-channels.ts'
import { messageOf, readActionValue } from '../shared/message-text.ts'
import { Deliveries, type DeliveryParts } from './deliveries.ts'
import { type DeliveryState, hasCallback, isHigher } from './delivery-state.ts'
import { ExchangeIndex } from './exchange-index.ts'
import {
  type EventRoute,
  type Heard,
  type Inbox,
  type InboxEntry,
  type InboxFollowers,
  type InboxMessage,
  openInbox,
  type Pause,
  type PersonEvent,
  type ReceiptEvent,
  unheldPause,
  type WorkPace,
  WorkQueue,
} from './inbox.ts'
import { messageId, readContent } from './read-content.ts'
import { TestMessages } from './test-message.ts'

const TICK_MS = 500
const MAX_AT_ONCE = 100
const STOP_MS = 2_000
/** A receipt that arrives before its message is known is retried for this long. */
const EARLY_MS = 60_000
const EARLY_LOOK_MS = 1_000
const DAY_MS = 86_400_000
/** Providers repeat a call for up to a week: duplicates are recognized for this long. */
const KEPT_MS = 8 * DAY_MS
const UNROUTED_KEPT_MS = 7 * DAY_MS
const PULSE_KEPT_MS = 8 * DAY_MS
/** Pause before a failed follower gets an event again, doubled with each attempt up to the longest. */
const FOLLOW_AGAIN_MS = 1_000
const MAX_FOLLOW_AGAIN_MS = 600_000
/** Longest wait of the bot for the other followers, one of which may keep a message from it. */
const DECIDE_MS = 2_000

export interface ExchangeOptions extends Omit<DeliveryParts, 'index' | 'load' | 'personOf' | 'now' | 'refused'> {
  /** File of the index, which can be rebuilt. */
  readonly file: string
  readonly words: Words
  readonly followers: InboxFollowers
  readonly watch?: Pick<ChannelWatch, 'fileRefused'>
  readonly conversations: OpenedConversations
  readonly storage: Pick<FileStorage, 'put' | 'keep'>
  readonly baseUrl: () => string
  readonly now?: () => number
}

type IncomingMessage = Extract<ProviderEvent, { kind: 'message' }>

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const paceOf = ({ fields }: ProviderChannel): WorkPace => ({
  parallel: numberOf(fields.parallel_execution_processes),
  interval: numberOf(fields.jobinterval) ?? 0,
})

/** Result of the followers of a stored message. */
interface FollowerResult {
  /** Names of those that failed. */
  readonly left: readonly string[]
  readonly isForBot: boolean
  readonly campaign: JsonObject | undefined
}

/** A stored message; `followed` resolves when the followers beside the bot have it. */
interface StoredMessage {
  readonly isNew: boolean
  readonly followed: Promise<unknown>
}

const KNOWN: StoredMessage = { isNew: false, followed: Promise.resolve() }

/** Messages between conversations and the providers of channels, in both directions. */
export class Exchange {
  readonly #options: ExchangeOptions
  readonly #index: ExchangeIndex
  readonly #inbox: Inbox
  readonly #deliveries: Deliveries
  readonly tests: TestMessages
  readonly #queues = new Map<string, WorkQueue>()
  readonly #waiting = new Set<string>()
  readonly #following = new Map<string, Promise<FollowerResult>>()
  readonly #proceed: ReturnType<typeof createConversationContinuation>
  #ticking: NodeJS.Timeout | undefined

  constructor(options: ExchangeOptions) {
    this.#options = options
    const { store, words, node, conversations } = options
    const now = () => this.#now()
    this.#index = new ExchangeIndex(options.file)
    this.#inbox = openInbox({ store, words, node, now, isKnown: stream => this.#index.hasInbox(stream) })
    this.tests = new TestMessages({ index: this.#index, call: options.call, personOf: words.personOf, now })
    this.#proceed = createConversationContinuation({ conversations })
    this.#deliveries = new Deliveries({
      ...options,
      refused: async send => {
        for (const follower of options.followers.all) await follower.refused?.(send)
      },
      ...{ index: this.#index, now, personOf: words.personOf },
      load: id => conversations.load(id),
    })
  }

  /** When a person wrote on a channel last (ms); 0: never. */
  lastWord(channel: string, person: string): number {
    return this.#index.lastWord(channel, person)
  }

  /** Reads the log, and resumes unfinished work. */
  async begin(): Promise<void> {
    const { store, isAlone, failed } = this.#options
    await this.#index.follow(store, {
      name: 'channels',
      prefixes: [INBOX_PREFIX, DELIVERY_PREFIX, CONVERSATION_PREFIX, CONVERSATION_DAY_PREFIX],
      heard: event => {
        if (event.stream.startsWith(CONVERSATION_DAY_PREFIX)) void this.#forget(String(event.data.conversation))
      },
      failed,
    })
    this.#ticking = setInterval(() => void this.#tick().catch(this.#options.failed), TICK_MS).unref()
    if (!isAlone) return
    for (const conversation of this.#index.unsettled()) this.#deliveries.run(conversation)
    for (const stream of this.#index.waitingInbox()) void this.#takeOver(stream).catch(this.#options.failed)
  }

  /** Sends the pending messages of a conversation. */
  deliver(conversation: string): void {
    this.#deliveries.run(conversation)
  }

  /** Shows "typing" to the person of a conversation. */
  showTyping(conversation: string): void {
    void this.#deliveries.showTyping(conversation)
  }

  state(conversation: string): Promise<DeliveryState> {
    return this.#deliveries.state(conversation)
  }

  /** The index of what came in and went out, for the health of channels. */
  get index(): ExchangeIndex {
    return this.#index
  }

  get deliveries(): Deliveries {
    return this.#deliveries
  }

  /** Resolves when the event is stored; it is processed later. */
  async take(route: EventRoute, event: ProviderEvent): Promise<StoredMessage> {
    const { channel } = route
    switch (event.kind) {
      case 'message':
        this.#log(channel, 'channel.received', event.content.kind)
        return this.#store(route, event)
      case 'receipt':
        await this.receipts([{ route, event }])
        return KNOWN
      case 'watermark':
        if (channel !== undefined) await this.#watermark(channel, event)
        return KNOWN
      case 'echo':
        return KNOWN
      case 'reaction':
      case 'edit':
      case 'deletion':
      case 'unknown':
        this.#log(channel, `channel.${event.kind}`, event.kind === 'unknown' ? event.type : '')
        await Promise.all(this.#options.followers.all.map(each => each.other?.({ route, event })))
        return KNOWN
      case 'account':
        this.#log(channel, `channel.${event.kind}`, event.name)
        await Promise.all(this.#options.followers.all.map(each => each.news?.({ route, event })))
        return KNOWN
      default:
        return event satisfies never
    }
  }

  /** Resolves when the receipts are stored, each by the sender of its message. */
  async receipts(heard: readonly Heard<ReceiptEvent>[]): Promise<void> {
    for (const { route, event } of heard) this.#log(route.channel, 'channel.receipt', event.state)
    const others = heard.filter(
      ({ route: { channel }, event }) => channel === undefined || !this.tests.receive(channel.id, event),
    )
    const left = await this.#unclaimed(others)
    for (const { route, event } of left) {
      // Without a channel nothing of a bot was sent from the number.
      const { channel } = route
      if (channel !== undefined && !(await this.#received(channel, event))) await this.#store(route, event)
    }
  }

  /** Applies a receipt; one of a message that was sent a moment ago waits until the index has that message. */
  async #received(channel: ProviderChannel, event: ReceiptEvent): Promise<boolean> {
    if (await this.#deliveries.receive(channel, event)) return true
    const { store, failed } = this.#options
    await store
      .head()
      .then(head => this.#index.reached(head))
      .catch(failed)
    return this.#deliveries.receive(channel, event)
  }

  /** Stores that an event has no channel. Resolves to true for an event that was not stored before. */
  unrouted(route: EventRoute, event: ProviderEvent): Promise<boolean> {
    return this.#inbox.putUnrouted(route, event)
  }

  /** Removes events that providers no longer repeat. Returns their number. */
  async sweep(): Promise<number> {
    const { store } = this.#options
    let count = 0
    this.#index.dropPulse(this.#now() - PULSE_KEPT_MS)
    for (;;) {
      const found = [
        ...this.#index.oldInbox(this.#now() - KEPT_MS, 100),
        ...this.#index.oldUnrouted(this.#now() - UNROUTED_KEPT_MS, 100),
      ]
      for (const stream of found) {
        await removeStream(store, stream)
        this.#index.forgetInbox(stream)
        count += 1
      }
      if (found.length === 0) return count
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking)
    for (const queue of this.#queues.values()) queue.close()
    await this.#deliveries.close(STOP_MS)
    await this.#index.close()
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  #log(channel: ProviderChannel | undefined, code: string, detail = ''): void {
    if (channel === undefined) return
    const { bot, type, id } = channel
    const more = detail === '' ? {} : { detail }
    this.#options.botLog?.log({ level: 'info', code, bot, service: `${type}:${id}`, ...more })
  }

  async #store(route: EventRoute, event: PersonEvent | ReceiptEvent): Promise<StoredMessage> {
    const put = await this.#inbox.put(route, event)
    if (put === undefined) return KNOWN
    const followed = event.kind === 'message' ? this.#follow(put.stream, { route, event }) : Promise.resolve()
    this.#enqueue(route.channel, put.stream, put.person)
    return { isNew: true, followed }
  }

  /** Receipts that no follower knows. */
  async #unclaimed(heard: readonly Heard<ReceiptEvent>[]): Promise<readonly Heard<ReceiptEvent>[]> {
    let left = heard
    for (const follower of this.#options.followers.all) {
      const known = (left.length === 0 ? undefined : await follower.receipts?.(left)) ?? []
      left = left.filter((_, at) => known[at] !== true)
    }
    return left
  }

  /** Gives a message to the followers, each apart from the others; again only to `left`. */
  #follow(stream: string, heard: InboxMessage, left?: readonly string[]): Promise<FollowerResult> {
    const known = this.#following.get(stream)
    if (known !== undefined) return known
    const chosen = this.#options.followers.all.filter(({ name }) => left === undefined || left.includes(name))
    const work = async (): Promise<FollowerResult> => {
      const failed: string[] = []
      const answers = await Promise.all(
        chosen.map(async follower => {
          try {
            return await follower.message?.(heard)
          } catch (error) {
            failed.push(follower.name)
            this.#options.failed(error)
            return undefined
          }
        }),
      )
      return {
        left: failed,
        isForBot: answers.every(answer => answer?.isForBot !== false),
        campaign: answers.find(answer => answer?.campaign !== undefined)?.campaign,
      }
    }
    const followed = work()
    this.#following.set(stream, followed)
    return followed
  }

  /** Events of a number without a channel are worked off at once. */
  #enqueue(channel: ProviderChannel | undefined, stream: string, person: string): void {
    if (this.#waiting.has(stream)) return
    this.#waiting.add(stream)
    const run = (pause: Pause) =>
      this.#workOff(stream, pause)
        .catch(this.#options.failed)
        .finally(() => {
          this.#waiting.delete(stream)
          this.#following.delete(stream)
        })
    if (channel === undefined) {
      void run(unheldPause)
      return
    }
    const queue = this.#queues.get(channel.id) ?? new WorkQueue()
    this.#queues.set(channel.id, queue)
    queue.add(paceOf(channel), { key: person, run })
  }

  async #tick(): Promise<void> {
    const now = this.#now()
    await this.#deliveries.resumeChanged()
    for (const { id, answers } of this.#index.due(now, MAX_AT_ONCE)) {
      // Without this look each node would read each conversation of a REST channel that another node answered.
      const isAnswered = answers !== undefined && !(await hasCallback(this.#options.channels, answers))
      if (isAnswered) this.#index.dropAnswers(id)
      else this.#deliveries.run(id)
    }
    const left = this.#index.leftInbox(now, MAX_AT_ONCE).filter(stream => !this.#waiting.has(stream))
    await Promise.all(left.map(stream => this.#takeOver(stream)))
  }

  /** Processes an event that another node received and did not handle, or that a follower failed to take. */
  async #takeOver(stream: string): Promise<void> {
    const entry = await this.#inbox.read(stream)
    if (entry === undefined || !(await this.#inbox.take(entry))) return
    const channel = entry.channel === '' ? undefined : await this.#options.channels.get(entry.channel)
    if (channel !== undefined || entry.channel === '') return this.#enqueue(channel, stream, entry.person)
    const taken = await this.#inbox.read(stream)
    if (taken !== undefined) await this.#inbox.handled(taken, 'channel')
  }

  async #workOff(stream: string, pause: Pause): Promise<void> {
    const entry = await this.#inbox.read(stream)
    if (entry === undefined) return
    const { event, left } = entry
    const channel = entry.channel === '' ? undefined : await this.#options.channels.get(entry.channel)
    const route = { family: entry.family, to: entry.to, channel, account: entry.account || undefined }
    const heard = event?.kind === 'message' ? { route, event, outcome: entry.outcome } : undefined
    const following = heard && this.#follow(stream, heard, left)
    const outcome = left === undefined ? await this.#forBot(channel, entry, following, pause) : 'followed'
    const behind = (await following)?.left ?? []
    const untaken = heard && left === undefined ? await this.#untaken({ ...heard, outcome }, behind) : []
    const failed = [...behind, ...untaken]
    if (failed.length === 0 || this.#now() - entry.received > KEPT_MS) return this.#inbox.handled(entry, outcome)
    const wait = Math.min(FOLLOW_AGAIN_MS * 2 ** Math.min(entry.tries, 20), MAX_FOLLOW_AGAIN_MS)
    return this.#inbox.handled(entry, outcome, { left: failed, due: this.#now() + wait })
  }

  /** Gives a message that the bot did not take to the followers that wait for that. Returns the names of those that failed. */
  async #untaken(heard: InboxMessage, behind: readonly string[]): Promise<readonly string[]> {
    const failed: string[] = []
    for (const follower of heard.outcome === 'stored' ? [] : this.#options.followers.all)
      if (follower.hearsUntaken === true && !behind.includes(follower.name))
        await follower.message?.(heard).catch(error => {
          failed.push(follower.name)
          this.#options.failed(error)
        })
    return failed
  }

  /** The bot's part of an event: a stopped bot or a disabled channel stops nothing else. */
  async #forBot(
    channel: ProviderChannel | undefined,
    entry: InboxEntry,
    following: Promise<FollowerResult> | undefined,
    pause: Pause,
  ): Promise<string> {
    if (channel === undefined) return 'account'
    if (!channel.isEnabled && entry.event?.kind !== 'receipt') return 'disabled'
    const late = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), DECIDE_MS).unref())
    const decided = await Promise.race([following, late])
    return decided?.isForBot === false ? 'kept' : this.#handle(channel, entry, pause, decided?.campaign)
  }

  /** Handles an event. Returns the outcome as a code. */
  async #handle(
    channel: ProviderChannel,
    { event, received, ...entry }: InboxEntry,
    pause: Pause,
    campaign?: JsonObject,
  ): Promise<string> {
    if (event === undefined) return 'forgotten'
    if (event.kind === 'receipt') {
      const heard = [{ route: { family: entry.family, to: entry.to, channel }, event }]
      while (!(await this.#deliveries.receive(channel, event)) && (await this.#unclaimed(heard)).length > 0) {
        if (this.#now() - received > EARLY_MS) return 'unknown'
        await pause(EARLY_LOOK_MS)
      }
      return 'receipt'
    }
    const { conversations } = this.#options
    const { from, payload, content } = event
    const parts = {
      ...this.#options,
      pause,
      load: (id: string) => conversations.load(id),
      tell: (of: ProviderChannel, code: string, detail: string) => {
        this.#log(of, code, detail)
        this.#options.watch?.fileRefused(of.id)
      },
    }
    const carried = payload ?? (content.kind === 'choice' ? content.value : undefined)
    const sender = { channel: channel.id, user: from, payload: carried, message: messageId(event.id) }
    const answered = campaign === undefined ? {} : { campaign }
    const stored = await this.#proceed(sender, async conversation => ({
      ...(await readContent(parts, channel, event, conversation)),
      ...answered,
    }))
    if (stored.ok) return 'stored'
    const isSpoken = stored.refusal.code === 'chat.stale' && (await this.#isOfNoQuestion(channel, event))
    if (!isSpoken) {
      this.#log(channel, `channel.${stored.refusal.code.replaceAll('.', '')}`)
      return stored.refusal.code
    }
    // A button of an ended conversation counts as its text.
    const words = content.kind === 'choice' ? content.title : content.kind === 'text' ? content.text : ''
    const said = { kind: 'text' as const, text: words }
    const again = await this.#proceed(sender, async conversation => ({
      ...(await readContent(parts, channel, { ...event, content: said }, conversation)),
      ...answered,
      type: 'text' as const,
    }))
    return again.ok ? 'stored' : again.refusal.code
  }

  /** Whether a stale press is of an earlier conversation, and its words are no answer to a question of this one. */
  async #isOfNoQuestion(channel: ProviderChannel, { from, content }: IncomingMessage): Promise<boolean> {
    if (content.kind === 'text') return true
    const pressed = content.kind === 'choice' ? readActionValue(content.value) : undefined
    const live = await this.#options.conversations.live(channel.id, from.id)
    const held = live === undefined ? undefined : await this.#options.conversations.load(live)
    if (pressed === undefined || held === undefined) return false
    const isOwn = held.said.has(Number(messageOf(pressed.of, held.id)))
    return !isOwn && held.state.status !== 'waiting'
  }

  async #watermark(
    channel: ProviderChannel,
    { user, state, until }: Extract<ProviderEvent, { kind: 'watermark' }>,
  ): Promise<void> {
    const conversation = await this.#options.conversations.live(channel.id, user)
    if (conversation === undefined) return
    const { parts } = await this.#deliveries.state(conversation)
    for (const [key, part] of parts)
      if (part.time <= until && part.status !== 'failed' && isHigher(state, part.status))
        await this.#deliveries.receive(channel, {
          ...{ kind: 'receipt', id: part.id, to: '', state, time: until },
          callback: `${conversation}.${key}`,
        })
  }

  /** Removes the delivery data of a removed conversation. */
  async #forget(conversation: string): Promise<void> {
    await removeStream(this.#options.store, DELIVERY_PREFIX + conversation).catch(this.#options.failed)
    this.#index.forget(conversation)
    await this.#deliveries.forget(conversation)
  }
}

export const openExchange = async (options: ExchangeOptions): Promise<Exchange> => {
  const exchange = new Exchange(options)
  await exchange.begin()
  return exchange
}
