import {
  fieldsOf,
  sampleText,
  type Template,
  type TemplateButton,
  type TemplateText,
} from '#domain/template/template.ts'
import type {
  TemplateMessage,
  TemplateMessageButton,
  TemplateMessageHeader,
  TemplateMessageValue,
} from '#domain/template/template-message.ts'
import type { JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf, scalarText, stringsOf, withoutEmpty } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ListedTemplate } from '../channel-port.ts'

const headerOf = (header: TemplateMessageHeader): JsonObject => {
  if (header.kind === 'text') return { type: 'TEXT', placeholder: header.text }
  if (header.kind === 'location')
    return { type: 'LOCATION', latitude: Number(header.latitude), longitude: Number(header.longitude) }
  const { kind, source, filename } = header
  return withoutEmpty({ type: kind.toUpperCase(), mediaUrl: source.from === 'link' ? source.url : '', filename })
}

const BUTTON_TYPES = { reply: 'QUICK_REPLY', url: 'URL', code: 'COPY_CODE' } as const

/** Infobip wants a payload for every quick reply: the label where there is none. */
const buttonOf = ({ kind, value, label }: TemplateMessageButton): JsonObject => ({
  type: BUTTON_TYPES[kind],
  parameter: value === '' ? label : value,
})
const bodyOf = (values: readonly TemplateMessageValue[]): JsonObject => ({
  placeholders: values.map(({ text }) => text),
})

/** A template in Infobip's format. */
export const infobipTemplate = ({ name, language, header, body, buttons, cards }: TemplateMessage): JsonObject => ({
  templateName: name,
  language,
  templateData: {
    body: bodyOf(body),
    ...(header === undefined ? {} : { header: headerOf(header) }),
    ...(buttons.length === 0 ? {} : { buttons: buttons.map(buttonOf) }),
    ...(cards.length === 0
      ? {}
      : {
          carousel: {
            cards: cards.map(card => ({
              header: headerOf(card.header),
              ...(card.body.length === 0 ? {} : { body: bodyOf(card.body) }),
              ...(card.buttons.length === 0 ? {} : { buttons: card.buttons.map(buttonOf) }),
            })),
          },
        }),
  },
})

const textOf = (given: JsonObject): TemplateText => {
  const text = scalarText(given.text)
  const examples = stringsOf(given.examples ?? (given.example === undefined ? [] : [given.example]))
  return { text, examples: examples.map((value, at) => ({ name: String(at + 1), value })) }
}

const buttonRead = (given: JsonObject): readonly TemplateButton[] => {
  const [type, text] = [scalarText(given.type), scalarText(given.text)]
  if (type === 'QUICK_REPLY') return [{ type, text }]
  if (type === 'URL') return [{ type, text, url: scalarText(given.url), example: scalarText(given.example) || null }]
  if (type === 'PHONE_NUMBER') return [{ type, text, phoneNumber: scalarText(given.phoneNumber) }]
  if (type === 'COPY_CODE') return [{ type, example: scalarText(given.example) }]
  return type === 'OTP' ? [{ type, text }] : []
}

const MEDIA: ReadonlySet<string> = new Set(['IMAGE', 'VIDEO', 'DOCUMENT'])

const headerRead = (given: JsonObject): Template['header'] => {
  const format = scalarText(given.format)
  if (MEDIA.has(format)) return { format: format as 'IMAGE', handle: null }
  if (format === 'LOCATION') return { format }
  return format === 'TEXT' ? { format, ...textOf(given) } : null
}

const templateRead = (given: JsonObject): Template => {
  const { header, body, footer, buttons, carousel } = objectOf(given.structure)
  const minutes = objectOf(footer).codeExpirationMinutes
  return {
    name: scalarText(given.name),
    language: scalarText(given.language).replace('-', '_'),
    category: scalarText(given.category).toUpperCase() as Template['category'],
    parameterFormat: 'positional',
    header: headerRead(objectOf(header)),
    body: textOf(objectOf(body)),
    footer: scalarText(objectOf(footer).text) || null,
    buttons: objectsOf(buttons).flatMap(buttonRead),
    cards: objectsOf(objectOf(carousel).cards).map(card => ({
      format: scalarText(objectOf(card.header).format) === 'VIDEO' ? 'VIDEO' : 'IMAGE',
      handle: null,
      body: scalarText(objectOf(card.body).text) === '' ? null : textOf(objectOf(card.body)),
      buttons: objectsOf(card.buttons).flatMap(buttonRead),
    })),
    addSecurityRecommendation: objectOf(body).addSecurityRecommendation === true,
    codeExpirationMinutes: typeof minutes === 'number' ? minutes : null,
  }
}

/** Infobip's words of quality: of Meta's colours. */
const QUALITY: Readonly<Record<string, string>> = { HIGH: 'GREEN', MEDIUM: 'YELLOW', LOW: 'RED' }

/** Templates of a sender as Infobip lists them. */
export const infobipTemplates = (body: JsonObject): readonly ListedTemplate[] =>
  objectsOf(body.templates).map(given => ({
    id: scalarText(given.id),
    status: scalarText(given.status),
    reason: scalarText(given.rejectionReason),
    quality: QUALITY[scalarText(given.quality)] ?? '',
    fields: fieldsOf(templateRead(given)),
  }))

const structureText = (text: TemplateText): JsonObject => {
  const examples = text.examples.map(({ value }) => value)
  return { text: text.text, ...(examples.length === 0 ? {} : { examples }) }
}

const structureButton = (button: TemplateButton): JsonObject => {
  switch (button.type) {
    case 'URL': {
      const { type, text, url, example } = button
      return { type, text, url, ...(example === null ? {} : { example }) }
    }
    case 'PHONE_NUMBER':
      return { type: button.type, text: button.text, phoneNumber: button.phoneNumber }
    case 'COPY_CODE':
      return { type: button.type, example: button.example }
    case 'OTP':
      return { type: 'OTP', text: button.text, otpType: 'COPY_CODE' }
    default:
      return { type: button.type, text: button.text }
  }
}

type LinkOf = (file: string) => Promise<Result<string>>

const mediaHeader = async (format: string, handle: string | null, linkOf: LinkOf): Promise<Result<JsonObject>> => {
  if (handle === null) return refused('validation.failed', { errors: [{ path: 'header_file', code: 'required' }] })
  const link = await linkOf(handle)
  return link.ok ? accepted({ format, example: link.value }) : link
}

const headerStructure = async (header: Template['header'], linkOf: LinkOf): Promise<Result<JsonObject | undefined>> => {
  if (header === null) return accepted(undefined)
  if (header.format === 'LOCATION') return accepted({ format: header.format })
  if (header.format !== 'TEXT') return mediaHeader(header.format, header.handle, linkOf)
  const isFilled = header.examples.length > 0
  return accepted({ format: 'TEXT', text: header.text, ...(isFilled ? { example: sampleText(header) } : {}) })
}

/** The body that creates a template; files are examples at an address. */
export const infobipStructure = async (template: Template, linkOf: LinkOf): Promise<Result<JsonObject>> => {
  const { name, language, category, body, footer, buttons } = template
  const header = await headerStructure(template.header, linkOf)
  if (!header.ok) return header
  const cards: JsonObject[] = []
  for (const card of template.cards) {
    const own = await mediaHeader(card.format, card.handle, linkOf)
    if (!own.ok) return own
    cards.push({
      header: own.value,
      ...(card.body === null ? {} : { body: structureText(card.body) }),
      buttons: card.buttons.map(structureButton),
    })
  }
  const security = template.addSecurityRecommendation ? { addSecurityRecommendation: true } : {}
  const minutes = template.codeExpirationMinutes
  const structure: JsonObject = {
    ...(header.value === undefined ? {} : { header: header.value }),
    ...(body === null ? { body: security } : { body: structureText(body) }),
    ...(footer === null ? {} : { footer: { text: footer } }),
    ...(minutes === null ? {} : { footer: { codeExpirationMinutes: minutes } }),
    ...(buttons.length === 0 ? {} : { buttons: buttons.map(structureButton) }),
    ...(cards.length === 0 ? {} : { carousel: { cards } }),
  }
  return accepted({ name, language, category, structure })
}
