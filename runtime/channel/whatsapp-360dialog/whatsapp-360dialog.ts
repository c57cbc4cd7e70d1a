import type { JsonObject } from '#schemas/event.ts'
import { objectOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ChannelAdapter, ProviderRequest, ProviderValues } from '../channel-port.ts'
import { areOtherPhones } from '../shared/own-address.ts'
import {
  baseUrl,
  checked,
  field,
  objectBody,
  posting,
  reading,
  retryAfter,
  withHeader,
} from '../shared/provider-call.ts'
import { verifyToken } from '../shared/signature.ts'
import { cloudEvents, isCloudBody } from '../whatsapp-cloud/cloud-events.ts'
import { CLOUD_CAPABILITIES, classifyCloud, cloudBody, cloudTemplateBody } from '../whatsapp-cloud/cloud-messages.ts'

const USUAL_URL = 'https://waba-v2.360dialog.io'
/** Meta's file host; 360dialog serves the files through its own host. */
const META_MEDIA_HOST = 'lookaside.fbsbx.com'

const base = (fields: JsonObject) => baseUrl(fields, USUAL_URL)

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withHeader(request, 'd360-api-key', field(fields, 'auth_token'))

/** The same file at 360dialog's host; undefined for other addresses. */
const proxied = (address: string, fields: JsonObject): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { hostname, origin, pathname, search } = new URL(address)
  const isOurs = hostname === META_MEDIA_HOST || origin === new URL(base(fields)).origin
  return isOurs ? `${base(fields)}${pathname}${search}` : undefined
}

const FILE_ID = /^[\w-]{1,200}$/u

const mediaRequest = async (
  ref: string,
  fields: JsonObject,
  values: ProviderValues,
): Promise<Result<ProviderRequest>> => {
  const asked = FILE_ID.test(ref) ? await values.ask(authorized(reading(`${base(fields)}/${ref}`), fields)) : undefined
  if (asked?.ok === false) return asked
  const url = proxied(asked === undefined ? ref : scalarText(objectOf(asked.value.body).url), fields)
  return url === undefined
    ? refused('channel.answer', { params: { error: '—' } })
    : accepted(authorized(reading(url), fields))
}

const RATE_LIMIT = 'exceeded the endpoint rate limit'

/** WhatsApp by 360dialog: the Cloud API with another host and key. It does not sign requests. */
export const whatsapp360dialog: ChannelAdapter = {
  capabilities: CLOUD_CAPABILITIES,
  handshake: () => undefined,
  verify: verifyToken,
  parse(request) {
    const body = objectBody(request, isCloudBody)
    return body.ok ? accepted(cloudEvents(body.value)) : body
  },
  isForeign: ({ to, display = '' }, fields) =>
    areOtherPhones(display, field(fields, 'sender_number')) || areOtherPhones(to, field(fields, 'account_id')),
  render: (message, to, fields, key) => posting(`${base(fields)}/messages`, cloudBody(message, to, key)),
  renderTemplate: (template, to, fields, key) =>
    posting(`${base(fields)}/messages`, cloudTemplateBody(template, to, key)),
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify(answer) {
    const told = scalarText(objectOf(objectOf(answer.body).meta).developer_message)
    const isLimited = answer.status === 400 && told.includes(RATE_LIMIT)
    return isLimited ? { kind: 'retry', after: retryAfter(answer) } : classifyCloud(answer)
  },
  mediaRequest,
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${base(fields)}/v1/configs/webhook`), fields))
    return checked(asked, body => scalarText(objectOf(body).url))
  },
}
