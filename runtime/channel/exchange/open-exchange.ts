import { DELIVERY_PREFIX, INBOX_PREFIX } from '#schemas/events/channel.ts'
import { CONVERSATION_DAY_PREFIX, CONVERSATION_PREFIX } from '#schemas/events/conversation.ts'
import { createContinue } from '../../conversation/engine/continue-conversation.ts'
import type { Words } from '../../conversation/engine/words.ts'
import type { OpenedConversations } from '../../conversation/port.ts'
import { removeStream } from '../../log/exclusive-append.ts'
import type { FileStorage } from '../../storage/port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import type { ProviderEvent } from '../port.ts'
import { messageOf, readActionValue } from '../shared/action-value.ts'
import { Deliveries, type DeliveryParts } from './deliveries.ts'
import { hasCallback } from './delivery-items.ts'
import { type DeliveryState, isHigher } from './delivery-state.ts'
import { ExchangeIndex } from './exchange-index.ts'
import { type Inbox, type InboxEntry, openInbox } from './inbox.ts'
import { messageId, readContent } from './read-content.ts'
import { type WorkPace, WorkQueue } from './work-queue.ts'

const TICK_MS = 500
const MAX_AT_ONCE = 100
const STOP_MS = 2_000
/** A receipt that arrives before its message is known is retried for this long. */
const EARLY_MS = 60_000
const EARLY_LOOK_MS = 1_000
/** Providers repeat a call for up to a week: duplicates are recognized for this long. */
const KEPT_MS = 8 * 86_400_000

export interface ExchangeOptions extends Omit<DeliveryParts, 'index' | 'load' | 'personOf' | 'now'> {
  /** File of the index, which can be rebuilt. */
  readonly file: string
  readonly words: Words
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

/** Messages between conversations and the providers of channels, in both directions. */
export class Exchange {
  readonly #options: ExchangeOptions
  readonly #index: ExchangeIndex
  readonly #inbox: Inbox
  readonly #deliveries: Deliveries
  readonly #queues = new Map<string, WorkQueue>()
  readonly #waiting = new Set<string>()
  readonly #proceed: ReturnType<typeof createContinue>
  #ticking: NodeJS.Timeout | undefined

  constructor(options: ExchangeOptions) {
    this.#options = options
    const { store, words, node, conversations } = options
    const now = () => this.#now()
    this.#index = new ExchangeIndex(options.file)
    this.#inbox = openInbox({ store, words, node, now })
    this.#proceed = createContinue({ conversations })
    this.#deliveries = new Deliveries({
      ...options,
      ...{ index: this.#index, now, personOf: words.personOf },
      load: id => conversations.load(id),
    })
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

  state(conversation: string): Promise<DeliveryState> {
    return this.#deliveries.state(conversation)
  }

  /** Resolves when the event is stored; it is processed later. True for a message that was not stored before. */
  async take(channel: ProviderChannel, event: ProviderEvent): Promise<boolean> {
    switch (event.kind) {
      case 'message':
        this.#log(channel, 'channel.received')
        return this.#store(channel, event)
      case 'receipt':
        this.#log(channel, 'channel.receipt')
        if (!(await this.#deliveries.receive(channel, event))) await this.#store(channel, event)
        return false
      case 'watermark':
        await this.#watermark(channel, event)
        return false
      case 'echo':
        return false
      default:
        this.#log(channel, `channel.${event.kind}`)
        return false
    }
  }

  /** Removes events that providers no longer repeat. Returns their number. */
  async sweep(): Promise<number> {
    const { store } = this.#options
    let count = 0
    for (;;) {
      const found = this.#index.oldInbox(this.#now() - KEPT_MS, 100)
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

  #log({ bot, type, id }: ProviderChannel, code: string): void {
    this.#options.botLog?.log({ level: 'info', code, bot, service: `${type}:${id}` })
  }

  /** False for a known event. */
  async #store(channel: ProviderChannel, event: Parameters<Inbox['put']>[1]): Promise<boolean> {
    const put = await this.#inbox.put(channel, event)
    if (put !== undefined) this.#enqueue(channel, put.stream, put.person)
    return put !== undefined
  }

  #enqueue(channel: ProviderChannel, stream: string, person: string): void {
    if (this.#waiting.has(stream)) return
    this.#waiting.add(stream)
    const queue = this.#queues.get(channel.id) ?? new WorkQueue()
    this.#queues.set(channel.id, queue)
    queue.add(paceOf(channel), {
      key: person,
      run: () =>
        this.#workOff(stream)
          .catch(this.#options.failed)
          .finally(() => this.#waiting.delete(stream)),
    })
  }

  async #tick(): Promise<void> {
    const now = this.#now()
    for (const { id, answers } of this.#index.due(now, MAX_AT_ONCE)) {
      // Without this look each node would read each conversation of a REST channel that another node answered.
      const isAnswered = answers !== undefined && !(await hasCallback(this.#options.channels, answers))
      if (isAnswered) this.#index.dropAnswers(id)
      else this.#deliveries.run(id)
    }
    const left = this.#index.leftInbox(now, MAX_AT_ONCE).filter(stream => !this.#waiting.has(stream))
    await Promise.all(left.map(stream => this.#takeOver(stream)))
  }

  /** Processes an event that another node received and did not handle. */
  async #takeOver(stream: string): Promise<void> {
    const entry = await this.#inbox.read(stream)
    if (entry === undefined || !(await this.#inbox.take(entry))) return
    const channel = await this.#options.channels.get(entry.channel)
    if (channel !== undefined) return this.#enqueue(channel, stream, entry.person)
    const taken = await this.#inbox.read(stream)
    if (taken !== undefined) await this.#inbox.handled(taken, 'channel')
  }

  async #workOff(stream: string): Promise<void> {
    const entry = await this.#inbox.read(stream)
    if (entry === undefined) return
    const channel = await this.#options.channels.get(entry.channel)
    const outcome = channel?.isEnabled === true ? await this.#handle(channel, entry) : 'disabled'
    await this.#inbox.handled(entry, outcome)
  }

  /** Handles an event. Returns the outcome as a code. */
  async #handle(channel: ProviderChannel, { event, received }: InboxEntry): Promise<string> {
    if (event === undefined) return 'forgotten'
    if (event.kind === 'receipt') {
      while (!(await this.#deliveries.receive(channel, event))) {
        if (this.#now() - received > EARLY_MS) return 'unknown'
        await new Promise(resolve => setTimeout(resolve, EARLY_LOOK_MS).unref())
      }
      return 'receipt'
    }
    const { conversations } = this.#options
    const { from, payload, content } = event
    const parts = {
      ...this.#options,
      load: (id: string) => conversations.load(id),
      tell: (of: ProviderChannel, code: string) => this.#log(of, code),
    }
    const carried = payload ?? (content.kind === 'choice' ? content.value : undefined)
    const sender = { channel: channel.id, user: from, payload: carried, message: messageId(event.id) }
    const stored = await this.#proceed(sender, conversation => readContent(parts, channel, event, conversation))
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
          ...{ kind: 'receipt', id: part.id, state, time: until },
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
