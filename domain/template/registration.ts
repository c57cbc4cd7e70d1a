import type { Json, JsonObject } from '#schemas/event.ts'
import { objectsOf, textAt } from '#schemas/json.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import { exampleOrder, isSendable, isUnderReview, type Template, type TemplateButton } from './template.ts'

type Fields = Readonly<Record<string, Json>>

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
