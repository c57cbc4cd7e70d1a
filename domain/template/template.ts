import { isFile } from '#domain/field/stored-items.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual, objectsOf, textAt } from '#schemas/json.ts'
import { templateProvider } from '#schemas/template-provider.ts'

/** Content of a message template, for any carrier: rendered as Meta's components and as a provider's record. */
export interface Template {
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
  /** Variables are `{{1}}`, `{{2}}` … or `{{first_name}}` …; never both. */
  readonly parameterFormat: 'positional' | 'named'
  readonly header: TemplateHeader | null
  readonly body: TemplateText | null
  readonly footer: string | null
  readonly buttons: readonly TemplateButton[]
  readonly cards: readonly TemplateCard[]
  /** Of an authentication template. */
  readonly addSecurityRecommendation: boolean
  /** Minutes, 1 to 90. */
  readonly codeExpirationMinutes: number | null
}

type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
export const TEMPLATE_LANGUAGES = ['pt_BR', 'pt_PT', 'en', 'en_US', 'es'] as const

/** A value that Meta's reviewers see for a variable. */
interface TemplateExample {
  /** Name of the variable, or its number. */
  readonly name: string
  readonly value: string
}

/** A text with variables. */
export interface TemplateText {
  readonly text: string
  readonly examples: readonly TemplateExample[]
}

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT'

/** `handle`: of an upload for the review; null until there is one. */
export type TemplateHeader =
  | ({ readonly format: 'TEXT' } & TemplateText)
  | { readonly format: MediaFormat; readonly handle: string | null }
  | { readonly format: 'LOCATION' }

export type TemplateButton =
  | { readonly type: 'QUICK_REPLY'; readonly text: string }
  | { readonly type: 'URL'; readonly text: string; readonly url: string; readonly example: string | null }
  | { readonly type: 'PHONE_NUMBER'; readonly text: string; readonly phoneNumber: string }
  | { readonly type: 'COPY_CODE'; readonly example: string }
  /** Of an authentication template: its code is copied. */
  | { readonly type: 'OTP'; readonly text: string }

export interface TemplateCard {
  readonly format: 'IMAGE' | 'VIDEO'
  readonly handle: string | null
  readonly body: TemplateText | null
  readonly buttons: readonly TemplateButton[]
}

/** `{{1}}` or `{{first_name}}`. */
const VARIABLE = /\{\{([^{}\s]{1,100})\}\}/gu

/** A variable and its place in its text, in UTF-16 units. */
interface FoundVariable {
  readonly name: string
  readonly at: number
  readonly end: number
}

export const variablesIn = (text: string): readonly FoundVariable[] =>
  [...text.matchAll(VARIABLE)].map(({ 0: whole, 1: name = '', index }) => ({
    name,
    at: index,
    end: index + whole.length,
  }))

/** Names of the variables of a text, each once, in order of first use. */
export const variableNames = (text: string): readonly string[] => [
  ...new Set(variablesIn(text).map(({ name }) => name)),
]

/** Names in the order in which Meta wants their examples: numbers ascending. */
export const exampleOrder = (text: string): readonly string[] => {
  const names = variableNames(text)
  return names.every(name => /^\d+$/u.test(name)) ? names.toSorted((a, b) => Number(a) - Number(b)) : names
}

/** The examples that belong to the variables of a text, in their order; undefined where one is missing. */
export const examplesOf = ({ text, examples }: TemplateText): readonly TemplateExample[] | undefined => {
  const found = exampleOrder(text).map(name => examples.find(each => each.name === name && each.value.trim() !== ''))
  return found.every(example => example !== undefined) ? found : undefined
}

/** A text with values instead of its variables; a variable without one stays as it is. */
export const filledText = (text: string, valueFor: (name: string) => string | undefined): string =>
  text.replace(VARIABLE, (whole, name: string) => valueFor(name) ?? whole)

/** A text as its examples show it. */
export const sampleText = ({ text, examples }: TemplateText): string =>
  filledText(text, name => examples.find(each => each.name === name && each.value !== '')?.value)

/** Words of Meta's review under which a template may be changed. */
const EDITABLE: ReadonlySet<string> = new Set(['APPROVED', 'REJECTED', 'PAUSED'])
const REVIEWED: ReadonlySet<string> = new Set(['PENDING', 'IN_APPEAL'])
/** FLAGGED can still be sent, but may be stopped soon. */
const SENDABLE: ReadonlySet<string> = new Set(['APPROVED', 'REINSTATED', 'UNARCHIVED', 'FLAGGED'])
const GONE: ReadonlySet<string> = new Set(['DELETED', 'PENDING_DELETION'])

const among = (words: ReadonlySet<string>, status: Json | undefined): boolean =>
  typeof status === 'string' && words.has(status)

export const editableStatus = (status: Json | undefined): boolean => among(EDITABLE, status)
export const isUnderReview = (status: Json | undefined): boolean => among(REVIEWED, status)
/** Whether messages may be sent from it: a word that nobody knows does not count. */
export const isSendable = (status: Json | undefined): boolean => among(SENDABLE, status)
export const isGone = (status: Json | undefined): boolean => among(GONE, status)

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

/** Texts and buttons of a template. Examples and files are left out: not every provider lists them. */
const contentOf = ({ name, language, header, body, footer, buttons, cards }: Template): Json => {
  const told = (all: readonly TemplateButton[]) => all.map(button => ({ ...button, example: null }) as Json)
  return [
    ...[name, language, header?.format ?? null, header?.format === 'TEXT' ? header.text : null],
    ...[body?.text ?? null, footer, told(buttons)],
    cards.map(card => [card.format, card.body?.text ?? null, told(card.buttons)]),
  ]
}

/** Whether people read the same in both. */
export const isSameContent = (one: Template, other: Template): boolean => jsonEqual(contentOf(one), contentOf(other))

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

/** The provider of a template, with its names of the template and of the values. */
export interface TemplateRegistration {
  /** A channel type; `whatsapp_meta` for accounts of Meta. */
  readonly provider: string
  /** The provider's id; empty where it names templates by name. */
  readonly id: string
  /** Name at the provider by variable (`templateVariables`). */
  readonly names: ReadonlyMap<string, string>
}

/** The provider of templates at an account of Meta. */
export const META = 'whatsapp_meta'

/** The registration in the fields of the entity `template`. */
export const registrationOf = (fields: Fields): TemplateRegistration => ({
  provider: textAt(fields as JsonObject, 'provider') || META,
  id: textAt(fields as JsonObject, 'provider_id').trim(),
  names: new Map(
    objectsOf(fields.provider_fields).map(item => [textAt(item, 'variable').trim(), textAt(item, 'name').trim()]),
  ),
})

/** The provider of a template; undefined for one without templates. */
export const providerOf = (fields: Fields) => templateProvider(registrationOf(fields).provider)

/** At a provider without a list nobody tells the state of a template: the person who registered it answers for it. */
export const isSendableThere = (fields: Fields): boolean =>
  providerOf(fields)?.review === 'hand' || isSendable(fields.status)

/** Whether the provider has the template. */
export const isAtProvider = ({ external_id: id }: Fields): boolean => typeof id === 'string' && id !== ''

/** Fields that people change here although the provider alone changes the template: files, and names of values. */
const ADDED: ReadonlySet<string> = new Set(['header_file', 'header_example', 'params', 'cards', 'provider_fields'])

/** Whether nobody may change a field: the provider reviews the template, identifies it by the field, or has the text. */
export const isFixedField = (fields: Fields, name: string): boolean => {
  if (fields.submission === 'submitting' || isUnderReview(fields.status)) return true
  if (!isAtProvider(fields)) return false
  const isListed = providerOf(fields)?.review === 'list'
  const isIdentity = name === 'templateName' || name === 'language'
  return isIdentity || (name === 'category' && fields.status === 'APPROVED') || (isListed && !ADDED.has(name))
}

const hasValue = (button: TemplateButton): boolean =>
  button.type === 'COPY_CODE' || button.type === 'OTP' || (button.type === 'URL' && exampleOrder(button.url).length > 0)

/** The part of a template that its provider cannot send. */
type TemplateHindrance = 'provider' | 'id' | 'header' | 'cards' | 'buttons' | 'fields' | 'location'

/** The first part that the provider cannot send; undefined: it can send the template. */
export const hindranceOf = (template: Template, { provider, id, names }: TemplateRegistration) => {
  const found = templateProvider(provider)
  const { header, body, cards, buttons } = template
  const text = header?.format === 'TEXT' ? exampleOrder(header.text) : []
  const unnamed = [
    ...(text.length > 0 && !names.has('header') ? ['header'] : []),
    ...(template.parameterFormat === 'named' || body === null
      ? []
      : exampleOrder(body.text).filter(name => !names.has(name))),
  ]
  const faults: readonly (readonly [TemplateHindrance, boolean])[] = [
    ['provider', found === undefined],
    ['id', found?.key === 'id' && id === ''],
    ['location', found?.place === false && header?.format === 'LOCATION'],
    ['header', found?.media === 'none' && header !== null && header.format !== 'TEXT' && header.format !== 'LOCATION'],
    ['cards', found?.cards === false && cards.length > 0],
    ['buttons', found?.buttonValues === false && buttons.some(hasValue)],
    ['fields', found?.names === 'field' && unnamed.length > 0],
  ]
  return faults.find(([, isThere]) => isThere)?.[0]
}
