import type { JsonObject } from '#schemas/event.ts'
import { isObject, objectsOf, stringsOf, textAt } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import {
  exampleOrder,
  examplesOf,
  type MediaFormat,
  type Template,
  type TemplateButton,
  type TemplateCard,
  type TemplateHeader,
  type TemplateText,
} from './template.ts'

/** Data to create a template at Meta. */
interface MetaTemplate {
  readonly name: string
  readonly language: string
  readonly category: string
  readonly parameter_format: 'POSITIONAL' | 'NAMED'
  readonly components: readonly JsonObject[]
}

const isNamed = ({ parameterFormat }: Template): boolean => parameterFormat === 'named'

/** `example` of a text; nothing where it has no variable or an example is missing, which the lint tells. */
const exampleFor = (text: TemplateText, named: boolean, kind: 'header' | 'body'): JsonObject => {
  const examples = examplesOf(text)
  if (examples === undefined || examples.length === 0) return {}
  if (named) {
    const members = examples.map(({ name, value }) => ({ param_name: name, example: value }))
    return { example: { [`${kind}_text_named_params`]: members } }
  }
  const values = examples.map(({ value }) => value)
  return { example: kind === 'body' ? { body_text: [values] } : { header_text: values } }
}

const media = (format: MediaFormat, handle: string | null): JsonObject => ({
  type: 'HEADER',
  format,
  ...(handle === null ? {} : { example: { header_handle: [handle] } }),
})

const headerComponent = (header: TemplateHeader, named: boolean): JsonObject => {
  if (header.format === 'LOCATION') return { type: 'HEADER', format: 'LOCATION' }
  if (header.format !== 'TEXT') return media(header.format, header.handle)
  return { type: 'HEADER', format: 'TEXT', text: header.text, ...exampleFor(header, named, 'header') }
}

const bodyComponent = (body: TemplateText, named: boolean): JsonObject => ({
  type: 'BODY',
  text: body.text,
  ...exampleFor(body, named, 'body'),
})

const buttonMember = (button: TemplateButton): JsonObject => {
  switch (button.type) {
    case 'QUICK_REPLY':
      return { type: 'QUICK_REPLY', text: button.text }
    case 'URL': {
      const { text, url, example } = button
      return { type: 'URL', text, url, ...(example === null ? {} : { example: [example] }) }
    }
    case 'PHONE_NUMBER':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phoneNumber }
    case 'COPY_CODE':
      return { type: 'COPY_CODE', example: button.example }
    case 'OTP':
      return { type: 'OTP', otp_type: 'COPY_CODE', text: button.text }
  }
}

const buttonsComponent = (buttons: readonly TemplateButton[]): readonly JsonObject[] =>
  buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(buttonMember) }]

const cardMember = ({ format, handle, body, buttons }: TemplateCard, named: boolean): JsonObject => ({
  components: [
    media(format, handle),
    ...(body === null ? [] : [bodyComponent(body, named)]),
    ...buttonsComponent(buttons),
  ],
})

/** An authentication template has texts that Meta writes. */
const authenticationComponents = (template: Template): readonly JsonObject[] => [
  { type: 'BODY', add_security_recommendation: template.addSecurityRecommendation },
  ...(template.codeExpirationMinutes === null
    ? []
    : [{ type: 'FOOTER', code_expiration_minutes: template.codeExpirationMinutes }]),
  ...buttonsComponent(template.buttons),
]

const HANDLE = /"header_handle":\["([^"]{1,200})"\]/gu

/** Replaces ids of stored files in components by the provider's handles or addresses. */
export const withLinks = async (
  components: readonly JsonObject[],
  linkOf: (file: string) => Promise<Result<string>>,
): Promise<Result<readonly JsonObject[]>> => {
  const text = JSON.stringify(components)
  const links = new Map<string, string>()
  for (const [, file = ''] of text.matchAll(HANDLE)) {
    const link = links.has(file) ? undefined : await linkOf(file)
    if (link?.ok === false) return link
    if (link !== undefined) links.set(file, link.value)
  }
  const replaced = text.replace(
    HANDLE,
    (_, file: string) => `"header_handle":${JSON.stringify([links.get(file) ?? ''])}`,
  )
  return accepted(JSON.parse(replaced) as JsonObject[])
}

/** A template as Meta takes it. */
export const toMeta = (template: Template): MetaTemplate => {
  const { name, language, category, header, body, footer, buttons, cards } = template
  const named = isNamed(template)
  const components: readonly JsonObject[] =
    category === 'AUTHENTICATION'
      ? authenticationComponents(template)
      : [
          ...(header === null ? [] : [headerComponent(header, named)]),
          ...(body === null ? [] : [bodyComponent(body, named)]),
          ...(footer === null ? [] : [{ type: 'FOOTER', text: footer }]),
          ...buttonsComponent(buttons),
          ...(cards.length === 0 ? [] : [{ type: 'CAROUSEL', cards: cards.map(card => cardMember(card, named)) }]),
        ]
  return { name, language, category, parameter_format: named ? 'NAMED' : 'POSITIONAL', components }
}

const textOf = (component: JsonObject, kind: 'header' | 'body'): TemplateText => {
  const text = textAt(component, 'text')
  const example = isObject(component.example) ? component.example : {}
  const named = objectsOf(example[`${kind}_text_named_params`])
  if (named.length > 0)
    return { text, examples: named.map(each => ({ name: textAt(each, 'param_name'), value: textAt(each, 'example') })) }
  const given = example[`${kind}_text`]
  const values = stringsOf(kind === 'body' && Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given)
  const names = exampleOrder(text)
  return { text, examples: values.map((value, at) => ({ name: names[at] ?? String(at + 1), value })) }
}

const MEDIA: ReadonlySet<string> = new Set(['IMAGE', 'VIDEO', 'DOCUMENT'])

const handleOf = ({ example }: JsonObject): string | null =>
  (isObject(example) ? stringsOf(example.header_handle)[0] : undefined) ?? null

const headerOf = (component: JsonObject): TemplateHeader => {
  const format = textAt(component, 'format') || 'TEXT'
  if (format === 'LOCATION') return { format }
  return MEDIA.has(format)
    ? { format: format as MediaFormat, handle: handleOf(component) }
    : { format: 'TEXT', ...textOf(component, 'header') }
}

const buttonOf = (member: JsonObject): TemplateButton => {
  const text = textAt(member, 'text')
  switch (textAt(member, 'type')) {
    case 'URL':
      return { type: 'URL', text, url: textAt(member, 'url'), example: stringsOf(member.example)[0] ?? null }
    case 'PHONE_NUMBER':
      return { type: 'PHONE_NUMBER', text, phoneNumber: textAt(member, 'phone_number') }
    case 'COPY_CODE':
      return { type: 'COPY_CODE', example: stringsOf(member.example)[0] ?? textAt(member, 'example') }
    case 'OTP':
      return { type: 'OTP', text }
    default:
      return { type: 'QUICK_REPLY', text }
  }
}

const named = (components: readonly JsonObject[], type: string): JsonObject | undefined =>
  components.find(component => textAt(component, 'type').toUpperCase() === type)

const buttonsOf = (components: readonly JsonObject[]): readonly TemplateButton[] =>
  objectsOf(named(components, 'BUTTONS')?.buttons).map(buttonOf)

const bodyOf = (components: readonly JsonObject[]): TemplateText | null => {
  const body = named(components, 'BODY')
  return body === undefined ? null : textOf(body, 'body')
}

const cardOf = ({ components: given }: JsonObject): TemplateCard => {
  const components = objectsOf(given)
  const header = named(components, 'HEADER') ?? {}
  return {
    format: textAt(header, 'format') === 'VIDEO' ? 'VIDEO' : 'IMAGE',
    handle: handleOf(header),
    body: bodyOf(components),
    buttons: buttonsOf(components),
  }
}

const isNamedText = (text: TemplateText | null): boolean =>
  text?.examples.some(({ name }) => !/^\d+$/u.test(name)) === true

/** Components of one type that there may be one of. */
export const repeatedTypes = (components: readonly JsonObject[]): readonly string[] => {
  const types = components.map(component => textAt(component, 'type').toUpperCase())
  return [...new Set(types.filter((type, at) => types.indexOf(type) !== at))]
}

/** A template as Meta tells it. Of what a template can not hold twice the first counts. */
export const fromMeta = (given: JsonObject): Template => {
  const components = objectsOf(given.components)
  const header = named(components, 'HEADER')
  const footer = named(components, 'FOOTER')
  const body = bodyOf(components)
  const minutes = footer?.code_expiration_minutes
  const category = textAt(given, 'category').toUpperCase() as Template['category']
  return {
    name: textAt(given, 'name'),
    language: textAt(given, 'language').replace('-', '_'),
    category,
    parameterFormat: given.parameter_format === 'NAMED' || isNamedText(body) ? 'named' : 'positional',
    header: header === undefined ? null : headerOf(header),
    body: category === 'AUTHENTICATION' && body?.text === '' ? null : body,
    footer: footer === undefined || minutes !== undefined ? null : textAt(footer, 'text'),
    buttons: buttonsOf(components),
    cards: objectsOf(named(components, 'CAROUSEL')?.cards).map(cardOf),
    addSecurityRecommendation: named(components, 'BODY')?.add_security_recommendation === true,
    codeExpirationMinutes: typeof minutes === 'number' ? minutes : null,
  }
}
