import { numberOf } from '#domain/channel.ts'
import { type ChannelHealth, channelHealth } from '#domain/channel-health.ts'
import { missingFields } from '#schemas/channel-type.ts'
import type { Json } from '#schemas/event.ts'
import type { ChannelWatch } from './channel-watch.ts'
import type { Exchange } from './open-exchange.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

/** A channel as its row has it; secrets are set or not. */
interface ChannelFields {
  readonly id: string
  readonly [name: string]: Json
}

/** Health of a channel with the figures beside it. */
interface ChannelReport extends ChannelHealth {
  readonly id: string
  /** Messages of people and of the bot, hour by hour, the newest last. */
  readonly hours: readonly { readonly in: number; readonly out: number }[]
  readonly lastin: string | null
  readonly lastout: string | null
  /** Conversations whose messages wait for the provider. */
  readonly waiting: number
}

interface HealthParts {
  /** Undefined before the first conversation. */
  readonly exchange: Exchange | undefined
  readonly watch: Pick<ChannelWatch, 'of'>
  readonly qualityOf: (number: string) => Promise<string | undefined>
  readonly now: () => number
}

const digits = (text: string): string => text.replaceAll(/\D/gu, '')

const iso = (time: number): string | null => (time === 0 ? null : new Date(time).toISOString())

/** Reads the signals of a channel of a provider, and decides its health. */
export const readHealth = async (fields: ChannelFields, parts: HealthParts): Promise<ChannelReport> => {
  const { exchange, watch, qualityOf } = parts
  const { id } = fields
  const now = parts.now()
  const number = numberOf(fields)
  const slots = exchange?.index.pulse(id, now - HOURS * HOUR_MS) ?? []
  const own = [number, digits(String(fields.sender_number ?? ''))].filter(each => each !== '')
  const unrouted = (exchange?.index.unrouted() ?? []).filter(
    each => each.family === fields.type && own.includes(digits(each.number)) && each.last > now - HOURS * HOUR_MS,
  )
  const health = channelHealth({
    ...{ now, slots, ...watch.of(id), isEnabled: fields.enable !== false, missing: missingFields(fields) },
    refused: exchange?.deliveries.breakers.of(id),
    quality: fields.type === 'whatsapp_meta' && number !== '' ? await qualityOf(number) : undefined,
    unrouted: unrouted.reduce((total, { count }) => total + count, 0),
  })
  const hours = Array.from({ length: HOURS }, (_, at) => {
    const from = now - (HOURS - at) * HOUR_MS
    const within = slots.filter(slot => slot.at > from && slot.at <= from + HOUR_MS)
    const count = (kinds: readonly string[]) =>
      within.reduce((total, slot) => total + (kinds.includes(slot.kind) ? slot.count : 0), 0)
    return { in: count(['in']), out: count(['sent']) }
  })
  const last = (kind: string) => Math.max(0, ...slots.filter(slot => slot.kind === kind).map(slot => slot.last))
  return {
    ...{ id, ...health, hours, lastin: iso(last('in')), lastout: iso(last('sent')) },
    waiting: exchange?.index.waiting(id) ?? 0,
  }
}
