import type { JsonObject } from '#schemas/event.ts'
import type { ProviderUser } from '../channel-port.ts'
import { filled } from '../shared/json-reader.ts'
import type { TemplateButton, TemplateHeader, TemplateMessage, TemplateValue } from '../shared/template-message.ts'
import { recipientOf } from './render.ts'

const parameterOf = ({ name, text }: TemplateValue): JsonObject => filled({ type: 'text', parameter_name: name, text })

const headerParameter = (header: TemplateHeader): JsonObject => {
  switch (header.kind) {
    case 'text':
      return { type: 'text', text: header.text }
    case 'location': {
      const { latitude, longitude, name, address } = header
      return { type: 'location', location: { latitude, longitude, name, address } }
    }
    default:
      return {
        type: header.kind,
        [header.kind]: filled({ link: header.url, filename: header.kind === 'document' ? header.name : undefined }),
      }
  }
}

const BUTTONS = {
  reply: { sub_type: 'quick_reply', type: 'payload', member: 'payload' },
  url: { sub_type: 'url', type: 'text', member: 'text' },
  code: { sub_type: 'copy_code', type: 'coupon_code', member: 'coupon_code' },
} as const

const buttonOf = ({ index, kind, value }: TemplateButton): JsonObject => {
  const { sub_type, type, member } = BUTTONS[kind]
  return { type: 'button', sub_type, index: String(index), parameters: [{ type, [member]: value }] }
}

interface TemplatePart {
  readonly header?: TemplateHeader
  readonly body: readonly TemplateValue[]
  readonly buttons: readonly TemplateButton[]
}

const componentsOf = ({ header, body, buttons }: TemplatePart): readonly JsonObject[] => [
  ...(header === undefined ? [] : [{ type: 'header', parameters: [headerParameter(header)] }]),
  ...(body.length === 0 ? [] : [{ type: 'body', parameters: body.map(parameterOf) }]),
  ...buttons.map(buttonOf),
]

/** A template in the Cloud API's format. */
export const cloudTemplate = (template: TemplateMessage): JsonObject => {
  const { name, language, cards = [] } = template
  const carousel =
    cards.length === 0
      ? []
      : [{ type: 'carousel', cards: cards.map((card, at) => ({ card_index: at, components: componentsOf(card) })) }]
  const components = [...componentsOf(template), ...carousel]
  return { name, language: { code: language }, ...(components.length === 0 ? {} : { components }) }
}

/** The body that sends a template through the Cloud API. */
export const cloudTemplateBody = (template: TemplateMessage, to: ProviderUser, key: string): JsonObject => ({
  messaging_product: 'whatsapp',
  ...recipientOf(to),
  type: 'template',
  template: cloudTemplate(template),
  biz_opaque_callback_data: key,
})
