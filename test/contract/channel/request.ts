import { answerQuestion, createEvaluator } from '#domain/expression/interruptible.ts'
import type { ProviderValues, WebhookRequest } from '#runtime/channel/channel-port.ts'
import { openValues } from '#runtime/channel/shared/provider-call.ts'
import type { Call, OutboundRequest } from '#runtime/outbound/call.ts'
import { ExpiringValues } from '#runtime/outbound/expiring-values.ts'
import type { Json } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'

export const WEBHOOK = 'https://bots.example.com/channel/c1'

interface GivenRequest {
  readonly method?: 'GET' | 'POST'
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A call of a provider. */
export const webhookRequest = ({
  method = 'POST',
  url = WEBHOOK,
  headers = {},
  body = '',
}: GivenRequest): WebhookRequest => ({
  method,
  url,
  query: new URL(url).searchParams,
  headers,
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
})

interface GivenAnswer {
  readonly status?: number
  readonly body: Json
}

/** Records an adapter's requests and answers them; tokens and evaluation are unchanged. */
export const answeredValues = (answer: (request: OutboundRequest) => GivenAnswer, now = Date.now) => {
  const asked: OutboundRequest[] = []
  const call: Call = async request => {
    asked.push(request)
    const { status = 200, body } = answer(request)
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    return accepted({ status, url: request.url, redirects: 0, headers: [], body: bytes, truncated: false })
  }
  // The same jobs as the evaluator's own process has, in this one.
  const evaluator = createEvaluator({
    start: onAnswer => ({ ask: question => void answerQuestion(question, onAnswer), end: () => {} }),
    now: () => 0,
    after: () => () => {},
  })
  const values: ProviderValues = openValues({ call, values: new ExpiringValues(100, now), evaluator }, 'c1')
  return { values, asked }
}

export const noValues = answeredValues(() => ({ status: 500, body: {} })).values
