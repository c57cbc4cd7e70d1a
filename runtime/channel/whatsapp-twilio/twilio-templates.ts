import { exampleOrder, fieldsOf, type Template, type TemplateButton } from '#domain/template/template.ts'
import type { MediaHeader, TemplateMessage } from '#domain/template/template-message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf, scalarText, stringsOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ListedTemplate, ProviderRequest, ProviderValues, Submitted } from '../channel-port.ts'
import { reading } from '../shared/provider-call.ts'

const VARIABLE = /\{\{([^{}\s]{1,100})\}\}/u

/**
 * A file's variable and value. `name` may be an address that ends with its variable: then the value is the rest of an
 * address that begins alike.
 */
const fileVariable = ({ name, source }: MediaHeader): readonly (readonly [string, string])[] => {
  const found = VARIABLE.exec(name)
  const url = source.from === 'link' ? source.url : ''
  if (name === '') return []
  if (found === null) return [[name, url]]
  const before = name.slice(0, found.index)
  return [[found[1] ?? '', url.startsWith(before) ? url.slice(before.length) : url]]
}

/** Values by the names of the content's variables. Parts without a name are fixed in the content. */
export const twilioVariables = ({
  header,
  body,
  buttons,
  cards,
}: TemplateMessage): Readonly<Record<string, string>> => {
  const named = (values: readonly { readonly name: string; readonly value: string }[]) =>
    values.flatMap(({ name, value }) => (name === '' ? [] : [[name, value] as const]))
  const texts = (values: TemplateMessage['body']) => values.map(({ name, text }) => [name, text] as const)
  return Object.fromEntries([
    ...(header === undefined || header.kind === 'location'
      ? []
      : header.kind === 'text'
        ? [[header.name, header.text] as const]
        : fileVariable(header)),
    ...texts(body),
    ...named(buttons.filter(({ kind }) => kind !== 'reply')),
    ...cards.flatMap(card => [
      ...fileVariable(card.header),
      ...texts(card.body),
      ...named(card.buttons.filter(({ kind }) => kind !== 'reply')),
    ]),
  ])
}

/** The content's part for WhatsApp, of which a template has one. */
const partOf = (types: JsonObject): readonly [type: string, part: JsonObject] => {
  const [type = '', part] = Object.entries(types).find(([name]) => !name.endsWith('/location')) ?? []
  return [type, objectOf(part)]
}

const buttonsOf = (actions: Json | undefined): readonly TemplateButton[] =>
  objectsOf(actions).flatMap((action): readonly TemplateButton[] => {
    const text = scalarText(action.title)
    switch (scalarText(action.type).toUpperCase()) {
      case 'URL':
        return [{ type: 'URL', text, url: scalarText(action.url), example: null }]
      case 'PHONE_NUMBER':
        return [{ type: 'PHONE_NUMBER', text, phoneNumber: scalarText(action.phone) }]
      case 'COPY_CODE':
        return [{ type: 'COPY_CODE', example: scalarText(action.code) }]
      default:
        return text === '' ? [] : [{ type: 'QUICK_REPLY', text }]
    }
  })

const FORMATS: readonly (readonly [RegExp, 'VIDEO' | 'DOCUMENT'])[] = [
  [/\.(?:mp4|3gp|mov)(?:[?#]|$)/iu, 'VIDEO'],
  [/\.(?:pdf|docx?|xlsx?|pptx?)(?:[?#]|$)/iu, 'DOCUMENT'],
]

/** Twilio does not say the kind of a file: its address or the example of its variable does. */
const formatOf = (media: string, variables: JsonObject): 'IMAGE' | 'VIDEO' | 'DOCUMENT' => {
  const shown = media.replace(VARIABLE, (_, name: string) => scalarText(variables[name]))
  return FORMATS.find(([pattern]) => pattern.test(shown))?.[1] ?? 'IMAGE'
}

interface NamedVariable {
  readonly variable: string
  readonly name: string
}

const fileName = (variable: string, media: string): readonly NamedVariable[] =>
  VARIABLE.test(media) ? [{ variable, name: media }] : []

const codeNames = (buttons: readonly TemplateButton[], prefix = ''): readonly NamedVariable[] =>
  buttons.flatMap((button, at) => {
    const name = button.type === 'COPY_CODE' ? VARIABLE.exec(button.example)?.[1] : undefined
    return name === undefined ? [] : [{ variable: `${prefix}button.${at + 1}`, name }]
  })

const CATEGORIES: ReadonlySet<string> = new Set(['MARKETING', 'UTILITY', 'AUTHENTICATION'])

/** Fields of a template, and the names of its variables, from a content resource. */
const fieldsOfContent = (content: JsonObject): JsonObject => {
  const variables = objectOf(content.variables)
  const [type, part] = partOf(objectOf(content.types))
  const { name, category } = objectOf(content.approval_requests)
  const told = scalarText(category).toUpperCase()
  const [media = ''] = stringsOf(part.media)
  const headline = type === 'twilio/card' ? '' : scalarText(part.header_text)
  const body = scalarText(part.body) || scalarText(part.title)
  const text = (words: string) => ({
    text: words,
    examples: exampleOrder(words).map(each => ({ name: each, value: scalarText(variables[each]) })),
  })
  const cards = objectsOf(part.cards).map(card => {
    const [file = scalarText(card.media)] = stringsOf(card.media)
    const words = [card.title, card.body].map(scalarText).filter(one => one !== '')
    return { file, words: words.join('\n'), buttons: buttonsOf(card.actions) }
  })
  const buttons = type === 'whatsapp/authentication' ? [] : buttonsOf(part.actions)
  const isCode = type === 'whatsapp/authentication'
  const template: Template = {
    name: scalarText(name) || scalarText(content.friendly_name),
    language: scalarText(content.language).replace('-', '_'),
    category: isCode ? 'AUTHENTICATION' : CATEGORIES.has(told) ? (told as Template['category']) : 'UTILITY',
    parameterFormat: 'positional',
    header:
      media !== ''
        ? { format: formatOf(media, variables), handle: null }
        : headline === ''
          ? null
          : { format: 'TEXT', ...text(headline) },
    body: isCode ? null : text(body),
    footer: scalarText(part.footer) || scalarText(part.subtitle) || null,
    buttons: isCode ? [{ type: 'OTP', text: scalarText(objectsOf(part.actions)[0]?.copy_code_text) }] : buttons,
    cards: cards.map(card => ({
      format: formatOf(card.file, variables) === 'VIDEO' ? 'VIDEO' : 'IMAGE',
      handle: null,
      body: card.words === '' ? null : text(card.words),
      buttons: card.buttons,
    })),
    addSecurityRecommendation: part.add_security_recommendation === true,
    codeExpirationMinutes: typeof part.code_expiration_minutes === 'number' ? part.code_expiration_minutes : null,
  }
  const named = [
    ...fileName('header', media),
    ...codeNames(buttons),
    ...cards.flatMap((card, at) => [
      ...fileName(`card.${at + 1}.header`, card.file),
      ...codeNames(card.buttons, `card.${at + 1}.`),
    ]),
  ]
  return { ...fieldsOf(template), provider_fields: named.map(one => ({ ...one })) }
}

const PAGE = 100
const MAX_PAGES = 100
const CONTENT_URL = 'https://content.twilio.com'

/** Twilio's word of a review as Meta spells it. */
const reviewWord = (word: string): string => (word === '' || word === 'received' ? 'PENDING' : word.toUpperCase())

type Authorize = (request: ProviderRequest) => ProviderRequest

/** Base of the Content API: the channel's own, where it has one. */
const contentUrl = (own: string): string => (own === '' ? CONTENT_URL : own)

/** Contents with the state of their review, which the approval requests contain. */
export const listTwilioTemplates = async (
  own: string,
  values: ProviderValues,
  authorize: Authorize,
): Promise<Result<readonly ListedTemplate[]>> => {
  const base = contentUrl(own)
  const found: ListedTemplate[] = []
  let url: string | undefined = `${base}/v1/ContentAndApprovals?PageSize=${PAGE}`
  for (let page = 0; page < MAX_PAGES && url !== undefined; page += 1) {
    const asked = await values.ask(authorize(reading(url)))
    if (!asked.ok) return asked
    const { status, body } = asked.value
    const { contents, meta, message } = objectOf(body)
    if (status !== 200 || !Array.isArray(contents))
      return refused('channel.answer', { params: { status, error: scalarText(message) || '—' } })
    for (const content of objectsOf(contents)) {
      const { status: state, rejection_reason: reason } = objectOf(content.approval_requests)
      // A content that was never submitted is for open conversations alone.
      if (['', 'unsubmitted'].includes(scalarText(state))) continue
      const fields = fieldsOfContent(content)
      const told = { status: reviewWord(scalarText(state)), reason: scalarText(reason), quality: '' }
      found.push({ id: scalarText(content.sid), ...told, fields })
    }
    const next = scalarText(objectOf(meta).next_page_url)
    // The token is sent to no other host.
    url = URL.canParse(next) ? `${base}${new URL(next).pathname}${new URL(next).search}` : undefined
  }
  return accepted(found)
}

const actionOf = (button: TemplateButton): JsonObject => {
  switch (button.type) {
    case 'URL':
      return { type: 'URL', title: button.text, url: button.url }
    case 'PHONE_NUMBER':
      return { type: 'PHONE_NUMBER', title: button.text, phone: button.phoneNumber }
    case 'COPY_CODE':
      return { type: 'COPY_CODE', title: 'Copy', code: button.example }
    default:
      return { type: 'QUICK_REPLY', title: button.text, id: button.text }
  }
}

/**
 * A new content of one of the forms that Twilio has; undefined for other forms. Variables of links continue the numbers
 * of the body, because a content has one set of numbers.
 */
const contentOf = (template: Template): JsonObject | undefined => {
  const { name, language, category, header, body, footer, buttons, cards } = template
  if (category === 'AUTHENTICATION' || cards.length > 0 || header !== null || footer !== null) return undefined
  if (body === null || template.parameterFormat === 'named') return undefined
  const hasLinkValue = buttons.some(button => button.type === 'URL' && exampleOrder(button.url).length > 0)
  if (hasLinkValue) return undefined
  const variables = Object.fromEntries(body.examples.map(({ name: variable, value }) => [variable, value]))
  const isReply = buttons.every(({ type }) => type === 'QUICK_REPLY')
  const type = buttons.length === 0 ? 'twilio/text' : isReply ? 'twilio/quick-reply' : 'twilio/call-to-action'
  const actions = buttons.length === 0 ? {} : { actions: buttons.map(actionOf) }
  return { friendly_name: name, language, variables, types: { [type]: { body: body.text, ...actions } } }
}

/** Creates a content, and asks for its approval: creation alone submits nothing. */
export const submitTwilioTemplate = async (
  template: Template,
  own: string,
  values: ProviderValues,
  authorize: Authorize,
): Promise<Result<Submitted>> => {
  const base = contentUrl(own)
  const body = contentOf(template)
  if (body === undefined) return refused('template.form')
  const post = (url: string, given: JsonObject) =>
    values.ask(authorize({ method: 'POST', url, headers: [], body: given }))
  const made = await post(`${base}/v1/Content`, body)
  if (!made.ok) return made
  const sid = scalarText(objectOf(made.value.body).sid)
  const told = (answer: { readonly status: number; readonly body: Json | undefined }) =>
    refused('channel.answer', {
      params: { status: answer.status, error: scalarText(objectOf(answer.body).message) || '—' },
    })
  if (sid === '') return told(made.value)
  const { name, category } = template
  const asked = await post(`${base}/v1/Content/${sid}/ApprovalRequests/whatsapp`, { name, category })
  if (!asked.ok) return asked
  const status = scalarText(objectOf(asked.value.body).status)
  return asked.value.status >= 300 ? told(asked.value) : accepted({ id: sid, status: reviewWord(status) })
}
