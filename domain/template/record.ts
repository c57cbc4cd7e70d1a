import type { JsonObject } from '#schemas/event.ts'
import { sampleText, type Template, type TemplateButton, type TemplateCard } from './template.ts'

/** Data of a provider's record beside the template (D-3.11.02). */
interface RecordFacts {
  readonly appId: string
  readonly id: string
  readonly externalId: string | null
  readonly wabaId: string
  /** ms since 1970. */
  readonly createdOn: number
  readonly modifiedOn: number
  readonly oldCategory: string | null
  readonly quality: string
  readonly status: string
  readonly reason: string | null
  readonly priority: 1 | 2
  readonly vertical: string
  readonly namespace: string
  readonly allowTemplateCategoryChange: boolean
  /** The provider's own id of the header's media. */
  readonly mediaId: string | null
}

const LETTERS = { QUICK_REPLY: 'QR', URL: 'URL', PHONE_NUMBER: 'PN' } as const

const letterOf = ({ type }: TemplateButton): string => (type in LETTERS ? LETTERS[type as keyof typeof LETTERS] : '')

/** Kinds of its buttons, each once, in their order (D-3.11.10). */
const buttonSupported = ({ buttons, cards }: Template): string =>
  [...new Set([...buttons, ...cards.flatMap(card => card.buttons)].map(letterOf).filter(Boolean))].join(',')

const buttonMember = (button: TemplateButton): JsonObject => {
  switch (button.type) {
    case 'URL': {
      const { type, text, url, example } = button
      return { type, text, url, ...(example === null ? {} : { example: [example] }) }
    }
    case 'PHONE_NUMBER':
      return { type: button.type, text: button.text, phone_number: button.phoneNumber }
    case 'COPY_CODE':
      return { type: button.type, example: [button.example] }
    default:
      return { type: button.type, text: button.text }
  }
}

/** ` | [label,target]` of a button. */
const buttonWords = (button: TemplateButton): string => {
  if (button.type === 'URL') return ` | [${button.text},${button.url}]`
  if (button.type === 'PHONE_NUMBER') return ` | [${button.text},${button.phoneNumber}]`
  return button.type === 'COPY_CODE' ? '' : ` | [${button.text}]`
}

const dataOf = ({ body, footer, buttons }: Template): string =>
  `${body?.text ?? ''}${footer === null ? '' : `\n${footer}`}${buttons.map(buttonWords).join('')}`

const cardMember = ({ format, handle, body, buttons }: TemplateCard): JsonObject => ({
  headerType: format,
  ...(handle === null ? {} : { mediaId: handle }),
  ...(body === null ? {} : { body: body.text, sampleText: sampleText(body) }),
  buttons: buttons.map(buttonMember),
})

/** TEXT, IMAGE or CAROUSEL (D-3.11.08); other media as the provider names them. */
const typeOf = ({ header, cards }: Template): string =>
  cards.length > 0 ? 'CAROUSEL' : header === null || header.format === 'TEXT' ? 'TEXT' : header.format

/** The provider's `containerMeta` (D-3.11.03), as JSON text. */
const containerMeta = (template: Template, facts: RecordFacts): string => {
  const { header, body, footer, buttons, cards } = template
  const media = header !== null && header.format !== 'TEXT' && header.format !== 'LOCATION' ? header.handle : null
  return JSON.stringify({
    appId: facts.appId,
    ...(header?.format === 'TEXT' ? { header: header.text, sampleHeader: sampleText(header) } : {}),
    data: body?.text ?? '',
    sampleText: body === null ? '' : sampleText(body),
    ...(footer === null ? {} : { footer }),
    ...(buttons.length === 0 ? {} : { buttons: buttons.map(buttonMember) }),
    ...(cards.length === 0 ? {} : { cards: cards.map(cardMember) }),
    ...(media === null ? {} : { sampleMedia: media, mediaId: facts.mediaId ?? media }),
    enableSample: true,
    editTemplate: false,
    allowTemplateCategoryChange: facts.allowTemplateCategoryChange,
    addSecurityRecommendation: template.addSecurityRecommendation,
    isCPR: false,
    cpr: false,
  })
}

/** A template as the provider's record (D-3.11.02): `containerMeta` and `meta` are JSON text in it. */
export const toRecord = (template: Template, facts: RecordFacts): JsonObject => {
  const { appId, reason, externalId, allowTemplateCategoryChange: _allow, mediaId: _media, ...rest } = facts
  const supported = buttonSupported(template)
  return {
    ...rest,
    appId,
    languageCode: template.language,
    languagePolicy: 'deterministic',
    retry: 0,
    stage: 'NONE',
    templateType: typeOf(template),
    internalCategory: 0,
    internalType: 0,
    elementName: template.name,
    category: template.category,
    ...(externalId === null ? {} : { externalId }),
    ...(reason === null ? {} : { reason }),
    ...(supported === '' ? {} : { buttonSupported: supported }),
    data: dataOf(template),
    containerMeta: containerMeta(template, facts),
    meta: JSON.stringify({ example: template.body === null ? '' : sampleText(template.body) }),
  }
}
