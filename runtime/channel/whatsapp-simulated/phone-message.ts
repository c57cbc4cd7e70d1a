import { fromMeta } from '#domain/template/components.ts'
import { exampleOrder, filledText, type Template, type TemplateButton } from '#domain/template/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf, scalarText } from '#schemas/json.ts'
import type { PhoneButton, PhoneMessage, SimulatedTemplate } from './simulated-state.ts'

type MessageContent = Omit<PhoneMessage, 'id' | 'time' | 'from'>

const MEDIA: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker'])

const component = (components: readonly JsonObject[], type: string): JsonObject | undefined =>
  components.find(each => scalarText(each.type) === type)

/** A text with the parameters of a send. */
const filled = (text: string, sent: JsonObject | undefined): string => {
  const parameters = objectsOf(sent?.parameters)
  const order = exampleOrder(text)
  return filledText(text, name => {
    const found = parameters.find(each => scalarText(each.parameter_name) === name) ?? parameters[order.indexOf(name)]
    return found === undefined ? undefined : scalarText(found.text)
  })
}

/** Address of the file that a header was sent with. */
const headerLink = (sent: JsonObject | undefined): string => {
  const [first = {}] = objectsOf(sent?.parameters)
  return scalarText(objectOf(first[scalarText(first.type)]).link)
}

const replyPayload = (components: readonly JsonObject[], index: number): string | undefined => {
  const sent = components.find(
    each => scalarText(each.sub_type) === 'quick_reply' && scalarText(each.index) === String(index),
  )
  const payload = scalarText(objectsOf(sent?.parameters)[0]?.payload)
  return payload === '' ? undefined : payload
}

const templateButton = (button: TemplateButton, index: number, sent: readonly JsonObject[]): PhoneButton => {
  switch (button.type) {
    case 'QUICK_REPLY':
      return { title: button.text, id: replyPayload(sent, index) ?? button.text }
    case 'URL': {
      const own = sent.find(each => scalarText(each.sub_type) === 'url' && scalarText(each.index) === String(index))
      return { title: button.text, url: filled(button.url, own) }
    }
    case 'PHONE_NUMBER':
      return { title: button.text, url: `tel:${button.phoneNumber}` }
    case 'COPY_CODE':
      return { title: button.example }
    case 'OTP':
      return { title: button.text }
    default:
      return button satisfies never
  }
}

const CARD_BREAK = '\n\n'

/** Text of the cards of a carousel, one paragraph each. */
const cardTexts = ({ cards }: Template, sent: readonly JsonObject[]): string => {
  const given = objectsOf(component(sent, 'carousel')?.cards)
  return cards
    .map(({ body }, at) =>
      body === null ? '' : filled(body.text, component(objectsOf(given[at]?.components), 'body')),
    )
    .filter(text => text !== '')
    .join(CARD_BREAK)
}

/** A template as the phone shows it. */
const shownTemplate = (known: SimulatedTemplate, content: JsonObject): MessageContent => {
  const template = fromMeta({ ...known, components: [...known.components] })
  const sent = objectsOf(content.components)
  const { header, body, footer } = template
  const head = component(sent, 'header')
  const text = body === null ? '' : filled(body.text, component(sent, 'body'))
  const code = body === null ? scalarText(objectsOf(component(sent, 'body')?.parameters)[0]?.text) : ''
  const link = headerLink(head)
  return {
    kind: 'template',
    template: known.id,
    text: [text || code, cardTexts(template, sent)].filter(part => part !== '').join(CARD_BREAK),
    ...(header?.format === 'TEXT' ? { header: filled(header.text, head) } : {}),
    ...(link === '' ? {} : { link }),
    ...(footer === null ? {} : { footer }),
    buttons: template.buttons.map((button, index) => templateButton(button, index, sent)),
  }
}

const rows = (action: JsonObject): readonly PhoneButton[] =>
  objectsOf(action.sections).flatMap(section =>
    objectsOf(section.rows).map(row => ({ id: scalarText(row.id), title: scalarText(row.title) })),
  )

const shownInteractive = (held: JsonObject): MessageContent => {
  const action = objectOf(held.action)
  const text = scalarText(objectOf(held.body).text)
  const link = scalarText(objectOf(objectOf(held.header).image).link)
  const picture = link === '' ? {} : { link }
  switch (scalarText(held.type)) {
    case 'list':
      return { kind: 'list', text, buttons: rows(action) }
    case 'cta_url': {
      const { display_text: title, url } = objectOf(action.parameters)
      return { kind: 'buttons', text, ...picture, buttons: [{ title: scalarText(title), url: scalarText(url) }] }
    }
    case 'button': {
      const buttons = objectsOf(action.buttons).map(({ reply }) => {
        const { id, title } = objectOf(reply)
        return { id: scalarText(id), title: scalarText(title) }
      })
      return { kind: 'buttons', text, ...picture, buttons }
    }
    default:
      return { kind: 'text', text }
  }
}

/** A sent body as the phone shows it. `template`: the double's template of that name, for bodies of templates. */
export const shownMessage = (body: JsonObject, template: SimulatedTemplate | undefined): MessageContent => {
  const type = scalarText(body.type)
  const content = objectOf(body[type])
  if (type === 'template' && template !== undefined) return shownTemplate(template, content)
  if (type === 'interactive') return shownInteractive(content)
  if (MEDIA.has(type)) {
    const text = scalarText(content.caption) || scalarText(content.filename)
    return { kind: type === 'image' || type === 'sticker' ? 'picture' : 'file', text, link: scalarText(content.link) }
  }
  if (type === 'location') {
    const { name, address, latitude, longitude } = content
    const words = [name, address, `${scalarText(latitude)}, ${scalarText(longitude)}`].map(scalarText)
    return { kind: 'place', text: words.filter(word => word !== '').join('\n') }
  }
  return { kind: 'text', text: scalarText(content.body) }
}

/** The place that a persona sends. */
const SAMPLE_PLACE = {
  name: 'Avenida Paulista, 1578',
  address: 'Bela Vista, São Paulo',
  latitude: -23.5614,
  longitude: -46.6559,
} as const

/** The content of a persona's message, as Meta's webhook says it. */
export const spokenContent = (message: PhoneMessage, media: { readonly id: string }): JsonObject => {
  const { kind, text, buttons = [] } = message
  const [button] = buttons
  switch (kind) {
    case 'button':
      return { type: 'button', button: { payload: button?.id ?? text, text } }
    case 'buttons':
      return {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: button?.id ?? '', title: text } },
      }
    case 'list':
      return {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: button?.id ?? '', title: text } },
      }
    case 'place':
      return { type: 'location', location: { ...SAMPLE_PLACE } }
    case 'picture':
      return {
        type: 'image',
        image: { id: media.id, mime_type: 'image/png', ...(text === '' ? {} : { caption: text }) },
      }
    default:
      return { type: 'text', text: { body: text } }
  }
}
