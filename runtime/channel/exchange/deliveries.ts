import { setTimeout as pause } from 'node:timers/promises'
import { type EventStore, StoreUnavailable } from '#commands/store/port.ts'
import { messagePrice } from '#domain/campaign/price.ts'
import { isThrottle } from '#domain/channel-health.ts'
import { deliveryStream } from '#schemas/events/conversation.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import { isFree, LeaseTerm } from '../../log/lease.ts'
import type { BotLog } from '../../service/bot-log.ts'
import type { Outcome, OutgoingMessage, ProviderEvent } from '../channel-port.ts'
import { outgoing } from '../degrade.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { codeWithTitle } from '../shared/code-title.ts'
import {
  type DeliveryFact,
  type DeliveryState,
  type DeliveryStatus,
  deliveryDrafts,
  findReceiver,
  fittingOf,
  hasBegun,
  type Item,
  isHigher,
  isSameWork,
  itemsFor,
  ofCallback,
  openDeliveryStates,
  partKey,
  type Sending,
  templateIn,
} from './delivery-state.ts'
import type { ExchangeIndex } from './exchange-index.ts'
import type { RefusedSend } from './inbox.ts'
import { NumberThrottles } from './number-throttle.ts'
import { ChannelBreakers, deliver, type ProviderCalls } from './send-part.ts'
import { TypingSigns } from './typing-signs.ts'

/** Maximum duration of a call, including its credentials. */
const TERM = new LeaseTerm(60_000)
/** Time after which other nodes take unfinished work of a node. */
const OTHERS_MS = 5_000
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Pauses before the second to the sixth attempt. */
const RETRY_MS = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS]
/** Pauses vary by this part of them, so that the messages of many people are not sent again at one moment. */
const JITTER = 0.1
/** Longer waits are left to the regular look at what is due. */
const OWN_TIMER_MS = MINUTE_MS
/** Pause before a failed write to the store is repeated. */
const AGAIN_MS = 1_000

export interface DeliveryParts extends ProviderCalls {
  readonly store: EventStore
  readonly index: ExchangeIndex
  readonly node: string
  /** No other process uses the store: work that another process left is free to take. */
  readonly isAlone: boolean
  readonly load: (conversation: string) => Promise<FoldedConversation | undefined>
  readonly channels: Channels
  /** The enabled channels of a bot with their names, oldest first. */
  readonly channelsOf: (
    bot: string,
  ) => Promise<readonly { readonly id: string; readonly type: string; readonly name: string }[]>
  readonly personOf: (channel: string, user: string) => Promise<string>
  readonly botLog?: Pick<BotLog, 'log'> | undefined
  readonly now: () => number
  readonly retryMs?: readonly number[]
  /** Called when a provider refuses a message for good. The refusal is stored after it. */
  readonly refused?: (send: RefusedSend) => Promise<void>
  /** Called when a channel's health may have changed. */
  readonly changed?: (channel: string) => void
}

/** Raised when another node wrote first. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/**
 * The outbox over the log: sends the bot's messages in order per conversation, each part at most once,
 * unless it was certainly not accepted.
 */
export class Deliveries {
  readonly #parts: DeliveryParts
  readonly #states: ReturnType<typeof openDeliveryStates>
  readonly #running = new Map<string, { again: boolean; readonly done: Promise<void> }>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #typing: TypingSigns
  readonly breakers: ChannelBreakers
  readonly #throttles: NumberThrottles
  #isClosed = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.breakers = new ChannelBreakers(parts.now)
    this.#throttles = new NumberThrottles(parts.now)
    this.#states = openDeliveryStates(parts.store)
    this.#typing = new TypingSigns(parts)
  }

  /** Sends the pending messages of a conversation. Never throws. */
  run(conversation: string): void {
    const running = this.#running.get(conversation)
    if (running !== undefined) running.again = true
    if (running !== undefined || this.#isClosed) return
    const mine = { again: false, done: Promise.resolve() }
    const work = async () => {
      do {
        mine.again = false
        await this.#deliver(conversation)
      } while (mine.again && !this.#isClosed)
    }
    const done = work()
      .catch(error => {
        if (!(error instanceof Overtaken)) this.#parts.failed(error)
      })
      .finally(() => this.#running.delete(conversation))
    this.#running.set(conversation, Object.assign(mine, { done }))
  }

  /** Waits up to `ms` for running deliveries. */
  async close(ms: number): Promise<void> {
    this.#isClosed = true
    this.#typing.close()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    const all = Promise.all([...this.#running.values()].map(({ done }) => done))
    await Promise.race([all, pause(ms, undefined, { ref: false })])
  }

  state(conversation: string): Promise<DeliveryState> {
    return this.#states.refresh(deliveryStream(conversation))
  }

  /** Evicts the state of a removed conversation. */
  forget(conversation: string): Promise<void> {
    return this.#states.evict(deliveryStream(conversation))
  }

  /** Applies a receipt; false when no sent message known here belongs to it. */
  async receive(channel: ProviderChannel, event: Extract<ProviderEvent, { kind: 'receipt' }>): Promise<boolean> {
    const of = ofCallback(event.callback) ?? this.#parts.index.sent(channel.id, event.id)
    if (of === undefined) return false
    const { conversation, message, part } = of
    const status: DeliveryStatus = event.state
    let isKnown = false
    let isNew = false
    if (status === 'failed' && event.code !== undefined) await this.#refusedLater(channel, event, of)
    const price = event.pricing === undefined ? undefined : await messagePrice(event.pricing, event.recipient ?? '')
    // Another node may have sent the part.
    await this.state(conversation)
    await this.#states.write(deliveryStream(conversation), ({ parts }) => {
      const before = parts.get(partKey(message, part))
      isKnown = before !== undefined
      isNew = before !== undefined && isHigher(status, before.status)
      const isPrice = before !== undefined && price !== undefined && before.isPriced !== true
      const time = event.time || this.#parts.now()
      const data = { message, part, status, code: event.code ?? '', time, channel: channel.id }
      const receipt: DeliveryFact = { type: 'DeliveryReceipt', data: isPrice ? { ...data, price: { ...price } } : data }
      return isNew || isPrice ? deliveryDrafts(conversation, [receipt]) : []
    })
    const held = isNew && status === 'failed' ? await this.#parts.load(conversation) : undefined
    const detail = codeWithTitle(event.code ?? '')
    if (held !== undefined) this.#tell(held, channel, 'delivery.failed', { detail })
    return isKnown
  }

  /** Reports a refusal that a receipt tells; a failure lets the provider repeat the receipt. */
  async #refusedLater(
    channel: ProviderChannel,
    { code = '', recipient }: Extract<ProviderEvent, { kind: 'receipt' }>,
    { conversation, message }: { readonly conversation: string; readonly message: string },
  ): Promise<void> {
    const held = await this.#parts.load(conversation)
    const isElsewhere = held?.elsewhere.some(sent => sent.message.id === message) === true
    const user = isElsewhere ? { id: recipient ?? '' } : held?.user
    if (user !== undefined && user.id !== '') await this.#parts.refused?.({ channel, user, code })
  }

  /** Reports a refusal, again while the store is away. */
  async #refused(send: RefusedSend): Promise<void> {
    const { refused, failed } = this.#parts
    for (;;) {
      try {
        return await refused?.(send)
      } catch (error) {
        failed(error)
        if (!(error instanceof StoreUnavailable) || this.#isClosed) return
        await pause(AGAIN_MS, undefined, { ref: false })
      }
    }
  }

  /**
   * Repeats the write until the store accepts it: otherwise the state of a started or sent part would be unknown.
   * @throws Overtaken
   */
  async #write(conversation: string, state: DeliveryState, facts: readonly DeliveryFact[]): Promise<DeliveryState> {
    const { failed } = this.#parts
    for (;;) {
      try {
        return await this.#states.write(deliveryStream(conversation), latest => {
          if (hasBegun(latest, facts)) return []
          // A receipt may have been written in between: it does not change this work.
          if (!isSameWork(latest, state)) throw new Overtaken()
          return deliveryDrafts(conversation, facts)
        })
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || this.#isClosed) throw error
        failed(error)
        await pause(AGAIN_MS, undefined, { ref: false })
      }
    }
  }

  async #deliver(conversation: string): Promise<void> {
    const { index, now } = this.#parts
    let state = await this.state(conversation)
    for (;;) {
      if (this.#isClosed) return
      const held = await this.#parts.load(conversation)
      if (held === undefined) return index.setDue(conversation, undefined)
      if (state.isSending) {
        const left = await this.#left(conversation, held, state)
        if (left === undefined) return
        state = left
        continue
      }
      if (state.current !== undefined && state.current.at > now())
        return this.#waitUntil(conversation, state.current.at)
      const [item] = await itemsFor(this.#parts.channels, held, state.settled)
      // The fold of the conversation may be behind the index.
      if (item === undefined) return index.setSent(conversation, held.last, now() + SECOND_MS)
      const next = await this.#item(held, state, item)
      if (next === undefined) return
      state = next
    }
  }

  /** Looks at a conversation at a moment: to the millisecond if it is near, else with all that is due. */
  #waitUntil(conversation: string, at: number): void {
    const { index, now } = this.#parts
    index.setDue(conversation, at)
    const left = at - now()
    if (left > OWN_TIMER_MS || this.#isClosed) return
    clearTimeout(this.#timers.get(conversation))
    const look = () => {
      this.#timers.delete(conversation)
      this.run(conversation)
    }
    this.#timers.set(conversation, setTimeout(look, Math.max(0, left)).unref())
  }

  /** Resumes all conversations of a channel whose credentials work again. */
  resume(channel: string): void {
    for (const conversation of this.#parts.index.unsettledOf(channel)) this.run(conversation)
    this.#parts.changed?.(channel)
  }

  /** Closes the breakers and ends the throttles of channels whose number or credentials were replaced. */
  async resumeChanged(): Promise<void> {
    const fieldsOf = async (id: string) => (await this.#parts.channels.get(id))?.fields
    const changed = [...(await this.breakers.changed(fieldsOf)), ...(await this.#throttles.changed(fieldsOf))]
    for (const id of new Set(changed)) this.resume(id)
  }

  /** Resolves a part that was started without an outcome: another node is sending it, or its outcome is unknown. */
  async #left(
    conversation: string,
    held: FoldedConversation,
    state: DeliveryState,
  ): Promise<DeliveryState | undefined> {
    const { index, isAlone, node, now } = this.#parts
    const { claim, current } = state
    if (!isFree(claim, node, now(), () => isAlone) || current === undefined) {
      index.setDue(conversation, claim?.until ?? now() + OTHERS_MS)
      return undefined
    }
    const of = { message: current.message, part: current.part }
    if (await this.#isRepeatable(held, state)) {
      const data = { ...of, tries: current.tries, at: now(), due: now() }
      return this.#write(conversation, state, [{ type: 'DeliveryDelayed', data }])
    }
    this.#tell(held, undefined, 'delivery.unknown')
    const data = { ...of, code: 'unknown', due: now() + OTHERS_MS }
    return this.#write(conversation, state, [{ type: 'DeliveryFailed', data }])
  }

  /** Whether a possibly delivered part is sent again: only if the other side recognizes duplicates by the key. */
  async #isRepeatable(held: FoldedConversation, { settled }: DeliveryState): Promise<boolean> {
    const [item] = await itemsFor(this.#parts.channels, held, settled)
    const receiver =
      item === undefined
        ? undefined
        : await findReceiver(this.#parts, held, item.destination, item.message.from === 'agent')
    return receiver?.ok === true && receiver.adapter.isRepeatable === true
  }

  async #settle(
    held: FoldedConversation,
    state: DeliveryState,
    { message }: Item,
    facts: readonly DeliveryFact[] = [],
  ) {
    const rest = await itemsFor(this.#parts.channels, held, message.position)
    const due = rest.length === 0 ? null : this.#parts.now() + OTHERS_MS
    const data = { position: message.position, settled: Date.parse(message.time), due }
    return this.#write(held.id, state, [...facts, { type: 'DeliverySettled', data }])
  }

  /** Sends a message or its remaining parts; undefined while it waits for a retry. */
  async #item(held: FoldedConversation, state: DeliveryState, item: Item): Promise<DeliveryState | undefined> {
    const { message } = item
    const found = await findReceiver(this.#parts, held, item.destination, message.from === 'agent')
    const template = found.ok || found.code !== 'window' ? undefined : templateIn(message)
    const receiver = template !== undefined && !found.ok && found.code === 'window' ? found.outside : found
    if (!receiver.ok) {
      this.#tell(held, undefined, `delivery.${receiver.code}`)
      const data = { message: message.id, part: 0, code: receiver.code, due: this.#parts.now() }
      return this.#settle(held, state, item, [{ type: 'DeliveryFailed', data }])
    }
    const { channel, adapter, to } = receiver
    if (this.#parts.now() - Date.parse(message.time) > DAY_MS) {
      this.#tell(held, channel, 'delivery.window')
      const data = { message: message.id, part: 0, code: 'window', due: this.#parts.now(), channel: channel.id }
      return this.#settle(held, state, item, [{ type: 'DeliveryFailed', data }])
    }
    // The breaker comes last: it counts the conversation that it lets through as its probe of a minute.
    const blocked = this.#throttles.wait(channel, held.id) || this.breakers.wait(channel)
    if (blocked > 0) {
      this.#waitUntil(held.id, this.#parts.now() + blocked)
      return undefined
    }
    const words: readonly OutgoingMessage[] = [{ kind: 'text', text: String(message.text ?? '') }]
    const parts = template === undefined ? outgoing(message, adapter.capabilities, fittingOf(held, channel)) : words
    // At once, so that no other conversation passes before this message moved the moment of the next one.
    if (parts.length > 0) this.#throttles.leaves(channel.id, held.id)
    const isBegun = state.current?.message === message.id
    if (!isBegun && adapter.capabilities.isWhole !== true && parts.length > 0)
      await this.#typing.delay(held, message, receiver)
    let next = state
    for (const [part, content] of parts.entries()) {
      const known = next.parts.get(partKey(message.id, part))
      if (known !== undefined && known.status !== 'waiting') continue
      if (next !== state) this.#throttles.leaves(channel.id, held.id)
      const sent = await this.#send(held, next, { message, part, content, channel, adapter, to, template })
      if (sent === undefined) return undefined
      next = sent
    }
    return this.#settle(held, next, item)
  }

  /** Shows that an agent writes to the person of a conversation. Never throws. */
  async showTyping(conversation: string): Promise<void> {
    if (!this.#isClosed && this.#typing.isDue(conversation))
      await this.#showTyping(conversation).catch(this.#parts.failed)
  }

  /** Not while the provider takes no messages. */
  async #showTyping(conversation: string): Promise<void> {
    const held = await this.#parts.load(conversation)
    const receiver = held && (await findReceiver(this.#parts, held, undefined))
    if (receiver?.ok !== true || this.breakers.of(receiver.channel.id) !== undefined) return
    const { current } = await this.state(conversation)
    if (current === undefined || current.at <= this.#parts.now())
      this.#typing.show(receiver.channel, receiver.to, held?.answers)
  }

  async #send(held: FoldedConversation, state: DeliveryState, sending: Sending): Promise<DeliveryState | undefined> {
    const { node, now } = this.#parts
    const { message, part, content, channel, adapter, to } = sending
    const of = { message: message.id, part }
    const claim = TERM.grant(node, now())
    const begun = await this.#write(held.id, state, [
      { type: 'DeliveryStarted', data: { ...of, due: claim.until, claim: { ...claim } } },
    ])
    const told = await deliver(this.#parts, held.id, sending, begun.current?.tries ?? 1)
    const isAgain = told.kind === 'unknown' && adapter.isRepeatable === true
    const again = { kind: 'retry' as const, after: 0, code: 'code' in told ? (told.code ?? '') : '' }
    const outcome: Outcome = isAgain ? again : told
    const due = now() + OTHERS_MS
    switch (outcome.kind) {
      case 'sent':
        this.#tell(held, channel, 'delivery.sent', { level: 'info', detail: content.kind })
        if (this.breakers.close(channel.id)) this.resume(channel.id)
        return this.#write(held.id, begun, [
          { type: 'DeliverySent', data: { ...of, id: outcome.id, channel: channel.id, due } },
        ])
      case 'final':
      case 'unknown': {
        const code = outcome.kind === 'final' ? outcome.code : 'unknown'
        const reason = outcome.code ?? 'unknown'
        if (outcome.kind === 'final') await this.#refused({ channel, user: to, code })
        const detail = `${content.kind} · ${codeWithTitle(reason)}`
        this.#tell(held, channel, outcome.kind === 'final' ? 'delivery.failed' : 'delivery.unknown', { detail })
        return this.#write(held.id, begun, [
          { type: 'DeliveryFailed', data: { ...of, code, reason, due, channel: channel.id } },
        ])
      }
      case 'unauthorized':
        return this.#block(held, begun, sending, outcome.code)
      case 'retry':
        return this.#again(held, begun, sending, outcome)
      default:
        return outcome satisfies never
    }
  }

  async #again(held: FoldedConversation, state: DeliveryState, sending: Sending, { after, code = '' }: RetryOutcome) {
    const { now, retryMs = RETRY_MS } = this.#parts
    const { message, part, content, channel } = sending
    const of = { message: message.id, part }
    const told = [content.kind, ...(code === '' ? [] : [codeWithTitle(code)])]
    if (isThrottle(code)) this.#throttles.slow(channel, after)
    const tries = state.current?.tries ?? 1
    const wait = retryMs[tries - 1]
    if (wait === undefined) {
      this.#tell(held, channel, 'delivery.tries', { detail: [...told, `${tries}/${tries}`].join(' · ') })
      const data = { ...of, code: 'tries', reason: code, due: now() + OTHERS_MS, channel: channel.id }
      return this.#write(held.id, state, [{ type: 'DeliveryFailed', data }])
    }
    const jitter = 1 + JITTER * (2 * Math.random() - 1)
    const left = Math.max(after, Math.round(wait * jitter))
    const at = now() + left
    const seconds = Math.ceil(Math.max(after, wait) / SECOND_MS)
    const detail = [...told, `${tries}/${retryMs.length + 1}`, `+${seconds} s`].join(' · ')
    this.#tell(held, channel, 'delivery.waiting', { detail })
    const data = { ...of, tries, at, due: at, channel: channel.id, ...(code === '' ? {} : { code }) }
    await this.#write(held.id, state, [{ type: 'DeliveryDelayed', data }])
    this.#waitUntil(held.id, at)
    return undefined
  }

  /** Keeps a message whose channel lost its credentials, without counting the attempt. */
  async #block(
    held: FoldedConversation,
    state: DeliveryState,
    { message, part, content, channel }: Sending,
    code: string,
  ) {
    const { now } = this.#parts
    const isNew = this.breakers.open(channel, code)
    const detail = [content.kind, codeWithTitle(code), `+${MINUTE_MS / SECOND_MS} s`].join(' · ')
    this.#tell(held, channel, 'delivery.unauthorized', { detail })
    const tries = Math.max(0, (state.current?.tries ?? 1) - 1)
    const data = { message: message.id, part, tries, at: now(), due: now() + MINUTE_MS, code, channel: channel.id }
    await this.#write(held.id, state, [{ type: 'DeliveryDelayed', data }])
    this.#waitUntil(held.id, now() + MINUTE_MS)
    if (isNew) this.#parts.changed?.(channel.id)
    return undefined
  }

  #tell(
    held: FoldedConversation,
    to: ProviderChannel | undefined,
    code: string,
    { level = 'warn', detail = '' }: { readonly level?: 'info' | 'warn'; readonly detail?: string } = {},
  ) {
    const { bot, id: conversation, release, channel, channelType } = held
    const service = to === undefined ? `${channelType}:${channel}` : `${to.type}:${to.id}`
    const more = detail === '' ? {} : { detail }
    this.#parts.botLog?.log({ level, code, bot, release, conversation, service, ...more })
  }
}

type RetryOutcome = Extract<Outcome, { kind: 'retry' }>
