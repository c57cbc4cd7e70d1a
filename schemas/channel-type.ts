import { own } from './json.ts'
import { namesOf } from './typed-fields.ts'

interface ChannelTypeDeclaration {
  /** Name of a channel that was given none: that of the product, in every language. */
  readonly title: string
  /** Fields of a channel beside those of all types. */
  readonly fields: readonly string[]
  /** Fields that a channel cannot do without, beyond those that its form marks as required. */
  readonly needs: readonly string[]
  /** Further needed fields by the value of another field. */
  readonly needsBy?: { readonly field: string; readonly values: Readonly<Record<string, readonly string[]>> }
  /** Account fields that its adapter does not read; they remain for imported bots. */
  readonly unused?: readonly string[]
  /** The field with the address that the provider's events name. Pages prove theirs by their token. */
  readonly address?: string
  /** The field that follows from the token: nobody fills it in. */
  readonly derived?: string
  /** The field with the credentials that it sends with. */
  readonly token?: string
  /** Field that names an account, and the fields that the account has in the channel's place. */
  readonly account?: { readonly field: string; readonly replaces: readonly string[] }
  /**
   * `provider`: the provider calls the gateway, and is called with what the bot says. `callback`: a system calls Parley,
   * which calls it back. `page`: Parley's own chat. `none`: kept for imported bots; carries nothing.
   */
  readonly carrier: 'provider' | 'callback' | 'page' | 'none'
  /** Hours after a person's last message in which a bot may write freely (C-9.08). */
  readonly windowHours?: number
  /** Hours after it in which an agent may write, where the field is set. */
  readonly agentWindow?: { readonly field: string; readonly hours: number }
  /** The provider reports what became of a message. */
  readonly hasReceipts?: true
  /** Its events are signed with the secret of an app, which may have several numbers or pages. */
  readonly isSignedByApp?: true
  /** The channel maps the bodies of its gateway. `whole`: nothing else says what they look like. */
  readonly mapping?: 'whole' | 'part'
  /** The provider's code of a send to a person who opted out there, where it is not Meta's. */
  readonly optOutCode?: string
  /** The gateway registers the channel's address at the provider: on enabling, and by *Connect*. */
  readonly connects?: true
}

const VERIFIED = 'channel_verify_token'
const NAME_AND_PASSWORD = ['username', 'password'] as const
/** Fields of all WhatsApp channels that no adapter reads. */
const UNREAD = ['media_id', 'account_key'] as const
/** `channel_origin` values of Microsoft channels (D-3.1.09). */
export const MICROSOFT_APP_TYPES = ['MultiTenant', 'SingleTenant', 'UserAssignedMsi'] as const

/** Bodies of Meta announce restrictions. */
const RESTRICTION = 'restriction'
const META_FIELDS = ['app_secret', 'graph_version', 'token_ends', RESTRICTION] as const
const PAGE_FIELDS = ['verifytoken', 'pagetoken', 'appid', 'human_agent', 'url', ...META_FIELDS] as const
const PAGE = {
  needs: ['pagetoken', 'verifytoken', 'app_secret'],
  unused: ['appid'],
  token: 'pagetoken',
  carrier: 'provider',
  windowHours: 24,
  agentWindow: { field: 'human_agent', hours: 7 * 24 },
  hasReceipts: true,
  isSignedByApp: true,
} as const

const WHATSAPP_FIELDS = [
  ...[VERIFIED, 'account_id', 'auth_token', ...NAME_AND_PASSWORD, ...UNREAD],
  ...['sender_number', 'message_prefix', 'url'],
] as const
const WHATSAPP = {
  fields: WHATSAPP_FIELDS,
  unused: [...NAME_AND_PASSWORD, ...UNREAD],
  address: 'sender_number',
  token: 'auth_token',
  carrier: 'provider',
  windowHours: 24,
  hasReceipts: true,
} as const
const SENDER = ['sender_number', 'account_id', 'auth_token'] as const

/** Types of incoming channels. */
export const CHANNEL_TYPES = {
  webchat: { title: 'Web chat', fields: [VERIFIED, 'channel_origin'], needs: [], carrier: 'page' },
  facebook: { title: 'Facebook Messenger', ...PAGE, fields: PAGE_FIELDS },
  instagram: { title: 'Instagram', ...PAGE, fields: ['account_id', ...PAGE_FIELDS], address: 'account_id' },
  microsoft: {
    title: 'Microsoft',
    fields: ['channel_id', 'channel_password', 'channel_extra_id', 'url', 'channel_origin'],
    needs: ['channel_id', 'channel_origin'],
    needsBy: {
      field: 'channel_origin',
      values: { MultiTenant: ['channel_password'], SingleTenant: ['channel_password', 'channel_extra_id'] },
    },
    token: 'channel_password',
    carrier: 'provider',
  },
  whatsapp_twilio: { title: 'WhatsApp · Twilio', ...WHATSAPP, needs: SENDER, unused: UNREAD, optOutCode: '21610' },
  whatsapp_avaya: { title: 'WhatsApp · Avaya', ...WHATSAPP, needs: [...SENDER, VERIFIED] },
  whatsapp_meta: {
    title: 'WhatsApp · Meta',
    ...WHATSAPP,
    fields: [...WHATSAPP_FIELDS, ...META_FIELDS, 'metaaccount'],
    needs: ['account_id', 'auth_token', 'app_secret', VERIFIED],
    unused: [...NAME_AND_PASSWORD, 'sender_number', ...UNREAD],
    address: 'account_id',
    // The app of the account has the address that Meta calls.
    account: { field: 'metaaccount', replaces: ['account_id', 'auth_token', 'app_secret'] },
    isSignedByApp: true,
  },
  // Made with its account by "Try without Meta"; its calls stay inside of the gateway.
  whatsapp_simulated: {
    title: 'WhatsApp · simulated',
    fields: ['metaaccount'],
    needs: ['metaaccount'],
    carrier: 'provider',
    windowHours: 24,
    hasReceipts: true,
    account: { field: 'metaaccount', replaces: [] },
    isSignedByApp: true,
  },
  whatsapp_gupshup: {
    title: 'WhatsApp · Gupshup',
    ...WHATSAPP,
    fields: [...WHATSAPP_FIELDS, RESTRICTION],
    needs: [...SENDER, VERIFIED],
    address: 'account_id',
    optOutCode: '1012',
  },
  whatsapp_360dialog: {
    title: 'WhatsApp · 360dialog',
    ...WHATSAPP,
    fields: [...WHATSAPP_FIELDS, RESTRICTION],
    needs: ['auth_token', VERIFIED],
    address: 'account_id',
  },
  whatsapp_interaxa: {
    title: 'WhatsApp · Interaxa',
    ...WHATSAPP,
    needs: ['channel_extra_info', VERIFIED],
    unused: ['account_id', ...UNREAD],
    mapping: 'part',
  },
  whatsapp_infobip: {
    title: 'WhatsApp · Infobip',
    ...WHATSAPP,
    needs: ['sender_number', 'url', VERIFIED],
    unused: ['account_id', ...UNREAD],
  },
  whatsapp_zenvia: {
    title: 'WhatsApp · Zenvia',
    ...WHATSAPP,
    needs: ['sender_number', 'auth_token', VERIFIED],
    unused: [...NAME_AND_PASSWORD, 'account_id', ...UNREAD],
  },
  blip: {
    title: 'Blip',
    fields: ['account_id', 'auth_token', VERIFIED, 'url'],
    needs: ['account_id', 'auth_token', VERIFIED],
    address: 'account_id',
    token: 'auth_token',
    carrier: 'provider',
    hasReceipts: true,
  },
  telegram: {
    title: 'Telegram',
    fields: ['account_id', 'auth_token', 'message_prefix', 'url'],
    needs: ['auth_token'],
    address: 'account_id',
    derived: 'account_id',
    token: 'auth_token',
    carrier: 'provider',
    connects: true,
  },
  rest: {
    title: 'REST',
    fields: [VERIFIED, 'channel_password', 'callback_url', 'channel_origin'],
    needs: [VERIFIED],
    token: 'channel_password',
    carrier: 'callback',
  },
  // The service for bots ended in June 2023.
  googleassistant: { title: 'Google Assistant', fields: ['channel_id'], needs: [], carrier: 'none' },
  marketplace: {
    title: 'Marketplace',
    fields: ['auth_token', VERIFIED, 'url'],
    needs: ['channel_extra_info', VERIFIED],
    token: 'auth_token',
    carrier: 'provider',
    mapping: 'whole',
  },
} as const satisfies Readonly<Record<string, ChannelTypeDeclaration>>

type ChannelTypes = typeof CHANNEL_TYPES
type ChannelType = keyof ChannelTypes
/** Types to whose other end an adapter brings the bot's messages. */
export type BroughtChannelType = {
  [name in ChannelType]: ChannelTypes[name]['carrier'] extends 'provider' | 'callback' ? name : never
}[ChannelType]

type Fields = Readonly<Record<string, unknown>>

export const CHANNEL_TYPE_NAMES = namesOf(CHANNEL_TYPES)

export const channelType = (type: string): ChannelTypeDeclaration | undefined =>
  own<ChannelTypeDeclaration>(CHANNEL_TYPES, type)

/** Hours after a person's last message in which an agent may write; undefined: at any time. */
export const agentHours = (type: string, fields: Fields): number | undefined => {
  const { windowHours, agentWindow } = channelType(type) ?? {}
  return agentWindow !== undefined && fields[agentWindow.field] === true ? agentWindow.hours : windowHours
}

/** Types whose provider calls the gateway, and is called with what the bot says. */
export const isPushed = (type: string): boolean => channelType(type)?.carrier === 'provider'

/** Types to whose other end the bot's messages are brought: a provider, or the callback of a system that calls Parley. */
export const isBrought = (type: string): boolean => isPushed(type) || channelType(type)?.carrier === 'callback'

export const SIMULATED_TYPE = 'whatsapp_simulated'

export const isWhatsapp = (type: string): boolean => type.startsWith('whatsapp_')

export const WHATSAPP_TYPES = CHANNEL_TYPE_NAMES.filter(isWhatsapp)

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Names of the fields that a channel still misses before it can work. */
export const missingFields = (fields: Fields): readonly string[] => {
  const { needs = [], needsBy, account } = channelType(String(fields.type)) ?? {}
  if (account !== undefined && typeof fields[account.field] === 'string') return []
  const further = needsBy === undefined ? undefined : own(needsBy.values, String(fields[needsBy.field]))
  return [...needs, ...(further ?? [])].filter(name => isEmpty(fields[name]))
}

/** Fields of a channel that nobody fills in: without effect, replaced by those of its account, or read from its token. */
export const idleFields = (fields: Fields): readonly string[] => {
  const { unused = [], account, derived } = channelType(String(fields.type)) ?? {}
  const isOfAccount = account !== undefined && typeof fields[account.field] === 'string' && fields[account.field] !== ''
  return [
    ...unused.filter(name => isEmpty(fields[name])),
    ...(isOfAccount ? account.replaces : []),
    ...(derived === undefined ? [] : [derived]),
  ]
}

/**
 * States of a channel's health (docs/channels.md). `failing`: deliveries fail and are tried again; `error`: the channel
 * does not work until a person acts.
 */
export const HEALTH_STATES = [
  'off',
  'incomplete',
  'stopped',
  'error',
  'failing',
  'warning',
  'new',
  'quiet',
  'ok',
] as const

export type HealthState = (typeof HEALTH_STATES)[number]
