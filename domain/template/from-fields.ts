import { isFile } from '#domain/field/stored-items.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { objectsOf, textAt } from '#schemas/json.ts'
import {
  exampleOrder,
  type MediaFormat,
  type Template,
  type TemplateButton,
  type TemplateCard,
  type TemplateText,
} from './template.ts'

type Fields = Readonly<Record<string, Json>>

/** A file, in place of the handle that Meta returns on submission. */
const handleOf = (value: Json | undefined): string | null => (value !== undefined && isFile(value) ? value.id : null)

const buttonOf = (type: string, given: Fields): TemplateButton | undefined => {
  const text = textAt(given, 'text')
  if (type === 'QUICK_REPLY') return { type, text }
  if (type === 'URL') return { type, text, url: textAt(given, 'url').trim(), example: textAt(given, 'example') || null }
  if (type === 'PHONE_NUMBER') return { type, text, phoneNumber: textAt(given, 'phone_number') }
  return type === 'COPY_CODE' ? { type, example: textAt(given, 'example') } : undefined
}

const examplesIn = (text: string, values: Json | undefined): TemplateText => {
  const names = exampleOrder(text)
  const given = Array.isArray(values) ? values.map(String) : []
  return { text, examples: given.slice(0, names.length).map((value, at) => ({ name: names[at] ?? '', value })) }
}

const cardOf = (card: JsonObject): TemplateCard => {
  const body = textAt(card, 'body')
  const buttons = [1, 2].flatMap(number => {
    const prefix = `button${number}_`
    const own = Object.fromEntries(
      Object.entries(card).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
      ),
    )
    return buttonOf(textAt(card, `button${number}`), own) ?? []
  })
  return {
    format: textAt(card, 'headerType') === 'VIDEO' ? 'VIDEO' : 'IMAGE',
    handle: handleOf(card.media),
    body: body === '' ? null : examplesIn(body, card.examples),
    buttons,
  }
}

const MEDIA: ReadonlySet<string> = new Set(['IMAGE', 'VIDEO', 'DOCUMENT'])

const headerOf = (fields: Fields): Template['header'] => {
  const type = textAt(fields, 'templateType')
  if (type === 'LOCATION') return { format: type }
  if (MEDIA.has(type)) return { format: type as MediaFormat, handle: handleOf(fields.header_file) }
  const text = textAt(fields, 'header')
  return type !== 'TEXT' || text === ''
    ? null
    : { format: 'TEXT', ...examplesIn(text, [textAt(fields, 'header_example')]) }
}

/** The template that the fields of the entity `template` are. A handle is the id of an uploaded file until it is submitted. */
export const templateOf = (fields: Fields): Template => {
  const category = textAt(fields, 'category').toUpperCase() as Template['category']
  const isCode = category === 'AUTHENTICATION'
  const body = textAt(fields, 'body')
  const buttons = objectsOf(fields.buttons).flatMap(button => buttonOf(textAt(button, 'type'), button) ?? [])
  const minutes = fields.code_expiration_minutes
  return {
    name: textAt(fields, 'templateName'),
    language: textAt(fields, 'language'),
    category,
    parameterFormat: fields.parameter_format === 'named' ? 'named' : 'positional',
    header: isCode ? null : headerOf(fields),
    body: isCode
      ? null
      : {
          text: body,
          examples: objectsOf(fields.params).map(each => ({
            name: textAt(each, 'name'),
            value: textAt(each, 'example'),
          })),
        },
    footer: isCode ? null : textAt(fields, 'footer') || null,
    buttons: isCode ? [{ type: 'OTP', text: textAt(fields, 'otp_text') }] : buttons,
    cards: fields.templateType === 'CAROUSEL' && !isCode ? objectsOf(fields.cards).map(cardOf) : [],
    addSecurityRecommendation: isCode && fields.add_security_recommendation === true,
    codeExpirationMinutes: isCode && typeof minutes === 'number' ? minutes : null,
  }
}

const buttonFields = (button: TemplateButton): JsonObject => {
  if (button.type === 'URL') return { type: button.type, text: button.text, url: button.url, example: button.example }
  if (button.type === 'PHONE_NUMBER') return { type: button.type, text: button.text, phone_number: button.phoneNumber }
  if (button.type === 'COPY_CODE') return { type: button.type, text: null, example: button.example }
  return { type: 'QUICK_REPLY', text: button.text }
}

const cardFields = ({ format, body, buttons }: TemplateCard): JsonObject => ({
  headerType: format,
  body: body?.text ?? null,
  examples: body?.examples.map(({ value }) => value) ?? [],
  ...Object.assign(
    {},
    ...buttons.slice(0, 2).map((button, at) => {
      const { type, ...rest } = buttonFields(button)
      const own = Object.entries(rest).map(([name, value]) => [`button${at + 1}_${name}`, value])
      return { [`button${at + 1}`]: type, ...Object.fromEntries(own) }
    }),
  ),
})

const headerFields = (header: Template['header']): JsonObject => {
  if (header === null) return {}
  if (header.format !== 'TEXT') return {}
  return { header: header.text, header_example: header.examples[0]?.value ?? null }
}

/** Fields of the entity that say the same. Of media there is the kind alone: Meta does not give files back. */
export const fieldsOf = (template: Template): JsonObject => {
  const { name, language, category, parameterFormat, header, body, footer, buttons, cards } = template
  const otp = buttons.find(button => button.type === 'OTP')
  return {
    templateName: name,
    language,
    category: category.toLowerCase(),
    parameter_format: parameterFormat,
    templateType: cards.length > 0 ? 'CAROUSEL' : (header?.format ?? 'TEXT'),
    ...headerFields(header),
    body: body?.text ?? null,
    params: body?.examples.map(({ name: of, value }) => ({ name: of, example: value })) ?? [],
    footer,
    buttons: buttons.filter(({ type }) => type !== 'OTP').map(buttonFields),
    cards: cards.map(cardFields),
    ...(otp === undefined ? {} : { otp_text: otp.text }),
    add_security_recommendation: template.addSecurityRecommendation,
    code_expiration_minutes: template.codeExpirationMinutes,
  }
}
