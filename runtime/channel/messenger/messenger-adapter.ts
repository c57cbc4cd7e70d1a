import type { JsonObject } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
import { checked } from '../check.ts'
import { byStatus, retryAfter } from '../classify.ts'
import type { Capabilities, ChannelAdapter, Outcome, ProviderAnswer, ProviderRequest } from '../port.ts'
import { graphCode } from '../shared/graph.ts'
import { field, group, text } from '../shared/member.ts'
import { objectBody, posting, reading, withBearer } from '../shared/sending.ts'
import { hubHandshake, verifyHub } from '../shared/signature.ts'
import { messengerEvents } from './read-events.ts'
import { messengerBody } from './render.ts'

/** Graph's codes of temporary errors; a subcode of FINAL_SUBCODES makes them final. */
const RETRY_CODES: ReadonlySet<number> = new Set([1, 2, 4, 32, 613, 1200])
const FINAL_SUBCODES: ReadonlySet<string> = new Set(['2018344'])

const classify = (answer: ProviderAnswer): Outcome => {
  const code = graphCode(answer.body)
  const subcode = text(group(group(answer.body).error).error_subcode)
  if (code === undefined || answer.status >= 500) return byStatus(answer, body => text(group(body).message_id))
  if (RETRY_CODES.has(code) && !FINAL_SUBCODES.has(subcode)) return { kind: 'retry', after: retryAfter(answer) }
  return { kind: 'final', code: subcode === '' ? String(code) : `${code}.${subcode}` }
}

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withBearer(request, field(fields, 'pagetoken'))

interface MessengerOptions {
  /** Value of `object` in a request body. */
  readonly object: string
  readonly capabilities: Capabilities
  /** Graph's address of the account that sends. */
  readonly accountUrl: (fields: JsonObject) => string
  readonly nameField: string
}

/** The Messenger API, which Instagram shares. */
export const messengerAdapter = ({
  object,
  capabilities,
  accountUrl,
  nameField,
}: MessengerOptions): ChannelAdapter => ({
  capabilities,
  handshake: (request, fields) => hubHandshake(request, field(fields, 'verifytoken')),
  verify: (request, fields) => verifyHub(request, field(fields, 'app_secret')),
  parse(request) {
    const body = objectBody(request, held => held.object === object && Array.isArray(held.entry))
    return body.ok ? accepted(messengerEvents(body.value)) : body
  },
  render: (message, to, fields) => posting(`${accountUrl(fields)}/messages`, messengerBody(message, to)),
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify,
  // File addresses are signed and short-lived; no token is sent to them.
  mediaRequest: ref => accepted(reading(ref)),
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${accountUrl(fields)}?fields=${nameField}`), fields))
    return checked(asked, body => text(group(body)[nameField]))
  },
})
