import { fromMeta, toMeta, withLinks } from '#domain/template/components.ts'
import { fieldsOf } from '#domain/template/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  ChannelAdapter,
  ListedTemplate,
  ProviderAnswer,
  ProviderRequest,
  ProviderValues,
  TemplateAdapter,
} from '../channel-port.ts'
import { areOtherPhones } from '../shared/own-address.ts'
import {
  baseUrl,
  checked,
  field,
  lookupAnswer,
  objectBody,
  posting,
  reading,
  retryAfter,
  withHeader,
} from '../shared/provider-call.ts'
import { verifyToken } from '../shared/signature.ts'
import { cloudEvents, isCloudBody } from '../whatsapp-cloud/cloud-events.ts'
import {
  CLOUD_CAPABILITIES,
  classifyCloud,
  cloudBody,
  cloudTemplateBody,
  cloudUpload,
  readCloudTemplate,
} from '../whatsapp-cloud/cloud-messages.ts'

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
  const asked = FILE_ID.test(ref)
    ? lookupAnswer(await values.ask(authorized(reading(`${base(fields)}/${ref}`), fields)))
    : undefined
  if (asked?.ok === false) return asked
  const url = proxied(asked === undefined ? ref : scalarText(objectOf(asked.value.body).url), fields)
  return url === undefined
    ? refused('channel.answer', { params: { error: '—' } })
    : accepted(authorized(reading(url), fields))
}

const RATE_LIMIT = 'exceeded the endpoint rate limit'

/** Its own refusals have a text and no code. */
const toldBy = ({ body }: ProviderAnswer): string => scalarText(objectOf(objectOf(body).meta).developer_message)
const isLimited = (answer: ProviderAnswer): boolean => answer.status === 400 && toldBy(answer).includes(RATE_LIMIT)

const templatesUrl = (fields: JsonObject) => `${base(fields)}/v1/configs/templates`

const listed = (given: JsonObject): ListedTemplate => {
  const reason = scalarText(given.rejected_reason)
  return {
    id: scalarText(given.id) || scalarText(given.external_id),
    status: scalarText(given.status).toUpperCase(),
    reason: reason.toUpperCase() === 'NONE' ? '' : reason,
    quality: scalarText(objectOf(given.quality_score).score),
    fields: fieldsOf(fromMeta(given)),
  }
}

/** Templates of the Cloud API. The address of a list or a submission has no number: the key belongs to one. */
const templates: TemplateAdapter = {
  render: (message, to, fields, key) =>
    posting(`${base(fields)}/messages`, cloudTemplateBody(message, { id: to }, key)),
  read(answer) {
    // Meta's code of too many calls.
    return isLimited(answer) ? { id: '', code: '130429' } : readCloudTemplate(answer)
  },
  upload(file, fields) {
    const { headers, body } = cloudUpload(file)
    return { method: 'POST', url: `${base(fields)}/media`, headers, body }
  },
  async list(fields, values) {
    const asked = await values.ask(authorized(reading(templatesUrl(fields)), fields))
    if (!asked.ok) return asked
    const { status, body } = asked.value
    const { waba_templates: found } = objectOf(body)
    return status === 200 && Array.isArray(found)
      ? accepted(objectsOf(found).map(listed))
      : refused('channel.answer', { params: { status, error: toldBy(asked.value) || '—' } })
  },
  async submit(template, fields, values, linkOf) {
    const { components, ...head } = toMeta(template)
    const ready = await withLinks(components, linkOf)
    if (!ready.ok) return ready
    const body = { ...head, components: [...ready.value], allow_category_change: true }
    const asked = await values.ask(authorized({ method: 'POST', url: templatesUrl(fields), headers: [], body }, fields))
    if (!asked.ok) return asked
    const { status, body: answer } = asked.value
    const { id, status: state } = objectOf(answer)
    return status < 300
      ? accepted({ id: scalarText(id), status: scalarText(state).toUpperCase() || 'PENDING' })
      : refused('channel.answer', { params: { status, error: toldBy(asked.value) || '—' } })
  },
}

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
  templates,
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify(answer) {
    return isLimited(answer) ? { kind: 'retry', after: retryAfter(answer) } : classifyCloud(answer)
  },
  mediaRequest,
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${base(fields)}/v1/configs/webhook`), fields))
    return checked(asked, body => scalarText(objectOf(body).url))
  },
}
