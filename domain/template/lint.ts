import {
  examplesOf,
  TEMPLATE_LANGUAGES,
  type Template,
  type TemplateButton,
  type TemplateCard,
  type TemplateText,
  variableNames,
  variablesIn,
} from './template.ts'

/** A fault of a template, and its place: a dotted path into the fields of `template`. */
export interface TemplateFault {
  readonly path: string
  readonly rule: TemplateRule
  readonly max?: number
  /** `warning`: Meta takes it, and people should know. */
  readonly level?: 'warning'
}

/** Texts: `field.template.<rule>`. */
type TemplateRule =
  | 'name'
  | 'length'
  | 'language'
  | 'bodyrequired'
  | 'multiple'
  | 'examples'
  | 'sequence'
  | 'edge'
  | 'adjacent'
  | 'mixed'
  | 'braces'
  | 'density'
  | 'blanklines'
  | 'oneheadervariable'
  | 'headermarkdown'
  | 'footervariables'
  | 'maxbuttons'
  | 'buttontext'
  | 'buttonlength'
  | 'samebuttons'
  | 'grouping'
  | 'maxurl'
  | 'maxphone'
  | 'maxcode'
  | 'codemarketing'
  | 'codelength'
  | 'directlink'
  | 'uri'
  | 'uriend'
  | 'uriexample'
  | 'phone'
  | 'handle'
  | 'maxcards'
  | 'mincards'
  | 'samecards'
  | 'cardbuttons'
  | 'cardmarketing'
  | 'cardalone'
  | 'locationauth'
  | 'otp'
  | 'otponly'
  | 'expiration'
  | 'optout'
  | 'seeall'

/** Characters as people count them: code points after NFC. */
const countCharacters = (text: string): number => [...text.normalize('NFC')].length

const fault = (path: string, rule: TemplateRule, more: Pick<TemplateFault, 'max' | 'level'> = {}): TemplateFault => ({
  path,
  rule,
  ...more,
})

const tooLong = (path: string, text: string, max: number): readonly TemplateFault[] =>
  countCharacters(text) > max ? [fault(path, 'length', { max })] : []

/** Four empty lines or more. */
const BLANK_LINES = /(?:\n[^\S\n]*){5}/u

const blankLines = (path: string, text: string): readonly TemplateFault[] =>
  BLANK_LINES.test(text) ? [fault(path, 'blanklines', { max: 3 })] : []

/** Words that a text needs for each variable, and one more: Meta refuses others as too short (2388293). */
const WORDS_PER_VARIABLE = 2

const NUMBERED = /^\d+$/u
const WORD = /^[a-z][a-z_]*$/u

/** Faults of variable names, independent of their places. */
const nameFaults = (path: string, text: string, format: Template['parameterFormat']): readonly TemplateFault[] => {
  const names = variableNames(text)
  const rest = text.replace(/\{\{[^{}\s]{1,100}\}\}/gu, '')
  const isBroken = /[{}]/u.test(rest) || names.some(name => !NUMBERED.test(name) && !WORD.test(name))
  const hasNumbers = names.some(name => NUMBERED.test(name))
  const hasWords = names.some(name => WORD.test(name))
  if (hasNumbers && hasWords) return [fault(path, 'mixed')]
  if (isBroken) return [fault(path, 'braces')]
  if ((hasWords && format === 'positional') || (hasNumbers && format === 'named')) return [fault(path, 'mixed')]
  const numbers = names.map(Number).toSorted((a, b) => a - b)
  return hasNumbers && numbers.some((number, at) => number !== at + 1) ? [fault(path, 'sequence')] : []
}

const isAtEdge = (text: string): boolean => {
  const trimmed = text.trim()
  const found = variablesIn(trimmed)
  return found[0]?.at === 0 || found.at(-1)?.end === trimmed.length
}

const isAdjacent = (text: string): boolean => {
  const found = variablesIn(text)
  return found.some(({ at }, index) => index > 0 && text.slice(found[index - 1]?.end, at).trim() === '')
}

const isDense = (text: string): boolean => {
  const variables = variablesIn(text).length
  const words = text.replace(/\{\{[^{}\s]{1,100}\}\}/gu, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return variables > 2 && words < variables * WORDS_PER_VARIABLE + 1
}

/** A text with variables: `examples` is where its examples are given. */
const textFaults = (
  path: string,
  examples: string,
  given: TemplateText,
  format: Template['parameterFormat'],
): readonly TemplateFault[] => {
  const { text } = given
  const names = nameFaults(path, text, format)
  if (names.length > 0) return names
  if (isAtEdge(text)) return [fault(path, 'edge')]
  if (isAdjacent(text)) return [fault(path, 'adjacent')]
  return [
    ...(isDense(text) ? [fault(path, 'density')] : []),
    ...(examplesOf(given) === undefined ? [fault(examples, 'examples')] : []),
  ]
}

const MAX_BUTTONS = 10
const MAX_CARDS = 10
const MAX_BODY = 1024
const MAX_HEADER = 60
const MAX_FOOTER = 60
const MAX_BUTTON_TEXT = 25
const MAX_CARD_BODY = 160

const MAX_NAME = 512
const MAX_URL = 2000
const MAX_PHONE = 20
const MAX_CODE = 15
const MAX_CARD_BUTTONS = 2

const NAME = /^[a-z0-9_]+$/u
const MARKDOWN = /[*_~`]/u
const PHONE = /^\+?\d{7,19}$/u
const WHATSAPP_HOSTS = ['wa.me', 'whatsapp.com', 'whatsapp.net']
const STOP_WORDS = /\b(?:sair|parar|pare|cancelar|descadastrar|stop|unsubscribe|baja)\b/iu

const headerFaults = ({ header, category, parameterFormat }: Template): readonly TemplateFault[] => {
  if (header === null) return []
  if (header.format === 'LOCATION') return category === 'AUTHENTICATION' ? [fault('templateType', 'locationauth')] : []
  if (header.format !== 'TEXT') return header.handle === null ? [fault('header_file', 'handle')] : []
  const { text } = header
  const variables = variablesIn(text)
  if (variables.length > 1) return [fault('header', 'oneheadervariable')]
  const names = nameFaults('header', text, parameterFormat)
  return [
    ...names,
    ...tooLong('header', text, MAX_HEADER),
    ...(MARKDOWN.test(text.replace(/\{\{[^{}\s]{1,100}\}\}/gu, '')) ? [fault('header', 'headermarkdown')] : []),
    ...(names.length === 0 && examplesOf(header) === undefined ? [fault('header_example', 'examples')] : []),
  ]
}

const footerFaults = ({ footer }: Template): readonly TemplateFault[] =>
  footer === null
    ? []
    : [...tooLong('footer', footer, MAX_FOOTER), ...(/[{}]/u.test(footer) ? [fault('footer', 'footervariables')] : [])]

const urlOf = (text: string): URL | undefined => {
  const url = URL.parse(text.replace(/\{\{[^{}\s]{1,100}\}\}$/u, '1'))
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}

const isWhatsApp = ({ hostname }: URL): boolean =>
  WHATSAPP_HOSTS.some(host => hostname === host || hostname.endsWith(`.${host}`))

const urlFaults = (path: string, { url, example }: Extract<TemplateButton, { type: 'URL' }>) => {
  const variables = variablesIn(url)
  const [variable] = variables
  if (variables.length > 1 || (variable !== undefined && variable.end !== url.length))
    return [fault(`${path}.url`, 'uriend')]
  const address = urlOf(url)
  if (address === undefined || /\s/u.test(url)) return [fault(`${path}.url`, 'uri')]
  if (isWhatsApp(address)) return [fault(`${path}.url`, 'directlink')]
  return [
    ...tooLong(`${path}.url`, url, MAX_URL),
    ...(variable !== undefined && (example ?? '').trim() === '' ? [fault(`${path}.example`, 'uriexample')] : []),
  ]
}

const buttonFaults = (
  path: string,
  button: TemplateButton,
  category: Template['category'],
): readonly TemplateFault[] => {
  if (button.type === 'COPY_CODE') {
    const length = countCharacters(button.example)
    return [
      ...(category === 'MARKETING' ? [] : [fault(`${path}.type`, 'codemarketing')]),
      ...(length < 1 || length > MAX_CODE ? [fault(`${path}.example`, 'codelength', { max: MAX_CODE })] : []),
    ]
  }
  const { text } = button
  const words = [
    ...(text.trim() === '' ? [fault(`${path}.text`, 'buttontext')] : []),
    ...(countCharacters(text) > MAX_BUTTON_TEXT
      ? [fault(`${path}.text`, 'buttonlength', { max: MAX_BUTTON_TEXT })]
      : []),
  ]
  if (button.type === 'URL') return [...words, ...urlFaults(path, button)]
  if (button.type !== 'PHONE_NUMBER') return words
  const number = button.phoneNumber.replace(/[\s().-]/gu, '')
  const isPhone = PHONE.test(number) && number.length <= MAX_PHONE
  return [...words, ...(isPhone ? [] : [fault(`${path}.phone_number`, 'phone')])]
}

/** Places of buttons whose text an earlier one has. */
const repeatedTexts = (buttons: readonly TemplateButton[]): readonly number[] => {
  const texts = buttons.map(button => ('text' in button ? button.text.trim() : ''))
  return texts.flatMap((text, at) => (text !== '' && texts.indexOf(text) < at ? [at] : []))
}

/** Quick replies and others each stand together. */
const isMixedUp = (buttons: readonly TemplateButton[]): boolean => {
  const kinds = buttons.map(({ type }) => type === 'QUICK_REPLY')
  return kinds.filter((kind, at) => at === 0 || kind !== kinds[at - 1]).length > 2
}

const allButtonFaults = ({ buttons, category, cards }: Template): readonly TemplateFault[] => {
  const count = (type: TemplateButton['type']) => buttons.filter(button => button.type === type).length
  return [
    ...(buttons.length > MAX_BUTTONS ? [fault('buttons', 'maxbuttons', { max: MAX_BUTTONS })] : []),
    ...(count('URL') > 2 ? [fault('buttons', 'maxurl')] : []),
    ...(count('PHONE_NUMBER') > 1 ? [fault('buttons', 'maxphone')] : []),
    ...(count('COPY_CODE') > 1 ? [fault('buttons', 'maxcode')] : []),
    ...(isMixedUp(buttons) ? [fault('buttons', 'grouping')] : []),
    ...(buttons.length > 0 && cards.length > 0 ? [fault('buttons', 'cardalone')] : []),
    ...(buttons.length > 3 && buttons.length <= MAX_BUTTONS ? [fault('buttons', 'seeall', { level: 'warning' })] : []),
    ...buttons.flatMap((button, at) => buttonFaults(`buttons.${at}`, button, category)),
    ...repeatedTexts(buttons).map(at => fault(`buttons.${at}.text`, 'samebuttons')),
  ]
}

/** Shape that all cards share. */
const shapeOf = ({ format, body, buttons }: TemplateCard): string =>
  [format, body === null ? '' : 'BODY', ...buttons.map(({ type }) => type)].join(' ')

const cardFaults = (
  card: TemplateCard,
  at: number,
  { category, parameterFormat }: Template,
): readonly TemplateFault[] => {
  const path = `cards.${at}`
  const { body, handle, buttons } = card
  return [
    ...(handle === null ? [fault(`${path}.media`, 'handle')] : []),
    ...(body === null
      ? []
      : [
          ...tooLong(`${path}.body`, body.text, MAX_CARD_BODY),
          ...blankLines(`${path}.body`, body.text),
          ...nameFaults(`${path}.body`, body.text, parameterFormat),
          ...(examplesOf(body) === undefined ? [fault(`${path}.examples`, 'examples')] : []),
        ]),
    ...(buttons.length < 1 || buttons.length > MAX_CARD_BUTTONS ? [fault(`${path}.button1`, 'cardbuttons')] : []),
    ...repeatedTexts(buttons).map(index => fault(`${path}.button${index + 1}_text`, 'samebuttons')),
    ...buttons.flatMap((button, index) =>
      buttonFaults(`${path}.button${index + 1}`, button, category).map(({ path: own, ...rest }) => ({
        ...rest,
        path: own.replace(/^(cards\.\d+\.button\d)\.type$/u, '$1').replace(/^(cards\.\d+\.button\d)\./u, '$1_'),
      })),
    ),
  ]
}

const carouselFaults = (template: Template): readonly TemplateFault[] => {
  const { cards, category, header } = template
  if (cards.length === 0) return []
  return [
    ...(cards.length > MAX_CARDS ? [fault('cards', 'maxcards', { max: MAX_CARDS })] : []),
    ...(cards.length < 2 ? [fault('cards', 'mincards')] : []),
    ...(category === 'MARKETING' ? [] : [fault('category', 'cardmarketing')]),
    ...(header === null ? [] : [fault('header', 'cardalone')]),
    ...(new Set(cards.map(shapeOf)).size > 1 ? [fault('cards', 'samecards')] : []),
    ...cards.flatMap((card, at) => cardFaults(card, at, template)),
  ]
}

const authenticationFaults = (template: Template): readonly TemplateFault[] => {
  const { buttons, codeExpirationMinutes: minutes, header } = template
  const [button] = buttons
  return [
    ...(header === null ? [] : headerFaults(template)),
    ...(button?.type === 'OTP' && buttons.length === 1
      ? buttonFaults('otp_text', button, 'AUTHENTICATION')
      : [fault('otp_text', 'otp')]),
    ...(minutes !== null && (minutes < 1 || minutes > 90) ? [fault('code_expiration_minutes', 'expiration')] : []),
  ].map(each => ({ ...each, path: each.path.replace('otp_text.text', 'otp_text') }))
}

const hasOptOut = ({ buttons, footer, body }: Template): boolean =>
  [footer ?? '', body?.text ?? '', ...buttons.map(button => ('text' in button ? button.text : ''))].some(text =>
    STOP_WORDS.test(text),
  )

const bodyFaults = ({ body, parameterFormat }: Template): readonly TemplateFault[] =>
  body === null || body.text.trim() === ''
    ? [fault('body', 'bodyrequired')]
    : [
        ...tooLong('body', body.text, MAX_BODY),
        ...blankLines('body', body.text),
        ...textFaults('body', 'params', body, parameterFormat),
      ]

/** Everything that Meta would refuse a template for, and what people should know before they submit it. */
export const lintTemplate = (template: Template): readonly TemplateFault[] => {
  const { name, language, category, buttons } = template
  const isLanguage = (TEMPLATE_LANGUAGES as readonly string[]).includes(language)
  const named = [
    ...(NAME.test(name) ? [] : [fault('templateName', 'name')]),
    ...tooLong('templateName', name, MAX_NAME),
    ...(isLanguage ? [] : [fault('language', 'language')]),
  ]
  if (category === 'AUTHENTICATION') return [...named, ...authenticationFaults(template)]
  return [
    ...named,
    ...headerFaults(template),
    ...bodyFaults(template),
    ...footerFaults(template),
    ...allButtonFaults(template),
    ...carouselFaults(template),
    ...(buttons.some(({ type }) => type === 'OTP') ? [fault('buttons', 'otponly')] : []),
    ...(category === 'MARKETING' && !hasOptOut(template) ? [fault('category', 'optout', { level: 'warning' })] : []),
  ]
}
