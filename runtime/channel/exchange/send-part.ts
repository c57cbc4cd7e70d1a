import type { JsonObject } from '#schemas/event.ts'
import { accepted, type RefusalCode, type Result } from '#schemas/refusal.ts'
import type { Call } from '../../outbound/call.ts'
import type { ProviderChannel } from '../open-channels.ts'
import type {
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  ProviderAnswer,
  ProviderRequest,
  ProviderUser,
} from '../port.ts'
import { answerOf, outboundOf } from '../shared/provider-wire.ts'

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
  readonly to: ProviderUser
  /** Returned with receipts, if the provider supports it. */
  readonly key: string
}

/** Outcome of a call without a response. */
const failedCall = ({ refusal }: Extract<Result<never>, { ok: false }>): Outcome => {
  const { code, params } = refusal
  if (HOPELESS.has(code)) return { kind: 'final', code }
  const isUnsent = NOT_SENT.has(code) || (code === 'outbound.unreachable' && NO_CONNECTION.test(String(params?.reason)))
  return isUnsent ? { kind: 'retry', after: RETRY_MS } : { kind: 'unknown' }
}

/** Outcome when no address or token was available: nothing was sent. */
const notSent = ({ refusal: { code } }: Extract<Result<never>, { ok: false }>): Outcome =>
  HOPELESS.has(code) ? { kind: 'final', code } : { kind: 'retry', after: RETRY_MS }

const exchanged = async (call: Call, request: ProviderRequest): Promise<Result<ProviderAnswer>> => {
  const answer = await call(outboundOf(request))
  return answer.ok ? accepted(answerOf(answer.value)) : answer
}

/** Sends one message to a provider; retries once with fresh credentials after a 401. */
export const sendPart = async (
  call: Call,
  { fields, values }: ProviderChannel,
  adapter: ChannelAdapter,
  { message, to, key }: Part,
): Promise<Outcome> => {
  const given: JsonObject = fields
  const rendered = await adapter.render(message, to, given, key, values)
  if (!rendered.ok) return notSent(rendered)
  const request = await adapter.authorize(rendered.value, given, values)
  if (!request.ok) return notSent(request)
  let answer = await exchanged(call, request.value)
  if (answer.ok && answer.value.status === 401) {
    const again = await adapter.authorize(rendered.value, given, values, request.value)
    if (again.ok) answer = await exchanged(call, again.value)
  }
  return answer.ok ? adapter.classify(answer.value, given, values) : failedCall(answer)
}
