/** Types of incoming channels. Those whose provider calls the gateway, and is called with what the bot says, are pushed. */
export const CHANNEL_TYPES = [
  'webchat',
  'facebook',
  'instagram',
  'microsoft',
  'whatsapp_twilio',
  'whatsapp_avaya',
  'whatsapp_meta',
  'whatsapp_gupshup',
  'whatsapp_360dialog',
  'whatsapp_interaxa',
  'whatsapp_infobip',
  'whatsapp_zenvia',
  'blip',
  'rest',
  'googleassistant',
  'marketplace',
] as const

/** Google Assistant's service for bots ended in June 2023: its channels are kept for imported bots, and carry nothing. */
const CARRIED_BY_PARLEY: ReadonlySet<string> = new Set(['webchat', 'rest', 'googleassistant'])

export const isPushed = (type: string): boolean =>
  !CARRIED_BY_PARLEY.has(type) && (CHANNEL_TYPES as readonly string[]).includes(type)

/** Types to whose other end the bot's messages are brought: a provider, or the callback of a system that calls Parley. */
export const isBrought = (type: string): boolean => isPushed(type) || type === 'rest'

export const WHATSAPP_TYPES = CHANNEL_TYPES.filter(type => type.startsWith('whatsapp_'))

/** `channel_origin` values of Microsoft channels (D-3.1.09). */
export const MICROSOFT_APP_TYPES = ['MultiTenant', 'SingleTenant', 'UserAssignedMsi'] as const

const VERIFIED = 'channel_verify_token'

/** Fields that a channel of a type cannot do without, beyond what its form marks as required. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  facebook: ['pagetoken', 'verifytoken', 'app_secret'],
  instagram: ['pagetoken', 'verifytoken', 'app_secret'],
  microsoft: ['channel_id', 'channel_origin'],
  whatsapp_twilio: ['sender_number', 'account_id', 'auth_token'],
  whatsapp_avaya: ['sender_number', 'account_id', 'auth_token', VERIFIED],
  whatsapp_meta: ['account_id', 'auth_token', 'app_secret', VERIFIED],
  whatsapp_gupshup: ['sender_number', 'account_id', 'auth_token', VERIFIED],
  whatsapp_360dialog: ['auth_token', VERIFIED],
  whatsapp_interaxa: ['channel_extra_info', VERIFIED],
  whatsapp_infobip: ['sender_number', 'url', VERIFIED],
  whatsapp_zenvia: ['sender_number', 'auth_token', VERIFIED],
  blip: ['account_id', 'auth_token', VERIFIED],
  rest: [VERIFIED],
  marketplace: ['channel_extra_info', VERIFIED],
}

/** Of a Microsoft channel, by the type of its app. */
const NEEDED_OF_APP: Readonly<Record<string, readonly string[]>> = {
  MultiTenant: ['channel_password'],
  SingleTenant: ['channel_password', 'channel_extra_id'],
}

/** Names of the fields that a channel still misses before it can work. */
export const missingFields = (fields: Readonly<Record<string, unknown>>): readonly string[] => {
  const type = String(fields.type)
  // The account has the token, the secret and the number, and its app the address that Meta calls.
  if (type === 'whatsapp_meta' && typeof fields.metaaccount === 'string') return []
  const ofApp = type === 'microsoft' ? (NEEDED_OF_APP[String(fields.channel_origin)] ?? []) : []
  return [...(NEEDED[type] ?? []), ...ofApp].filter(name => {
    const value = fields[name]
    return value === undefined || value === null || value === ''
  })
}

const NAME_AND_PASSWORD = ['username', 'password']
const NOT_OF_WHATSAPP = ['media_id', 'account_key']

/** Account fields of a type that its adapter does not read; they remain for imported bots. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  ...{ facebook: ['appid'], instagram: ['appid'] },
  whatsapp_meta: [...NAME_AND_PASSWORD, 'sender_number'],
  whatsapp_gupshup: NAME_AND_PASSWORD,
  whatsapp_360dialog: NAME_AND_PASSWORD,
  whatsapp_zenvia: [...NAME_AND_PASSWORD, 'account_id'],
  whatsapp_avaya: NAME_AND_PASSWORD,
  whatsapp_infobip: ['account_id'],
  whatsapp_interaxa: ['account_id'],
}

/** Fields of a channel without effect: of its type, or in whose place it uses those of its account of Meta. */
export const idleFields = (fields: Readonly<Record<string, unknown>>): readonly string[] => {
  const type = String(fields.type)
  const isEmpty = (name: string) => fields[name] === undefined || fields[name] === null || fields[name] === ''
  const unused = [...(UNUSED[type] ?? []), ...(type.startsWith('whatsapp_') ? NOT_OF_WHATSAPP : [])].filter(isEmpty)
  const isOfAccount = type === 'whatsapp_meta' && typeof fields.metaaccount === 'string' && fields.metaaccount !== ''
  return isOfAccount ? [...unused, 'account_id', 'auth_token', 'app_secret'] : unused
}

export type ChannelType = (typeof CHANNEL_TYPES)[number]

/** Hours after a person's last message in which a bot may write freely (C-9.08); undefined: always. */
export const windowHours = (type: string): number | undefined =>
  type.startsWith('whatsapp_') || type === 'facebook' || type === 'instagram' ? 24 : undefined

/** Types whose provider reports what became of a message. */
export const hasReceipts = (type: string): boolean =>
  type.startsWith('whatsapp_') || type === 'facebook' || type === 'instagram' || type === 'blip'

/** The field with the credentials that a channel of a type sends with. */
const TOKEN_FIELDS: Readonly<Record<string, string>> = {
  ...{ facebook: 'pagetoken', instagram: 'pagetoken', microsoft: 'channel_password', rest: 'channel_password' },
  ...{ whatsapp_interaxa: 'auth_token', marketplace: 'auth_token', blip: 'auth_token' },
}

export const tokenField = (type: string): string | undefined =>
  TOKEN_FIELDS[type] ?? (type.startsWith('whatsapp_') ? 'auth_token' : undefined)

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
