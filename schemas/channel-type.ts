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

export type ChannelType = (typeof CHANNEL_TYPES)[number]

/** Google Assistant's service for bots ended in June 2023: its channels are kept for imported bots, and carry nothing. */
const CARRIED_BY_PARLEY: ReadonlySet<string> = new Set(['webchat', 'rest', 'googleassistant'])

export const isPushed = (type: string): boolean =>
  !CARRIED_BY_PARLEY.has(type) && (CHANNEL_TYPES as readonly string[]).includes(type)

export const WHATSAPP_TYPES = CHANNEL_TYPES.filter(type => type.startsWith('whatsapp_'))

/** Hours after somebody's last message in which a bot may write to them freely (C-9.08); undefined: always. */
export const windowHours = (type: string): number | undefined =>
  type.startsWith('whatsapp_') || type === 'facebook' || type === 'instagram' ? 24 : undefined

/** What a Microsoft channel has as `channel_origin` (D-3.1.09). */
export const MICROSOFT_APP_TYPES = ['MultiTenant', 'SingleTenant', 'UserAssignedMsi'] as const
