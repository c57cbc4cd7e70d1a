import { coordinates, numberOf, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent, ProviderMedia } from '../channel-port.ts'

/** Form field names that differ between two providers with the same format. */
interface FormNames {
  readonly id: readonly string[]
  readonly status: readonly string[]
  readonly errorCode: readonly string[]
}

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ...['accepted', 'scheduled', 'queued', 'sending'].map(word => [word, 'queued'] as const),
  ...(['sent', 'delivered', 'read'] as const).map(word => [word, word] as const),
  ...['failed', 'undelivered', 'rejected', 'canceled'].map(word => [word, 'failed'] as const),
])

const MAX_MEDIA = 10
const PREFIX = 'whatsapp:'

const firstOf = (form: URLSearchParams, names: readonly string[]): string =>
  names.map(name => form.get(name) ?? '').find(value => value !== '') ?? ''

/** The number without its network prefix, as used for sending. */
const phoneOf = (address: string): string => (address.startsWith(PREFIX) ? address.slice(PREFIX.length) : address)

const mediaOf = (form: URLSearchParams): readonly ProviderMedia[] => {
  const count = Math.min(MAX_MEDIA, numberOf(form.get('NumMedia') ?? '') ?? 0)
  return Array.from({ length: Math.max(0, Math.trunc(count)) }).flatMap((_, at) => {
    const ref = form.get(`MediaUrl${at}`) ?? ''
    return ref === '' ? [] : [{ ref, type: form.get(`MediaContentType${at}`) ?? '' }]
  })
}

const contentOf = (form: URLSearchParams): ProviderContent | undefined => {
  const [body, media] = [form.get('Body') ?? '', mediaOf(form)]
  const pressed = firstOf(form, ['ButtonPayload', 'ListId'])
  if (pressed !== '') {
    return { kind: 'choice', value: pressed, title: firstOf(form, ['ButtonText', 'ListTitle', 'Body']) || pressed }
  }
  const place = coordinates(form.get('Latitude'), form.get('Longitude'))
  if (place !== undefined)
    return { kind: 'location', data: withoutEmpty({ ...place, name: form.get('Label'), address: form.get('Address') }) }
  if (media.length > 0) return { kind: 'media', media, ...(body === '' ? {} : { text: body }) }
  return body === '' ? undefined : { kind: 'text', text: body }
}

interface FormReading {
  readonly names: FormNames
  readonly isOwn: (number: string) => boolean
  /** Key from the address that was called. */
  readonly callback: string
  /** The channel sends through a messaging service, whose id is its address. */
  readonly isService?: boolean
}

/** Events of a form of Twilio or a compatible provider. */
export const formEvents = (
  form: URLSearchParams,
  { names, isOwn, callback, isService = false }: FormReading,
): readonly ProviderEvent[] => {
  const id = firstOf(form, names.id)
  const time = timeOf(form.get('Timestamp') ?? '')
  const state = firstOf(form, names.status).toLowerCase()
  const service = form.get('MessagingServiceSid') ?? ''
  const isReceipt = STATES.has(state)
  // A status is about a message that the channel's number sent.
  const own = phoneOf(form.get(isReceipt ? 'From' : 'To') ?? '')
  const to = isService && service !== '' ? service : own
  if (id === '') return [{ kind: 'unknown', type: state || 'form', to }]
  const receipt = STATES.get(state)
  if (receipt !== undefined) {
    const code = receipt === 'failed' ? firstOf(form, names.errorCode) : ''
    const told = { ...(code === '' ? {} : { code }), ...(callback === '' ? {} : { callback }) }
    return [{ kind: 'receipt', id, to, state: receipt, time, ...told }]
  }
  const from = phoneOf(form.get('From') ?? '')
  if (isOwn(from)) return [{ kind: 'echo', id, to: from }]
  const payload = firstOf(form, ['ReferralSourceId', 'ReferralCtwaClid'])
  const content = contentOf(form) ?? (payload === '' ? undefined : { kind: 'opening' as const })
  if (content === undefined || from === '') return [{ kind: 'unknown', type: form.get('MessageType') ?? 'message', to }]
  const name = form.get('ProfileName') ?? ''
  const replyTo = form.get('OriginalRepliedMessageSid') ?? ''
  return [
    {
      kind: 'message',
      id,
      from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
      to,
      time,
      content,
      ...(replyTo === '' ? {} : { replyTo }),
      ...(payload === '' ? {} : { payload }),
    },
  ]
}
