import type { JsonObject } from '#schemas/event.ts'
import { objectOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  Capabilities,
  ChannelAdapter,
  Outcome,
  ProviderAnswer,
  ProviderRequest,
  ProviderValues,
} from '../channel-port.ts'
import { debugTokenUrl, graphCode, tokenEndOf } from '../shared/graph.ts'
import {
  byStatus,
  checked,
  field,
  objectBody,
  posting,
  reading,
  retryAfter,
  withBearer,
} from '../shared/provider-call.ts'
import { hubHandshake, verifyHub } from '../shared/signature.ts'
import { messengerEvents } from './messenger-events.ts'
import { messengerBody } from './render.ts'

/** Graph's codes of temporary errors; a subcode of FINAL_SUBCODES makes them final. */
const RETRY_CODES: ReadonlySet<number> = new Set([1, 2, 4, 32, 613, 1200])
const FINAL_SUBCODES: ReadonlySet<string> = new Set(['2018344'])

const classify = (answer: ProviderAnswer): Outcome => {
  const code = graphCode(answer.body)
  const subcode = scalarText(objectOf(objectOf(answer.body).error).error_subcode)
  if (code === undefined || answer.status >= 500) return byStatus(answer, body => scalarText(objectOf(body).message_id))
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
  /** Field of the account with the id that its events name; it may be a group with that id. */
  readonly idField: (fields: JsonObject) => string
}

const ADDRESS_SECONDS = 86_400
/** A failed look-up is repeated after a minute; values expire 30 s early. */
const FAILED_SECONDS = 90

/** Ids by which events name the account; refused while the provider does not answer. */
const addressesOf = async (
  { accountUrl, idField }: Pick<MessengerOptions, 'accountUrl' | 'idField'>,
  fields: JsonObject,
  values: ProviderValues,
): Promise<Result<readonly string[]>> => {
  const name = idField(fields)
  const found = await values.remember('addresses', async () => {
    const url = `${accountUrl(fields)}?fields=${[...new Set(['id', name])].join(',')}`
    const asked = await values.ask(authorized(reading(url), fields))
    const body = objectOf(asked.ok && asked.value.status === 200 ? asked.value.body : undefined)
    const ids = [scalarText(body.id), scalarText(body[name]) || scalarText(objectOf(body[name]).id)].filter(
      id => id !== '',
    )
    return accepted({ value: ids.join(' '), seconds: ids.length === 0 ? FAILED_SECONDS : ADDRESS_SECONDS })
  })
  if (!found.ok) return found
  return found.value === '' ? refused('channel.answer', { params: { error: '—' } }) : accepted(found.value.split(' '))
}

/** The Messenger API, which Instagram shares. */
export const messengerAdapter = ({
  object,
  capabilities,
  accountUrl,
  nameField,
  idField,
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
  addresses: (fields, values) => addressesOf({ accountUrl, idField }, fields, values),
  async tokenEnds(fields, values) {
    const url = debugTokenUrl(fields, field(fields, 'pagetoken'))
    return tokenEndOf(await values.ask(authorized(reading(url), fields)))
  },
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${accountUrl(fields)}?fields=${nameField}`), fields))
    return checked(asked, body => scalarText(objectOf(body)[nameField]))
  },
})
