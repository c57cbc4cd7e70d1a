import { type Tracer, traced } from '#commands/tracer.ts'
import { simulationConflict } from '#domain/campaign/simulated-number.ts'
import type { MessageTemplate } from '#domain/conversation/message.ts'
import { channelType, SIMULATED_TYPE } from '#schemas/channel-type.ts'
import { numberOf, objectOf } from '#schemas/json.ts'
import { accepted, type RefusalCode, type Result } from '#schemas/refusal.ts'
import type { Call } from '../../outbound/call.ts'
import type { Meters } from '../../parts.ts'
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
import type { Sending } from './delivery-state.ts'

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
