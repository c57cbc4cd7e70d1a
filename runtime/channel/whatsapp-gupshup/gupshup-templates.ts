import { exampleOrder, fieldsOf, type Template, type TemplateButton } from '#domain/template/template.ts'
import type { TemplateMessage, TemplateMessageButton, TemplateMessageCard } from '#domain/template/template-message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { numberOf, objectOf, objectsOf, parseJsonField, scalarText, stringsOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ListedTemplate, ProviderAnswer, TemplateAdapter } from '../channel-port.ts'
import { field, reading, withHeader } from '../shared/provider-call.ts'

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
  if (header === undefined || header.kind === 'text') return undefined
  const { kind, filename } = header
  return { type: kind, [kind]: { link: linkOf(header), ...(filename === '' ? {} : { filename }) } }
}

/** Adds a template to the form of every message. */
export const gupshupTemplateForm = (message: TemplateMessage, sent: URLSearchParams): URLSearchParams => {
  sent.set('template', JSON.stringify({ id: message.id, params: allParams(message) }))
  const files = filesOf(message)
  if (files !== undefined) sent.set('message', JSON.stringify(files))
  const texts = postbacks(message.buttons)
  if (texts.length > 0) sent.set('postbackTexts', JSON.stringify(texts))
  return sent
}

/** The code of a refusal: in the answer, its message or its error. */
export const gupshupCode = (body: JsonObject): number | undefined =>
  numberOf(body.code) ?? numberOf(objectOf(body.message).code) ?? numberOf(objectOf(body.error).code)

export const readGupshupTemplate = ({ status, body }: ProviderAnswer): ReturnType<TemplateAdapter['read']> => {
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
export const listGupshupTemplates: (base: (fields: JsonObject) => string) => NonNullable<TemplateAdapter['list']> =
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
