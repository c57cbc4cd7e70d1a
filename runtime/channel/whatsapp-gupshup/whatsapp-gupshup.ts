import { exampleOrder, fieldsOf, type Template, type TemplateButton } from '#domain/template/template.ts'
import type { TemplateMessage, TemplateMessageButton, TemplateMessageCard } from '#domain/template/template-message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import {
  coordinates,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  parseJsonField,
  scalarText,
  stringsOf,
  timeOf,
  withoutEmpty,
} from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  Capabilities,
  ChannelAdapter,
  ListedTemplate,
  OutgoingMessage,
  ProviderAnswer,
  ProviderContent,
  ProviderEvent,
  ProviderUser,
  TemplateAdapter,
} from '../channel-port.ts'
import { areOtherPhones, isPhone, isSameAddress } from '../shared/own-address.ts'
import {
  baseUrl,
  byStatus,
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
import { CLOUD_CAPABILITIES } from '../whatsapp-cloud/cloud-messages.ts'

const linkOf = ({ source }: TemplateMessageCard['header']): string => (source.from === 'link' ? source.url : '')

/** Values of links and codes; those of replies are postbacks. */
const params = (buttons: readonly TemplateMessageButton[]): readonly string[] =>
  buttons.flatMap(({ kind, value }) => (kind === 'reply' ? [] : [value]))

const postbacks = (buttons: readonly TemplateMessageButton[]): readonly JsonObject[] =>
  buttons.flatMap(({ kind, index, value }) => (kind === 'reply' && value !== '' ? [{ index, text: value }] : []))

/** All values in the order of the template: header, body, buttons, then each card. */
const allParams = ({ header, body, buttons, cards }: TemplateMessage): readonly string[] => [
  ...(header?.kind === 'text' ? [header.text] : []),
  ...body.map(({ text }) => text),
  ...params(buttons),
  ...cards.flatMap(card => [...card.body.map(({ text }) => text), ...params(card.buttons)]),
]

/** The member `message`, with the files of a template; undefined: it has none. */
const filesOf = ({ header, cards }: TemplateMessage): JsonObject | undefined => {
  const [first] = cards
  if (first !== undefined) {
    const members = cards.map(card => {
      const texts = postbacks(card.buttons)
      return { link: linkOf(card.header), ...(texts.length === 0 ? {} : { postbackTexts: texts }) }
    })
    return { type: 'carousel', cardHeaderType: first.header.kind.toUpperCase(), cards: members }
  }
  if (header === undefined || header.kind === 'text' || header.kind === 'location') return undefined
  const { kind, filename } = header
  return { type: kind, [kind]: { link: linkOf(header), ...(filename === '' ? {} : { filename }) } }
}

/** Adds a template to the form of every message. */
const gupshupTemplateForm = (message: TemplateMessage, sent: URLSearchParams): URLSearchParams => {
  sent.set('template', JSON.stringify({ id: message.id, params: allParams(message) }))
  const files = filesOf(message)
  if (files !== undefined) sent.set('message', JSON.stringify(files))
  const texts = postbacks(message.buttons)
  if (texts.length > 0) sent.set('postbackTexts', JSON.stringify(texts))
  return sent
}

/** The code of a refusal: in the answer, its message or its error. */
const gupshupCode = (body: JsonObject): number | undefined =>
  numberOf(body.code) ?? numberOf(objectOf(body.message).code) ?? numberOf(objectOf(body.error).code)

const readGupshupTemplate = ({ status, body }: ProviderAnswer): ReturnType<TemplateAdapter['read']> => {
  const held = objectOf(body)
  const isRefused = scalarText(held.status) === 'error' || status >= 400
  const code = gupshupCode(held)
  return {
    id: isRefused ? '' : scalarText(held.messageId),
    code: isRefused ? String(code ?? (status < 400 ? 'gupshup.error' : '')) : '',
  }
}

const buttonOf = (given: JsonObject): readonly TemplateButton[] => {
  const [type, text] = [scalarText(given.type), scalarText(given.text)]
  const [example = null] = stringsOf(given.example)
  if (type === 'QUICK_REPLY') return [{ type, text }]
  if (type === 'URL') return [{ type, text, url: scalarText(given.url), example }]
  if (type === 'PHONE_NUMBER') return [{ type, text, phoneNumber: scalarText(given.phone_number) }]
  if (type === 'COPY_CODE') return [{ type, example: example ?? '' }]
  return type === 'OTP' ? [{ type, text }] : []
}

/** Examples are what the sample has in place of the variables; they are not read back from it. */
const textOf = (text: Json | undefined) => ({ text: scalarText(text), examples: [] })

/** A template in Gupshup's record, whose content is JSON text in `containerMeta`. */
const templateOfRecord = (record: JsonObject): Template => {
  const meta = objectOf(parseJsonField(record.containerMeta))
  const type = scalarText(record.templateType)
  const isNamed = exampleOrder(scalarText(meta.data)).some(name => !/^\d+$/u.test(name))
  const category = scalarText(record.category).toUpperCase()
  return {
    name: scalarText(record.elementName),
    language: scalarText(record.languageCode).replace('-', '_'),
    category: category === 'UTILITY' || category === 'AUTHENTICATION' ? category : 'MARKETING',
    parameterFormat: isNamed ? 'named' : 'positional',
    header:
      type === 'IMAGE' || type === 'VIDEO' || type === 'DOCUMENT'
        ? { format: type, handle: null }
        : type === 'LOCATION'
          ? { format: type }
          : scalarText(meta.header) === ''
            ? null
            : { format: 'TEXT', ...textOf(meta.header) },
    body: textOf(meta.data ?? record.data),
    footer: scalarText(meta.footer) || null,
    buttons: objectsOf(meta.buttons).flatMap(buttonOf),
    cards: objectsOf(meta.cards).map(card => ({
      format: scalarText(card.headerType) === 'VIDEO' ? 'VIDEO' : 'IMAGE',
      handle: null,
      body: scalarText(card.body) === '' ? null : textOf(card.body),
      buttons: objectsOf(card.buttons).flatMap(buttonOf),
    })),
    addSecurityRecommendation: meta.addSecurityRecommendation === true,
    codeExpirationMinutes: null,
  }
}

/** All templates of an app: `GET /wa/app/{appId}/template`. */
const listGupshupTemplates: (base: (fields: JsonObject) => string) => NonNullable<TemplateAdapter['list']> =
  base =>
  async (fields, values): Promise<Result<readonly ListedTemplate[]>> => {
    const { origin } = new URL(base(fields))
    const url = `${origin}/wa/app/${encodeURIComponent(field(fields, 'account_id'))}/template`
    const asked = await values.ask(withHeader(reading(url), 'apikey', field(fields, 'auth_token')))
    if (!asked.ok) return asked
    const { status, body } = asked.value
    const told = objectOf(body)
    if (status !== 200 || !Array.isArray(told.templates))
      return refused('channel.answer', { params: { status, error: scalarText(told.message) || '—' } })
    return accepted(
      objectsOf(told.templates).map(record => ({
        id: scalarText(record.id),
        status: scalarText(record.status).toUpperCase(),
        reason: scalarText(record.reason),
        quality: scalarText(record.quality),
        fields: fieldsOf(templateOfRecord(record)),
      })),
    )
  }

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['enqueued', 'queued'],
  ...(['sent', 'delivered', 'read', 'failed'] as const).map(state => [state, state] as const),
])

const MEDIA = new Set(['image', 'file', 'audio', 'video', 'sticker'])
const ACCOUNT = new Set(['user-event', 'template-event', 'account-event', 'billing-event', 'system-event'])

const contentOf = (type: string, held: JsonObject): ProviderContent | undefined => {
  if (MEDIA.has(type)) {
    const [ref, name, caption] = [scalarText(held.url), scalarText(held.name), scalarText(held.caption)]
    if (ref === '') return undefined
    const media = [{ ref, type: scalarText(held.contentType), ...(name === '' ? {} : { name }) }]
    // A document without a caption has its name as the caption.
    return { kind: 'media', media, ...(caption === '' || caption === name ? {} : { text: caption }) }
  }
  switch (type) {
    case 'text': {
      const said = scalarText(held.text)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'button_reply':
    case 'list_reply': {
      const value = scalarText(held.postbackText) || scalarText(held.id) || scalarText(held.title)
      return value === '' ? undefined : { kind: 'choice', value, title: scalarText(held.title) || value }
    }
    case 'quick_reply': {
      const [title, payload] = [scalarText(held.text), scalarText(held.payload)]
      return title === '' && payload === ''
        ? undefined
        : { kind: 'choice', value: payload || title, title: title || payload }
    }
    case 'location': {
      const place = coordinates(held.latitude, held.longitude)
      const about = { name: held.name, address: held.address }
      return place === undefined ? undefined : { kind: 'location', data: withoutEmpty({ ...place, ...about }) }
    }
    case 'contact':
      return listOf(held.contacts).length === 0 ? undefined : { kind: 'contacts', data: listOf(held.contacts) }
    case 'order':
      return { kind: 'order', data: held }
    default:
      return undefined
  }
}

const messageEvent = (body: JsonObject, payload: JsonObject): ProviderEvent => {
  const [type, id, held] = [scalarText(payload.type), scalarText(payload.id), objectOf(payload.payload)]
  const sender = objectOf(payload.sender)
  const from = scalarText(payload.source) || scalarText(sender.phone)
  const content = contentOf(type, held)
  if (content === undefined || id === '' || from === '')
    return { kind: 'unknown', type: type || 'message', to: scalarText(body.app) }
  const name = scalarText(sender.name)
  const context = objectOf(payload.context)
  const replyTo = scalarText(context.gsId) || scalarText(context.id)
  const value = type === 'quick_reply' && content.kind === 'choice' ? content.value : ''
  return {
    kind: 'message',
    id,
    from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
    to: scalarText(body.app),
    time: timeOf(body.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(value === '' ? {} : { payload: value }),
  }
}

/** Identifies the message by the id in Gupshup's response: `gsId`, but `id` before WhatsApp accepted the message. */
const receiptEvent = (body: JsonObject, payload: JsonObject): ProviderEvent => {
  const [type, held] = [scalarText(payload.type), objectOf(payload.payload)]
  const state = STATES.get(type)
  const id = scalarText(payload.gsId) || scalarText(payload.id)
  const to = scalarText(body.app)
  if (state === undefined || id === '') return { kind: 'unknown', type: `status.${type}`, to }
  const code = state === 'failed' ? scalarText(held.code) || scalarText(held.reason) : ''
  return { kind: 'receipt', id, to, state, time: timeOf(held.ts ?? body.timestamp), ...(code === '' ? {} : { code }) }
}

/** Events of a request in Gupshup's own format (version 2). */
export const gupshupEvents = (body: JsonObject): readonly ProviderEvent[] => {
  const [type, payload] = [scalarText(body.type), objectOf(body.payload)]
  if (type === 'message') return [messageEvent(body, payload)]
  if (type === 'message-event') return [receiptEvent(body, payload)]
  if (ACCOUNT.has(type))
    return [{ kind: 'account', name: `${type}.${scalarText(payload.type)}`, data: payload, to: scalarText(body.app) }]
  return [{ kind: 'unknown', type: type || 'event', to: scalarText(body.app) }]
}

const USUAL_URL = 'https://api.gupshup.io/wa/api/v1'

const CAPABILITIES: Capabilities = {
  ...CLOUD_CAPABILITIES,
  buttons: { count: 3, label: 20, links: 'none', image: true },
  askplace: false,
  native: [],
}

const mediaBody = ({ media, url, caption, name }: Extract<OutgoingMessage, { kind: 'media' }>): JsonObject => {
  switch (media) {
    case 'image':
      return withoutEmpty({ type: 'image', originalUrl: url, previewUrl: url, caption })
    case 'document':
      return withoutEmpty({ type: 'file', url, filename: name, caption })
    default:
      return withoutEmpty({ type: media, url, caption })
  }
}

/** A message in Gupshup's format; undefined when it has no equivalent. A press returns `key`. */
const messageBody = (message: OutgoingMessage, key: string): JsonObject | undefined => {
  switch (message.kind) {
    case 'text':
      return { type: 'text', text: message.text, previewUrl: message.text.includes('://') }
    case 'media':
      return mediaBody(message)
    case 'location': {
      const { latitude, longitude, name, address } = message
      return withoutEmpty({ type: 'location', longitude, latitude, name, address })
    }
    case 'buttons': {
      const { text: words, image, options } = message
      const content = image === undefined ? { type: 'text', text: words } : { type: 'image', url: image, text: words }
      const made = options.map(({ id, title }) => ({ type: 'text', title, postbackText: id }))
      return { type: 'quick_reply', msgid: key, content, options: made }
    }
    case 'list': {
      const options = message.options.map(({ id, title, description }) =>
        withoutEmpty({ type: 'text', title, description, postbackText: id }),
      )
      return {
        type: 'list',
        body: message.text,
        msgid: key,
        globalButtons: [{ type: 'text', title: message.button }],
        items: [{ title: message.button, options }],
      }
    }
    default:
      return undefined
  }
}

const form = (to: ProviderUser, fields: JsonObject): URLSearchParams =>
  new URLSearchParams([
    ['channel', 'whatsapp'],
    ['source', field(fields, 'sender_number').replaceAll(/\D/gu, '')],
    ['destination', to.id.replaceAll(/\D/gu, '')],
    ['src.name', field(fields, 'account_id')],
  ])

const RETRY_CODES: ReadonlySet<number> = new Set([500, 4001, 4002])

/** WhatsApp by Gupshup. It does not sign requests. */
export const whatsappGupshup: ChannelAdapter = {
  capabilities: CAPABILITIES,
  handshake: () => undefined,
  verify: verifyToken,
  parse(request) {
    const body = objectBody(request, held => isCloudBody(held) || typeof held.type === 'string')
    if (!body.ok) return body
    return accepted(isCloudBody(body.value) ? cloudEvents(body.value) : gupshupEvents(body.value))
  },
  isForeign: ({ to, display = '' }, fields) =>
    display === ''
      ? !isSameAddress(to, field(fields, 'account_id')) && !isPhone(to)
      : areOtherPhones(display, field(fields, 'sender_number')),
  render(message, to, fields, key) {
    const made = messageBody(message, key)
    const sent = form(to, fields)
    if (made !== undefined) sent.set('message', JSON.stringify(made))
    return posting(`${baseUrl(fields, USUAL_URL)}/msg`, made === undefined ? undefined : sent)
  },
  templates: {
    render(message, to, fields) {
      if (message.id === '') return refused('channel.message')
      const sent = gupshupTemplateForm(message, form({ id: to }, fields))
      return posting(`${baseUrl(fields, USUAL_URL)}/template/msg`, sent)
    },
    read: readGupshupTemplate,
    list: listGupshupTemplates(fields => baseUrl(fields, USUAL_URL)),
  },
  authorize: (request, fields) => accepted(withHeader(request, 'apikey', field(fields, 'auth_token'))),
  classify(answer) {
    const body = objectOf(answer.body)
    const told = gupshupCode(body)
    const isRefused = scalarText(body.status) === 'error' || answer.status >= 400
    if (isRefused && answer.status < 500) {
      if (told !== undefined && RETRY_CODES.has(told)) return { kind: 'retry', after: retryAfter(answer) }
      if (answer.status < 400) return { kind: 'final', code: told === undefined ? 'gupshup.error' : String(told) }
    }
    return byStatus(answer, held => scalarText(objectOf(held).messageId), told === undefined ? undefined : String(told))
  },
  mediaRequest: ref => accepted(reading(ref)),
  async check(fields, values) {
    const { origin } = new URL(baseUrl(fields, USUAL_URL))
    const url = `${origin}/wa/app/${encodeURIComponent(field(fields, 'account_id'))}/template`
    const asked = await values.ask(withHeader(reading(url), 'apikey', field(fields, 'auth_token')))
    return checked(asked, () => field(fields, 'account_id'))
  },
}
