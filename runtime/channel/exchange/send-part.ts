import { setTimeout as pause } from 'node:timers/promises'
import { type Tracer, traced } from '#commands/tracer.ts'
import { simulationConflict } from '#domain/campaign/simulated-number.ts'
import type { MessageTemplate } from '#domain/conversation/message.ts'
import { channelType, SIMULATED_TYPE } from '#schemas/channel-type.ts'
import { numberOf, objectOf } from '#schemas/json.ts'
import { accepted, type RefusalCode, type Result } from '#schemas/refusal.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { Call } from '../../outbound/call.ts'
import type { Meters } from '../../parts.ts'
import type { ChatMessage } from '../../port.ts'
import type {
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  ProviderAnswer,
  ProviderRequest,
  ProviderUser,
  Recipient,
} from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { graphCode } from '../shared/graph.ts'
import { answerOf, outboundOf } from '../shared/provider-call.ts'
import { hasSpokenAfter, type Sending } from './delivery-state.ts'

/** Messages per second that a refused number keeps at least. */
const MIN_RATE = 0.5
/** Added each second without another refusal. */
const RISE = 1
/** Time over which the rate of a number is measured. */
const MEASURED_MS = 10_000
/** Shortest pause after a refusal. Refusals within it belong to one burst, and halve the rate once. */
const REFUSAL_PAUSE_MS = 1_000
/** A number without a refusal in this time is not slowed any more. */
const STABLE_MS = 60_000
/** Time without a message whose share may leave at once afterwards. */
const BURST_MS = 500
/** Looks of waiting conversations per message that may leave. */
const LOOKS = 2
/** A waiting conversation looks this often at least: the rate rises meanwhile. */
const MAX_SPREAD_MS = 20_000
/** A conversation that is this late has nothing to send any more. */
const LATE_MS = 1_000

type Sender = Pick<ProviderChannel, 'id' | 'fields'>

interface Slowed {
  /** Of the channel that was refused: another token or number is not slowed. */
  readonly fields: string
  /** Messages per second after the last refusal. */
  readonly base: number
  /** ms since 1970 of the last refusal that changed the rate. */
  readonly at: number
  /** Nothing leaves before this moment, ms since 1970. Only a message that leaves moves it. */
  notBefore: number
  /** Conversations that wait, and when each looks again. */
  readonly waiting: Map<string, number>
}

/** Messages per second at a moment. */
const rateAt = ({ base, at }: Slowed, time: number): number => base + (RISE * Math.max(0, time - at)) / 1000

/**
 * Send rates of numbers that their provider throttles: half of what was sent before, rising again while nothing is
 * refused. A number has one moment before which nothing leaves. No moment is reserved for a conversation: the first that
 * looks at it sends. Each node slows what it sends itself.
 */
export class NumberThrottles {
  readonly #now: () => number
  readonly #random: () => number
  readonly #slowed = new Map<string, Slowed>()
  /** Moments of the last messages, oldest first. */
  readonly #sent = new Map<string, number[]>()

  constructor(now: () => number, random: () => number = Math.random) {
    this.#now = now
    this.#random = random
  }

  /** Whole ms until a conversation looks again; 0: its message may leave now. Changes nothing for the others. */
  wait({ id, fields }: Sender, conversation: string): number {
    const slowed = this.#slowed.get(id)
    const now = this.#now()
    // A changed channel stays in the list until `changed` resumes all its conversations.
    if (slowed === undefined || slowed.fields !== JSON.stringify(fields)) return 0
    if (now >= slowed.notBefore) return 0
    slowed.waiting.delete(conversation)
    for (const [waiting, at] of slowed.waiting) if (at < now - LATE_MS) slowed.waiting.delete(waiting)
    // The waiting ones look at different moments.
    const spread = (slowed.waiting.size * 1000) / (LOOKS * rateAt(slowed, slowed.notBefore))
    const left = Math.ceil(slowed.notBefore - now) + Math.round(Math.min(spread, MAX_SPREAD_MS) * this.#random())
    slowed.waiting.set(conversation, now + left)
    return left
  }

  /** Counts a message that leaves now, and moves the moment of the next one. */
  leaves(id: string, conversation: string): void {
    const now = this.#now()
    const sent = this.#recent(id)
    sent.push(now)
    this.#sent.set(id, sent)
    const slowed = this.#slowed.get(id)
    if (slowed === undefined) return
    slowed.waiting.delete(conversation)
    if (now - slowed.at >= STABLE_MS && slowed.notBefore <= now) this.#slowed.delete(id)
    else slowed.notBefore = Math.max(now - BURST_MS, slowed.notBefore) + 1000 / rateAt(slowed, now)
  }

  /** Halves the rate of a number after a refusal; `after`: ms that the provider asks for. */
  slow({ id, fields }: Sender, after: number): void {
    const now = this.#now()
    const text = JSON.stringify(fields)
    const before = this.#slowed.get(id)
    const known = before?.fields === text ? before : undefined
    const isSameBurst = known !== undefined && now - known.at < REFUSAL_PAUSE_MS
    const rate = known === undefined ? this.#recent(id).length / (MEASURED_MS / 1000) : rateAt(known, now)
    this.#slowed.set(id, {
      fields: text,
      base: isSameBurst ? known.base : Math.max(MIN_RATE, rate / 2),
      at: isSameBurst ? known.at : now,
      notBefore: Math.max(isSameBurst ? known.notBefore : 0, now + Math.max(after, REFUSAL_PAUSE_MS)),
      waiting: known?.waiting ?? new Map(),
    })
  }

  /** Messages per second; undefined: the number is not slowed. */
  rate(id: string): number | undefined {
    const slowed = this.#slowed.get(id)
    return slowed && rateAt(slowed, this.#now())
  }

  /** Ends and returns the throttles of channels whose fields changed since. */
  async changed(fieldsOf: (id: string) => Promise<ProviderChannel['fields'] | undefined>): Promise<readonly string[]> {
    const found: string[] = []
    for (const [id, { fields }] of this.#slowed)
      if (JSON.stringify(await fieldsOf(id)) !== fields && this.#slowed.get(id)?.fields === fields) {
        this.#slowed.delete(id)
        found.push(id)
      }
    return found
  }

  #recent(id: string): number[] {
    const sent = this.#sent.get(id) ?? []
    while (sent[0] !== undefined && sent[0] <= this.#now() - MEASURED_MS) sent.shift()
    return sent
  }
}

/** An agent's typing is shown at most this often, ms. */
const TYPING_PAUSE_MS = 20_000
/** The delay of a message applies while the message is newer than this, and up to this length. */
const FRESH_MS = 60_000
const MAX_DELAY_MS = 20_000
const LOOK_MS = 100
/** Shorter delays show no "typing". */
const SHOWN_DELAY_MS = 500

interface TypingParts {
  readonly load: (conversation: string) => Promise<FoldedConversation | undefined>
  readonly call: Call
  readonly failed: (error: unknown) => void
  readonly now: () => number
}

/** Requests that show "typing" to people, where the provider has a call for it, and the delays of messages. */
export class TypingSigns {
  readonly #parts: TypingParts
  /** When an agent's typing was shown, ms since 1970, by conversation. */
  readonly #shown = new Map<string, number>()
  #isClosed = false

  constructor(parts: TypingParts) {
    this.#parts = parts
  }

  /** Whether an agent's typing may be shown in a conversation again; the next pause begins then. */
  isDue(conversation: string): boolean {
    const now = this.#parts.now()
    for (const [one, at] of this.#shown) if (now - at >= TYPING_PAUSE_MS) this.#shown.delete(one)
    if (this.#shown.has(conversation)) return false
    this.#shown.set(conversation, now)
    return true
  }

  /** Ignores the answer: the message is sent anyway. */
  show({ adapter, fields }: ProviderChannel, to: ProviderUser, answered: string | undefined): void {
    const request = adapter?.typing?.(to, fields, answered)
    if (request !== undefined) void this.#parts.call(outboundOf(request)).catch(this.#parts.failed)
  }

  /** Delays a message as if it was typed. */
  async delay(
    held: FoldedConversation,
    message: ChatMessage,
    { channel, to }: Pick<Sending, 'channel' | 'to'>,
  ): Promise<void> {
    const { load, now } = this.#parts
    const delay = Math.min(typeof message.delay === 'number' ? message.delay : 0, MAX_DELAY_MS)
    const began = now()
    if (began - Date.parse(message.time) > FRESH_MS) return
    if (delay >= SHOWN_DELAY_MS) this.show(channel, to, held.answers)
    // A message of the person ends the delay.
    while (now() - began < delay && !this.#isClosed) {
      const latest = await load(held.id)
      if (latest !== undefined && hasSpokenAfter(latest, message)) return
      await pause(LOOK_MS, undefined, { ref: false })
    }
  }

  /** Ends all delays. */
  close(): void {
    this.#isClosed = true
  }
}

const RETRY_MS = 0

/** Errors that occur before any part of the request was sent. */
const NOT_SENT: ReadonlySet<RefusalCode> = new Set(['outbound.unknown', 'outbound.certificate'])
/** Errors that a retry cannot fix. */
const HOPELESS: ReadonlySet<RefusalCode> = new Set([
  'outbound.address',
  'outbound.credentials',
  'outbound.private',
  'outbound.header',
  'channel.message',
  'channel.profile',
  'channel.token',
])
/** Reasons of `outbound.unreachable` without a connection. */
const NO_CONNECTION = /^(ECONNREFUSED|EHOST|ENET|EADDRNOTAVAIL)/u

interface Part {
  readonly message: OutgoingMessage
  readonly to: Recipient
  /** Returned with receipts, if the provider supports it. */
  readonly key: string
}

/** Outcome of a call without a response. */
const failedCall = ({ refusal }: Extract<Result<never>, { ok: false }>): Outcome => {
  const { code, params } = refusal
  if (HOPELESS.has(code)) return { kind: 'final', code }
  const isUnsent = NOT_SENT.has(code) || (code === 'outbound.unreachable' && NO_CONNECTION.test(String(params?.reason)))
  const reason = String(params?.reason ?? code)
  return isUnsent ? { kind: 'retry', after: RETRY_MS, code: reason } : { kind: 'unknown', code: reason }
}

/** Outcome when no address or token was available: nothing was sent. */
const notSent = ({ refusal: { code, params } }: Extract<Result<never>, { ok: false }>): Outcome =>
  code === 'channel.token'
    ? { kind: 'unauthorized', code }
    : HOPELESS.has(code)
      ? { kind: 'final', code }
      : { kind: 'retry', after: RETRY_MS, code: String(params?.reason ?? code) }

/** Codes of refused credentials: Meta's in `error.code`, Twilio's in `code`. */
const META_CODES: ReadonlySet<number> = new Set([0, 102, 190])
const TWILIO_CODE = 20_003

/** Whether a refusal is about the credentials, not about the message or its person. */
const isUnauthorized = (type: string, { status, body }: ProviderAnswer, code: string): boolean => {
  const meta = graphCode(body)
  if (status === 401 || numberOf(objectOf(body).code) === TWILIO_CODE) return true
  // A 403 of a mapped gateway may be about the person.
  return meta === undefined ? code === 'http.403' && channelType(type)?.mapping === undefined : META_CODES.has(meta)
}

const classified = async (
  adapter: ChannelAdapter,
  answer: ProviderAnswer,
  { type, fields, values }: ProviderChannel,
): Promise<Outcome> => {
  const outcome = await adapter.classify(answer, fields, values)
  const code = String(graphCode(answer.body) ?? numberOf(objectOf(answer.body).code) ?? `http.${answer.status}`)
  if (outcome.kind === 'retry') return { ...outcome, code }
  if (outcome.kind === 'unknown') return { ...outcome, code: `http.${answer.status}` }
  return outcome.kind === 'final' && isUnauthorized(type, answer, outcome.code)
    ? { kind: 'unauthorized', code: outcome.code }
    : outcome
}

const exchanged = async (call: Call, request: ProviderRequest): Promise<Result<ProviderAnswer>> => {
  const answer = await call(outboundOf(request))
  return answer.ok ? accepted(answerOf(answer.value)) : answer
}

/** Sends one message to a provider; retries once with fresh credentials after a 401. */
export const sendPart = async (
  call: Call,
  channel: ProviderChannel,
  adapter: ChannelAdapter,
  { message, to, key }: Part,
): Promise<Outcome> => {
  const { fields: given, values } = channel
  const isProvider = channelType(channel.type)?.carrier === 'provider'
  const conflict = isProvider ? simulationConflict(channel.type === SIMULATED_TYPE, to.id) : undefined
  if (conflict !== undefined) return { kind: 'final', code: conflict }
  const rendered = await adapter.render(message, to, given, key, values)
  if (!rendered.ok) return notSent(rendered)
  const request = await adapter.authorize(rendered.value, given, values)
  if (!request.ok) return notSent(request)
  let answer = await exchanged(call, request.value)
  if (answer.ok && answer.value.status === 401) {
    const again = await adapter.authorize(rendered.value, given, values, request.value)
    if (again.ok) answer = await exchanged(call, again.value)
  }
  return answer.ok ? classified(adapter, answer.value, channel) : failedCall(answer)
}

/** Pause between two probes of a channel whose credentials the provider refuses. */
const PROBE_MS = 60_000

interface Opened {
  readonly since: number
  /** The provider's code. */
  readonly code: string
  readonly fields: string
  probeAt: number
}

/**
 * Channels whose credentials were refused: nothing is sent but one probe a minute, until one is accepted or the
 * channel's fields change.
 */
export class ChannelBreakers {
  readonly #opened = new Map<string, Opened>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** ms until the next probe; 0: the caller may send, as the probe if the breaker is open. */
  wait({ id, fields }: Pick<ProviderChannel, 'id' | 'fields'>): number {
    const opened = this.#opened.get(id)
    // A changed channel stays in the list until `changed` or `close` resumes all its conversations.
    if (opened === undefined || opened.fields !== JSON.stringify(fields)) return 0
    const left = opened.probeAt - this.#now()
    if (left > 0) return left
    opened.probeAt = this.#now() + PROBE_MS
    return 0
  }

  /** Opens the breaker. Returns whether it was closed before. */
  open({ id, fields }: Pick<ProviderChannel, 'id' | 'fields'>, code: string): boolean {
    const known = this.#opened.get(id)
    const probeAt = this.#now() + PROBE_MS
    this.#opened.set(id, { since: known?.since ?? this.#now(), code, fields: JSON.stringify(fields), probeAt })
    return known === undefined
  }

  /** Closes the breaker. Returns whether it was open. */
  close(id: string): boolean {
    return this.#opened.delete(id)
  }

  of(id: string): { readonly since: number; readonly code: string } | undefined {
    return this.#opened.get(id)
  }

  /** Closes and returns the channels whose fields changed since. */
  async changed(fieldsOf: (id: string) => Promise<ProviderChannel['fields'] | undefined>): Promise<readonly string[]> {
    const found: string[] = []
    for (const [id, { fields }] of this.#opened)
      if (JSON.stringify(await fieldsOf(id)) !== fields && this.#opened.delete(id)) found.push(id)
    return found
  }
}

/** Parts that call providers. */
export interface ProviderCalls {
  readonly call: Call
  readonly failed: (error: unknown) => void
  readonly tracer?: Tracer | undefined
  readonly meters?: Pick<Meters, 'delivered'> | undefined
  /** Sends a template to a person outside the window; the refusal of one that may not be sent there is final. */
  readonly sendTemplate: (
    channel: ProviderChannel,
    to: ProviderUser,
    template: MessageTemplate,
    key: string,
  ) => Promise<Outcome>
}

/** Calls the provider for a part of a message of a conversation, in a span that follows the turn of the message. */
export const deliver = (
  { call, tracer, meters, failed, sendTemplate }: ProviderCalls,
  conversation: string,
  { message, part, content, channel, adapter, to, template }: Sending,
  tries: number,
): Promise<Outcome> => {
  const key = `${conversation}.${message.id}.${part}`
  const attributes = { 'parley.channel.type': channel.type, 'parley.provider': channel.type, 'parley.tries': tries }
  const follows = `${conversation} ${message.id}`
  return traced(tracer, 'parley.deliver', { trace: 'begins', follows, attributes }, async span => {
    const sent =
      template === undefined
        ? sendPart(call, channel, adapter, { message: content, to, key })
        : sendTemplate(channel, to, template, key)
    const outcome = await sent.catch((error): Outcome => {
      failed(error)
      return { kind: 'unknown' }
    })
    span.set({ 'parley.outcome': outcome.kind })
    meters?.delivered(channel.type, outcome.kind)
    if (outcome.kind !== 'sent') span.fail(outcome.kind)
    return outcome
  })
}
