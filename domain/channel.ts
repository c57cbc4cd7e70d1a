import { isPushed, MICROSOFT_APP_TYPES } from '#schemas/channel-type.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'
import { profileErrors } from './channel-profile.ts'

export interface ChannelFacts {
  readonly id: string
}

type Fields = Live['fields']

const isBlank = (value: Json | undefined): boolean => typeof value !== 'string' || value.trim() === ''

/** What it is called where nobody says: its type. */
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

export const channelBehaviour = {
  commands: {},
  onCreate(given, { facts }) {
    const errors = errorsOf(given)
    if (errors.length > 0) return refused('validation.failed', { errors })
    return accepted({ ...named(given, given.type), webhook: webhookOf(String(given.type), facts.id) })
  },
  onChange(state, changes) {
    const errors = errorsOf({ ...state.fields, ...changes })
    return errors.length === 0 ? accepted(named(changes, state.fields.type)) : refused('validation.failed', { errors })
  },
} satisfies Behaviour<ChannelFacts>
