import { numberOf } from '#domain/channel.ts'
import { type ChannelHealth, channelHealth, type HealthSlot } from '#domain/channel-health.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { missingFields } from '#schemas/channel-type.ts'
import type { ChannelWatch } from '../open-channels.ts'
import { codeTitle } from '../shared/code-title.ts'
import type { Exchange } from './open-exchange.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

/** Health of a channel with the figures beside it. */
interface ChannelReport extends Omit<ChannelHealth, 'since'> {
  readonly id: string
  /** Begin of an error; null for other states. */
  readonly since: string | null
  /** Title of the provider's code; empty when it is not known. */
  readonly title: string
  /** Messages of people and of the bot, and failed attempts, hour by hour, the newest last. */
  readonly hours: readonly { readonly in: number; readonly out: number; readonly failed: number }[]
  readonly lastin: string | null
  readonly lastout: string | null
  /** Conversations whose messages wait for the provider. */
  readonly waiting: number
  /** End of the token; null: it has none, or the provider does not say. */
  readonly tokenends: string | null
}

export interface HealthParts {
  readonly read: Pick<ReadModels, 'list' | 'detail'>
  readonly watch: Pick<ChannelWatch, 'of'>
  /** Undefined before the first conversation. */
  readonly exchange: () => Exchange | undefined
  readonly now?: () => number
}

const digits = (text: string): string => text.replaceAll(/\D/gu, '')

const iso = (time: number): string | null => (time === 0 ? null : new Date(time).toISOString())

const hoursOf = (slots: readonly HealthSlot[], now: number) =>
  Array.from({ length: HOURS }, (_, at) => {
    const from = now - (HOURS - at) * HOUR_MS
    const within = slots.filter(slot => slot.at > from && slot.at <= from + HOUR_MS)
    const count = (...kinds: readonly HealthSlot['kind'][]) =>
      within.reduce((total, slot) => total + (kinds.includes(slot.kind) ? slot.count : 0), 0)
    return { in: count('in'), out: count('sent'), failed: count('failed', 'retried') }
  })

/** Meta's ratings by the id of the number. */
const qualities = async (
  read: HealthParts['read'],
  rows: readonly RowOf<'channel'>[],
): Promise<ReadonlyMap<string, string>> => {
  if (!rows.some(({ type }) => type === 'whatsapp_meta')) return new Map()
  const accounts = await allRows(read, SYSTEM_SCOPE, 'metaaccount')
  return new Map(
    accounts.flatMap(({ phone_number_id: number, quality_rating: rating }) => (number ? [[number, rating ?? '']] : [])),
  )
}

const stoppedBots = async (
  read: HealthParts['read'],
  rows: readonly RowOf<'channel'>[],
): Promise<ReadonlySet<string>> => {
  const bots = [...new Set(rows.map(({ bot }) => bot))]
  const found = await Promise.all(bots.map(id => read.detail(SYSTEM_SCOPE, 'bot', id)))
  return new Set(found.flatMap(bot => (bot?.runningstatus === 'stopped' ? [bot.id] : [])))
}

/** Reads the health of channels. The number of reads does not depend on the number of channels, but on that of bots. */
export const openHealth =
  ({ read, watch, exchange: opened, now: clock = Date.now }: HealthParts) =>
  async (rows: readonly RowOf<'channel'>[]): Promise<readonly ChannelReport[]> => {
    if (rows.length === 0) return []
    const exchange = opened()
    const now = clock()
    const since = now - HOURS * HOUR_MS
    const [quality, stopped] = await Promise.all([qualities(read, rows), stoppedBots(read, rows)])
    const pulses = exchange?.index.pulses(
      since,
      rows.map(({ id }) => id),
    )
    const troubles = exchange?.index.troubles()
    const waiting = exchange?.index.waiting()
    const strangers = (exchange?.index.unrouted() ?? []).filter(({ last }) => last > since)
    return rows.map(row => {
      const { id, type } = row
      const slots = pulses?.get(id) ?? []
      const number = numberOf(row)
      const own = [number, digits(row.sender_number ?? '')].filter(each => each !== '')
      const unrouted = strangers.filter(each => each.family === type && own.includes(digits(each.number)))
      const ends = row.token_ends === null ? undefined : Date.parse(row.token_ends)
      const { since: from = 0, ...health } = channelHealth({
        ...{ now, type, slots, ...watch.of(id), isEnabled: row.enable, missing: missingFields(row) },
        isStopped: stopped.has(row.bot),
        refused: exchange?.deliveries.breakers.of(id),
        trouble: troubles?.get(id),
        tokenEnds: ends,
        quality: type === 'whatsapp_meta' ? quality.get(number) : undefined,
        unrouted: unrouted.reduce((total, { count }) => total + count, 0),
      })
      const last = (kind: string) => Math.max(0, ...slots.filter(slot => slot.kind === kind).map(slot => slot.last))
      return {
        ...{ id, ...health, since: iso(from), title: codeTitle(health.detail), hours: hoursOf(slots, now) },
        ...{ lastin: iso(last('in')), lastout: iso(last('sent')), waiting: waiting?.get(id) ?? 0 },
        tokenends: iso(ends ?? 0),
      }
    })
  }
