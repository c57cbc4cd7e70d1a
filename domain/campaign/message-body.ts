import type { JsonObject } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import {
  exampleOrder,
  type MediaFormat,
  type Template,
  type TemplateButton,
  type TemplateRegistration,
  type TemplateText,
} from '../template/template.ts'
import type {
  MediaHeader,
  TemplateMessage,
  TemplateMessageButton,
  TemplateMessageValue,
} from '../template/template-message.ts'

/** Variables of a place above the body. */
const PLACE = ['header.latitude', 'header.longitude', 'header.name', 'header.address'] as const

/**
 * Variables of a template as a campaign names them: those of the body by their own name, and `header`,
 * `header.latitude`, `header.longitude`, `header.name`, `header.address`, `button.n`, `card.n.header`, `card.n.body.m`,
 * `card.n.button.m` (from 1), `code`. Each needs a value.
 */
export const templateVariables = (template: Template, registration?: TemplateRegistration): readonly string[] =>
  variablesOf(template, registration).flatMap(({ name, isOptional }) => (isOptional ? [] : [name]))

/** Variables that may stay without a value: files that the template has itself, and payloads of its quick replies. */
export const optionalVariables = (template: Template, registration?: TemplateRegistration): readonly string[] =>
  variablesOf(template, registration).flatMap(({ name, isOptional }) => (isOptional ? [name] : []))

/** Variables that are addresses of files, each with the kind of its file. */
export const mediaVariables = ({ category, header, cards }: Template): ReadonlyMap<string, MediaFormat> => {
  const found = new Map<string, MediaFormat>()
  if (category === 'AUTHENTICATION') return found
  if (header !== null && header.format !== 'TEXT' && header.format !== 'LOCATION') found.set('header', header.format)
  for (const [at, { format }] of cards.entries()) found.set(`card.${at + 1}.header`, format)
  return found
}

interface Variable {
  readonly name: string
  readonly isOptional: boolean
}

const variablesOf = (template: Template, registration?: TemplateRegistration): readonly Variable[] => {
  const { category, header, body, buttons, cards } = template
  const needed = (name: string): Variable => ({ name, isOptional: false })
  if (category === 'AUTHENTICATION') return [needed('code')]
  const media = (name: string, handle: string | null): readonly Variable[] =>
    isFixedThere(name, registration) ? [] : [{ name, isOptional: handle !== null }]
  const inHeader = (): readonly Variable[] => {
    if (header === null) return []
    if (header.format === 'LOCATION') return PLACE.map(needed)
    if (header.format === 'TEXT') return exampleOrder(header.text).map(() => needed('header'))
    return media('header', header.handle)
  }
  return [
    ...inHeader(),
    ...(body === null ? [] : exampleOrder(body.text).map(needed)),
    ...buttonVariables(buttons).map(({ name, isOptional }) => ({ name, isOptional })),
    ...cards.flatMap((card, at) => {
      const prefix = `card.${at + 1}`
      return [
        ...media(`${prefix}.header`, card.handle),
        ...(card.body === null ? [] : exampleOrder(card.body.text).map(name => needed(`${prefix}.body.${name}`))),
        ...buttonVariables(card.buttons).map(({ name, isOptional }) => ({ name: `${prefix}.${name}`, isOptional })),
      ]
    }),
  ]
}

/** A file that is part of the provider's own content is no value of a message. */
const isFixedThere = (name: string, registration: TemplateRegistration | undefined): boolean =>
  registration !== undefined &&
  templateProvider(registration.provider)?.names === 'content' &&
  !registration.names.has(name)

interface ButtonVariable extends Variable {
  readonly index: number
  readonly button: TemplateButton
}

const isVariable = (button: TemplateButton): boolean =>
  (button.type === 'URL' && exampleOrder(button.url).length > 0) ||
  button.type === 'COPY_CODE' ||
  button.type === 'QUICK_REPLY'

const buttonVariables = (buttons: readonly TemplateButton[]): readonly ButtonVariable[] =>
  buttons.flatMap((button, index) => {
    const isOptional = button.type === 'QUICK_REPLY'
    return isVariable(button) ? [{ name: `button.${index + 1}`, isOptional, index, button }] : []
  })

type Values = ReadonlyMap<string, string>

/** Meta refuses line breaks, tabs and long runs of spaces in a value. */
const sendable = (value: string): string => value.replace(/[\n\r\t]/gu, ' ').replace(/ {4,}/gu, '   ')

/** Values of a message, and their names at the provider. */
interface Filling {
  readonly values: Values
  readonly registration: TemplateRegistration
}

const valuesOf = ({ text }: TemplateText, { values, registration }: Filling, prefix = ''): TemplateMessageValue[] =>
  exampleOrder(text).map(name => ({
    name: registration.names.get(prefix + name) ?? name,
    text: sendable(values.get(prefix + name) ?? ''),
  }))

const KINDS = { URL: 'url', COPY_CODE: 'code', QUICK_REPLY: 'reply' } as const

const buttonsOf = (
  buttons: readonly TemplateButton[],
  { values, registration }: Filling,
  prefix = '',
): TemplateMessageButton[] =>
  buttonVariables(buttons).flatMap(({ name, index, button }) => {
    if (button.type === 'OTP' || button.type === 'PHONE_NUMBER') return []
    const value = values.get(prefix + name) ?? ''
    const own = button.type === 'URL' ? (exampleOrder(button.url)[0] ?? '') : ''
    return {
      index,
      kind: KINDS[button.type],
      name: registration.names.get(prefix + name) ?? own,
      value: button.type === 'URL' ? encodeURI(value) : value,
      label: button.type === 'QUICK_REPLY' ? button.text : '',
    }
  })

const mediaOf = (
  format: MediaFormat,
  handle: string | null,
  variable: string,
  { values, registration }: Filling,
): MediaHeader => {
  const url = values.get(variable) ?? ''
  return {
    kind: format.toLowerCase() as MediaHeader['kind'],
    name: registration.names.get(variable) ?? '',
    source: url === '' && handle !== null ? { from: 'file', file: handle } : { from: 'link', url },
    filename: '',
  }
}

/** Largest absolute values, in degrees. */
const COORDINATES: Readonly<Record<string, number>> = { 'header.latitude': 90, 'header.longitude': 180 }

/** `-23.55052`, also from `-23,55052`; undefined for a text that is no such coordinate. */
const coordinateOf = (variable: string, text: string): string | undefined => {
  const decimal = text.trim().replace(',', '.')
  const most = COORDINATES[variable] ?? 0
  return /^-?\d{1,3}(\.\d{1,20})?$/u.test(decimal) && Math.abs(Number(decimal)) <= most ? decimal : undefined
}

const placeOf = (values: Values): TemplateMessage['header'] => {
  const [latitude = '', longitude = '', title = '', address = ''] = PLACE.map(name => values.get(name) ?? '')
  return { kind: 'location', latitude, longitude, title: sendable(title), address: sendable(address) }
}

const headerOf = ({ header }: Template, filling: Filling): TemplateMessage['header'] => {
  if (header === null) return undefined
  if (header.format === 'LOCATION') return placeOf(filling.values)
  if (header.format !== 'TEXT') return mediaOf(header.format, header.handle, 'header', filling)
  const [own] = exampleOrder(header.text)
  if (own === undefined) return undefined
  const { values, registration } = filling
  return { kind: 'text', name: registration.names.get('header') ?? own, text: sendable(values.get('header') ?? '') }
}

/** The message that a template with these values is. */
export const fillTemplate = (
  template: Template,
  values: Values,
  registration: TemplateRegistration,
): TemplateMessage => {
  const { name, language, category, parameterFormat, body, buttons, cards } = template
  const filling = { values, registration }
  const head = { id: registration.id, name, language, isNamed: parameterFormat === 'named' }
  if (category === 'AUTHENTICATION') {
    const value = values.get('code') ?? ''
    const copied = { index: 0, kind: 'url', name: '1', value, label: '' } as const
    return { ...head, body: [{ name: '1', text: value }], buttons: [copied], cards: [] }
  }
  const header = headerOf(template, filling)
  return {
    ...head,
    ...(header === undefined ? {} : { header }),
    body: body === null ? [] : valuesOf(body, filling),
    buttons: buttonsOf(buttons, filling),
    cards: cards.map((card, at) => ({
      header: mediaOf(card.format, card.handle, `card.${at + 1}.header`, filling),
      body: card.body === null ? [] : valuesOf(card.body, filling, `card.${at + 1}.body.`),
      buttons: buttonsOf(card.buttons, filling, `card.${at + 1}.`),
    })),
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
 * value nor a default, or no coordinate where it needs one. `optional` ones are never missing.
 */
export const mappedValues = (
  variables: readonly string[],
  mapping: readonly MappedVariable[],
  contact: MappedContact,
  locale: string,
  optional: readonly string[] = [],
): { readonly values: ReadonlyMap<string, string>; readonly missing?: string } => {
  const values = new Map<string, string>()
  const given = mapping.flatMap(({ variable }) => (optional.includes(variable) ? [variable] : []))
  for (const variable of [...variables, ...given]) {
    const found = mapping.find(each => each.variable === variable)
    if (found === undefined) return { values, missing: variable }
    const { source } = found
    const own = source === 'text' ? found.text : source === 'nome' ? contact.nome : (contact.fields[source] ?? '')
    const shown = own.trim() === '' ? '' : formatted(own.trim(), found.format, locale.replace('_', '-'))
    const value = shown === '' ? found.default : shown
    if (value.trim() === '' && optional.includes(variable)) continue
    const sent = Object.hasOwn(COORDINATES, variable) ? (coordinateOf(variable, value) ?? '') : value
    if (sent.trim() === '') return { values, missing: variable }
    values.set(variable, sent)
  }
  return { values }
}

/** The message of a template as a person reads it. */
interface ReadableTemplate {
  /** Header, body, bodies of cards and footer; variables without a value keep their braces. */
  readonly text: string
  /** Labels of buttons. */
  readonly buttons: readonly string[]
}

const VARIABLE = /\{\{\s*([\w.]+)\s*\}\}/gu

/** `values`: as {@link fillTemplate} takes them. */
export const templateMessage = (
  { header, body, footer, buttons, cards }: Template,
  values: ReadonlyMap<string, string>,
): ReadableTemplate => {
  const filled = (text: string, nameOf: (name: string) => string = name => name) =>
    text.replace(VARIABLE, (written, name: string) => values.get(nameOf(name)) ?? written)
  const place = ['header.name', 'header.address'].flatMap(name => values.get(name) || [])
  const headline =
    header?.format === 'TEXT'
      ? filled(header.text, () => 'header')
      : header?.format === 'LOCATION'
        ? place.join(', ')
        : ''
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
