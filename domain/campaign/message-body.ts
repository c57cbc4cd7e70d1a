import type { JsonObject } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import { exampleOrder, type Template, type TemplateButton, type TemplateText } from '../template/template.ts'

/**
 * Variables of a template as a campaign names them: those of the body by their own name, and `header`, `button.n`,
 * `card.n.header`, `card.n.body.m`, `card.n.button.m` (from 1), `code`.
 */
export const templateVariables = (template: Template): readonly string[] => {
  if (template.category === 'AUTHENTICATION') return ['code']
  return [
    ...(hasHeaderValue(template) ? ['header'] : []),
    ...(template.body === null ? [] : exampleOrder(template.body.text)),
    ...buttonVariables(template.buttons).map(({ name }) => name),
    ...template.cards.flatMap(({ body, buttons }, at) => {
      const card = `card.${at + 1}`
      return [
        `${card}.header`,
        ...(body === null ? [] : exampleOrder(body.text).map(name => `${card}.body.${name}`)),
        ...buttonVariables(buttons).map(({ name }) => `${card}.${name}`),
      ]
    }),
  ]
}

/** A text with a variable, a file; a location has five values and is not sent by campaigns. */
const hasHeaderValue = ({ header }: Template): boolean =>
  header !== null && (header.format === 'TEXT' ? exampleOrder(header.text).length > 0 : header.format !== 'LOCATION')

interface ButtonVariable {
  readonly name: string
  readonly index: number
  readonly button: TemplateButton
}

const isVariable = (button: TemplateButton): boolean =>
  (button.type === 'URL' && exampleOrder(button.url).length > 0) || button.type === 'COPY_CODE'

const buttonVariables = (buttons: readonly TemplateButton[]): readonly ButtonVariable[] =>
  buttons.flatMap((button, index) => (isVariable(button) ? [{ name: `button.${index + 1}`, index, button }] : []))

type Values = ReadonlyMap<string, string>

/** Meta refuses line breaks, tabs and long runs of spaces in a value. */
const sendable = (value: string): string => value.replace(/[\n\r\t]/gu, ' ').replace(/ {4,}/gu, '   ')

const textParameters = (text: TemplateText, isNamed: boolean, values: Values, prefix = ''): JsonObject[] =>
  exampleOrder(text.text).map(name => ({
    type: 'text',
    ...(isNamed ? { parameter_name: name } : {}),
    text: sendable(values.get(prefix + name) ?? ''),
  }))

const buttonComponents = (buttons: readonly TemplateButton[], values: Values, prefix = ''): JsonObject[] =>
  buttonVariables(buttons).map(({ name, index, button }) => {
    const value = values.get(prefix + name) ?? ''
    return button.type === 'COPY_CODE'
      ? {
          type: 'button',
          sub_type: 'copy_code',
          index: String(index),
          parameters: [{ type: 'coupon_code', coupon_code: value }],
        }
      : {
          type: 'button',
          sub_type: 'url',
          index: String(index),
          parameters: [{ type: 'text', text: encodeURI(value) }],
        }
  })

const media = (format: string, link: string): JsonObject => {
  const type = format.toLowerCase()
  return { type, [type]: { link } }
}

const headerComponent = (template: Template, values: Values): JsonObject[] => {
  const { header } = template
  if (header === null || !hasHeaderValue(template) || header.format === 'LOCATION') return []
  if (header.format !== 'TEXT')
    return [{ type: 'header', parameters: [media(header.format, values.get('header') ?? '')] }]
  const [name = '1'] = exampleOrder(header.text)
  const named = template.parameterFormat === 'named' ? { parameter_name: name } : {}
  return [{ type: 'header', parameters: [{ type: 'text', ...named, text: sendable(values.get('header') ?? '') }] }]
}

const bodyComponent = (parameters: readonly JsonObject[]): JsonObject[] =>
  parameters.length === 0 ? [] : [{ type: 'body', parameters }]

const cardsComponent = ({ cards, parameterFormat }: Template, values: Values): JsonObject[] => {
  if (cards.length === 0) return []
  const members = cards.map(({ format, body, buttons }, at): JsonObject => {
    const card = `card.${at + 1}.`
    const texts = body === null ? [] : textParameters(body, parameterFormat === 'named', values, `${card}body.`)
    return {
      card_index: at,
      components: [
        { type: 'header', parameters: [media(format, values.get(`${card}header`) ?? '')] },
        ...bodyComponent(texts),
        ...buttonComponents(buttons, values, card),
      ],
    }
  })
  return [{ type: 'carousel', cards: members }]
}

const codeComponents = (values: Values): JsonObject[] => {
  const parameters = [{ type: 'text', text: values.get('code') ?? '' }]
  return [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: '0', parameters },
  ]
}

/** The body of a send. `to`: E.164 with its plus; without it Meta puts the country of the business before the number. */
export const messageBody = (template: Template, to: string, values: Values, callback: string): JsonObject => {
  const components =
    template.category === 'AUTHENTICATION'
      ? codeComponents(values)
      : [
          ...headerComponent(template, values),
          ...bodyComponent(
            template.body === null ? [] : textParameters(template.body, template.parameterFormat === 'named', values),
          ),
          ...buttonComponents(template.buttons, values),
          ...cardsComponent(template, values),
        ]
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: { name: template.name, language: { code: template.language, policy: 'deterministic' }, components },
    biz_opaque_callback_data: callback,
  }
}

/** Source of one variable. */
export interface MappedVariable {
  readonly variable: string
  /** `nome`, `field01` … `field16`, or `text`. */
  readonly source: string
  readonly text: string
  readonly default: string
  readonly format: string
}

/** Contact data for variables. */
interface MappedContact {
  readonly nome: string
  readonly fields: Readonly<Record<string, string>>
}

/** The field `mapping` of a campaign as it is used. */
export const mappingOf = (items: unknown): readonly MappedVariable[] =>
  (Array.isArray(items) ? items : []).map((item: JsonObject) => ({
    variable: textAt(item, 'variable').trim(),
    source: textAt(item, 'source') || 'nome',
    text: textAt(item, 'text'),
    default: textAt(item, 'default'),
    format: textAt(item, 'format') || 'text',
  }))

/** `1234.5`, `1.234,50` or `1234,5`; undefined for what is no number. */
const numberOf = (text: string): number | undefined => {
  const plain = text.trim()
  const decimal = plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain
  return /^-?\d{1,15}(\.\d{1,10})?$/u.test(decimal) ? Number(decimal) : undefined
}

const formatted = (text: string, format: string, locale: string): string => {
  if (format === 'uppercase') return text.toLocaleUpperCase(locale)
  if (format === 'date') {
    const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/u.exec(text.trim()) ?? []
    if (year === undefined) return text
    return locale === 'en-US' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`
  }
  const number = format === 'number' || format === 'currency' ? numberOf(text) : undefined
  if (number === undefined) return text
  const style = format === 'currency' ? ({ style: 'currency', currency: 'BRL' } as const) : {}
  return new Intl.NumberFormat(locale, style).format(number).replaceAll('\u00a0', ' ')
}

/**
 * The values of a template's variables for a contact, in `locale` (pt_BR); `missing` is the first one that has neither a
 * value nor a default.
 */
export const mappedValues = (
  variables: readonly string[],
  mapping: readonly MappedVariable[],
  contact: MappedContact,
  locale: string,
): { readonly values: ReadonlyMap<string, string>; readonly missing?: string } => {
  const values = new Map<string, string>()
  for (const variable of variables) {
    const found = mapping.find(each => each.variable === variable)
    if (found === undefined) return { values, missing: variable }
    const { source } = found
    const own = source === 'text' ? found.text : source === 'nome' ? contact.nome : (contact.fields[source] ?? '')
    const given = own.trim() === '' ? '' : formatted(own.trim(), found.format, locale.replace('_', '-'))
    const value = given === '' ? found.default : given
    if (value.trim() === '') return { values, missing: variable }
    values.set(variable, value)
  }
  return { values }
}

/** The message of a template as a person reads it. */
interface TemplateMessage {
  /** Header, body, bodies of cards and footer; variables without a value keep their braces. */
  readonly text: string
  /** Labels of buttons. */
  readonly buttons: readonly string[]
}

const VARIABLE = /\{\{\s*([\w.]+)\s*\}\}/gu

/** `values`: as {@link messageBody} takes them. */
export const templateMessage = (
  { header, body, footer, buttons, cards }: Template,
  values: ReadonlyMap<string, string>,
): TemplateMessage => {
  const filled = (text: string, nameOf: (name: string) => string = name => name) =>
    text.replace(VARIABLE, (written, name: string) => values.get(nameOf(name)) ?? written)
  const headline = header?.format === 'TEXT' ? filled(header.text, () => 'header') : ''
  const ofCards = cards.map(({ body: text }, at) =>
    text === null ? '' : filled(text.text, name => `card.${at + 1}.body.${name}`),
  )
  const parts = [headline, body === null ? '' : filled(body.text), ...ofCards, footer ?? '']
  return {
    text: parts.filter(part => part.trim() !== '').join('\n\n'),
    buttons: [...buttons, ...cards.flatMap(card => card.buttons)].flatMap(button =>
      'text' in button && typeof button.text === 'string' ? [button.text] : [],
    ),
  }
}
