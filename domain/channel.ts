import { z } from 'zod'
import { isPushed, MICROSOFT_APP_TYPES, missingFields } from '#schemas/channel-type.ts'
import { channel } from '#schemas/entities/channel.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DomainEvent, Live, NamedCommand } from './behaviour.ts'
import { profileErrors } from './channel-profile.ts'
import { eventOf } from './entity.ts'
import { same } from './json-equal.ts'

export interface ChannelFacts {
  readonly id: string
  /** The enabled channel that has the number already; its name only if the person may see it. */
  readonly taken?: { readonly name: string | null }
}

/** Field with the address that a provider's events name. Pages prove theirs by their token. */
const ADDRESS_FIELDS: Readonly<Record<string, string>> = {
  whatsapp_meta: 'account_id',
  whatsapp_360dialog: 'account_id',
  whatsapp_gupshup: 'account_id',
  instagram: 'account_id',
  blip: 'account_id',
  whatsapp_twilio: 'sender_number',
  whatsapp_avaya: 'sender_number',
  whatsapp_interaxa: 'sender_number',
  whatsapp_infobip: 'sender_number',
  whatsapp_zenvia: 'sender_number',
}

/** The number of a channel in one spelling, unique among enabled channels of its type; empty: it names none. */
export const numberOf = (fields: Readonly<Record<string, Json>>): string => {
  const value = fields[ADDRESS_FIELDS[String(fields.type)] ?? '']
  if (typeof value !== 'string') return ''
  const given = value.trim().toLowerCase()
  const digits = given.replaceAll(/[\s()+.-]/gu, '')
  return /^\d+$/u.test(digits) ? digits : given
}

type Fields = Live['fields']

const isBlank = (value: Json | undefined): boolean => typeof value !== 'string' || value.trim() === ''

/** Default name: the type. */
export const named = (fields: Fields, type: Json | undefined): Fields =>
  'name' in fields && isBlank(fields.name) ? { ...fields, name: type ?? null } : fields

/** Path on the bot router at which a channel is reached; null for one that nothing reaches any more. */
const webhookOf = (type: string, id: string): string | null => {
  if (isPushed(type)) return `/channel/${id}`
  if (type === 'googleassistant') return null
  return `/${type === 'rest' ? 'rest' : 'chat'}/${id}`
}

/** Types whose bodies are mapped by the channel, and whether nothing else says what they look like. */
const MAPPED: Readonly<Record<string, boolean>> = { marketplace: true, whatsapp_interaxa: false }

/** The type of a Microsoft app is an origin nowhere else, and a mapping one that can be used; the declaration checks the rest. */
const errorsOf = ({ type, channel_origin: origin, channel_extra_info: info }: Fields): readonly FieldError[] => {
  const isAppType = (MICROSOFT_APP_TYPES as readonly (Json | undefined)[]).includes(origin)
  const isMapped = MAPPED[String(type)]
  return [
    ...(type !== 'microsoft' && isAppType
      ? [{ path: 'channel_origin', code: 'format', params: { rule: 'origins' } } as const]
      : []),
    ...(isMapped === undefined || isBlank(info) ? [] : profileErrors(String(info), isMapped)),
  ]
}

/** Fields that a channel of a provider needs before it can be enabled. */
const needed = (fields: Fields): readonly string[] =>
  isPushed(String(fields.type)) && fields.enable !== false ? missingFields(fields) : []

/** Stores when the token ends, as the provider says it; without a change nothing is written. */
export const recordChannel: NamedCommand = {
  input: z.strictObject({ token_ends: z.iso.datetime().nullable() }),
  decide({ fields }, { token_ends: ends = null }): Result<readonly DomainEvent[]> {
    const isSame = same(ends, fields.token_ends ?? null)
    return accepted(isSame ? [] : [eventOf(channel, 'Checked', { fields: { token_ends: ends } })])
  },
}

export const channelBehaviour = {
  commands: {},
  onCreate(given, { facts }) {
    const errors = errorsOf(given)
    if (errors.length > 0) return refused('validation.failed', { errors })
    if (facts.taken !== undefined) return refused('channel.numbertaken', { params: { name: facts.taken.name ?? '—' } })
    // A channel that is filled in step by step is enabled by its last one.
    const isReady = needed(given).length === 0
    const fields = isReady ? given : { ...given, enable: false }
    return accepted({ ...named(fields, given.type), webhook: webhookOf(String(given.type), facts.id) })
  },
  onChange(state, changes, { facts }) {
    const fields = { ...state.fields, ...changes }
    const before = state.fields.enable === false ? [] : missingFields(state.fields)
    const missing = needed(fields).filter(path => !before.includes(path))
    const errors = [...errorsOf(fields), ...missing.map(path => ({ path, code: 'required' }) as const)]
    if (errors.length > 0) return refused('validation.failed', { errors })
    if (facts.taken !== undefined) return refused('channel.numbertaken', { params: { name: facts.taken.name ?? '—' } })
    return accepted(named(changes, state.fields.type))
  },
} satisfies Behaviour<ChannelFacts>
