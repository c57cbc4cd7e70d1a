import type { Evaluator } from '#domain/expression/interruptible.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call, OutboundAnswer, OutboundRequest } from '../../outbound/call.ts'
import type { ExpiringValues } from '../../outbound/expiring-values.ts'
import { jsonOf } from '../../outbound/rest-request.ts'
import type { ProviderAnswer, ProviderRequest, ProviderValues } from '../channel-port.ts'

const TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 1_000_000

const contentOf = (
  body: ProviderRequest['body'],
): { readonly type?: string; readonly body?: string; readonly bytes?: Uint8Array } => {
  if (body === undefined) return {}
  if (body instanceof Uint8Array) return { bytes: body }
  if (body instanceof URLSearchParams) return { type: 'application/x-www-form-urlencoded', body: body.toString() }
  return { type: 'application/json', body: JSON.stringify(body) }
}

/** An outbound request of an adapter; `most`: maximum bytes read of the answer. */
export const outboundOf = (
  { method, url, headers, body }: ProviderRequest,
  most = MAX_ANSWER_BYTES,
  timeout = TIMEOUT_MS,
): OutboundRequest => {
  const { type, ...content } = contentOf(body)
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    method,
    url,
    headers: [...headers, ...(type === undefined || hasType ? [] : [['content-type', type] as const])],
    ...content,
    timeout,
    most,
  }
}

export const answerOf = (answer: OutboundAnswer): ProviderAnswer => ({
  status: answer.status,
  headers: answer.headers,
  body: jsonOf(answer),
})

interface ValuesParts {
  readonly call: Call
  readonly values: ExpiringValues
  readonly evaluator: Evaluator
}

/** Values and calls of a channel's adapter. `key`: channel and revision, so that changed secrets get new values. */
export const openValues = ({ call, values, evaluator }: ValuesParts, key: string): ProviderValues => ({
  remember: (name, fetch, stale) => values.get(`${key} ${name}`, fetch, stale),
  async ask(request): Promise<Result<ProviderAnswer>> {
    const answer = await call(outboundOf(request))
    return answer.ok ? accepted(answerOf(answer.value)) : answer
  },
  async evaluate(source, input): Promise<Result<Json>> {
    const outcome = await evaluator.evaluate({ kind: 'path', parser: 'JsonAta', source, input })
    return outcome.ok
      ? accepted((outcome.value ?? null) as Json)
      : refused('channel.profile', { params: { rule: outcome.fault.code } })
  },
})
