import type { Json } from './event.ts'
import { objectOf, own, parseJsonField } from './json.ts'

/** Templates at a provider of WhatsApp. */
interface TemplateProvider {
  /** A message names its template by this. */
  readonly key: 'name' | 'id'
  /** `submit`: reviewed there, and submitted from here; `list`: read from there; `hand`: entered by a person. */
  readonly review: 'submit' | 'list' | 'hand'
  /** Each receipt returns what was sent with the message, so that a receipt settles an unknown outcome. */
  readonly settles: boolean
  /** `upload`: once per number and file; `link`: the provider loads it from a signed address. */
  readonly media: 'upload' | 'link' | 'none'
  /** Parts that its public documentation describes. */
  readonly cards: boolean
  readonly buttonValues: boolean
  /** A place above the text. */
  readonly place: boolean
  /** Names of values: Meta's variables, those of the provider's content, or fields that a person names. */
  readonly names: 'variable' | 'content' | 'field'
  /** Sent by the rule `send.template` of its channel's mapping alone. */
  readonly isDeclared?: true
}

const FULL = { media: 'link', cards: true, buttonValues: true, place: true, names: 'variable' } as const
/** A gateway without a public API: its mapping may not return the key with receipts. */
const DECLARED = { ...FULL, key: 'name', review: 'hand', settles: false, isDeclared: true } as const

/** Channel types that send templates. Accounts of Meta are `whatsapp_meta`. */
const TEMPLATE_PROVIDERS = {
  whatsapp_meta: { ...FULL, key: 'name', review: 'submit', settles: true, media: 'upload' },
  whatsapp_360dialog: { ...FULL, key: 'name', review: 'submit', settles: true, media: 'upload' },
  // Its receipts name only its own id: without the answer to a send they belong to no recipient.
  whatsapp_gupshup: { ...FULL, key: 'id', review: 'list', settles: false, place: false },
  whatsapp_infobip: { ...FULL, key: 'name', review: 'submit', settles: true },
  whatsapp_twilio: { ...FULL, key: 'id', review: 'submit', settles: true, place: false, names: 'content' },
  // Whether `externalId` returns with a receipt is not documented.
  whatsapp_zenvia: {
    ...{ key: 'id', review: 'hand', settles: false },
    ...{ media: 'none', cards: false, buttonValues: false, place: false, names: 'field' },
  },
  blip: { ...FULL, key: 'name', review: 'hand', settles: true },
  whatsapp_interaxa: DECLARED,
  marketplace: DECLARED,
} as const satisfies Readonly<Record<string, TemplateProvider>>

type TemplateProviderName = keyof typeof TEMPLATE_PROVIDERS

export const TEMPLATE_PROVIDER_NAMES = Object.keys(TEMPLATE_PROVIDERS) as [
  TemplateProviderName,
  ...TemplateProviderName[],
]

/** Providers that take templates for review. */
export const SUBMITTED_PROVIDERS: readonly string[] = TEMPLATE_PROVIDER_NAMES.filter(
  name => TEMPLATE_PROVIDERS[name].review === 'submit',
)

/** Undefined for a channel type that sends no templates. */
export const templateProvider = (type: string): TemplateProvider | undefined =>
  own<TemplateProvider>(TEMPLATE_PROVIDERS, type)

/** Whether a channel sends templates: its provider takes them, and where nothing but its mapping says how, that does. */
export const sendsTemplates = ({ type, channel_extra_info: info }: Readonly<Record<string, Json>>): boolean => {
  const provider = templateProvider(String(type))
  if (provider?.isDeclared !== true) return provider !== undefined
  const mapping = objectOf(parseJsonField(info ?? null))
  return objectOf(mapping.send).template !== undefined
}
