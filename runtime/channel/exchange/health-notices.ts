import type { EventStore } from '#commands/store/port.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { HealthState } from '#schemas/channel-type.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { appendIfFirst, endOf, exclusiveDrafts } from '../../log/exclusive-append.ts'
import type { ChannelWatch } from './channel-watch.ts'
import type { Exchange } from './open-exchange.ts'
import { readHealth } from './read-health.ts'

const LOOK_MS = 15_000
/** A change that is told again within this time is left out. */
const JOINED_MS = 30 * 60_000

const MESSAGES: Partial<Readonly<Record<HealthState, string>>> = {
  error: 'channel.error',
  warning: 'channel.warning',
  ok: 'channel.ok',
}
const KINDS = { 'channel.error': 'alert', 'channel.warning': 'warn', 'channel.ok': 'info' } as const

interface NoticeParts {
  readonly read: Pick<ReadModels, 'list'>
  /** Console log, which contains notifications. */
  readonly store: EventStore
  readonly watch: Pick<ChannelWatch, 'of'>
  /** Undefined before the first conversation. */
  readonly exchange: () => Exchange | undefined
  readonly failed: (error: unknown) => void
  readonly now?: () => number
}

/** Reads the health of a channel, as its card shows it. */
export const openHealth = ({ read, watch, exchange, now = Date.now }: Omit<NoticeParts, 'store' | 'failed'>) => {
  const qualityOf = async (number: string) => {
    const filter = { phone_number_id: number }
    const { items } = await read.list(SYSTEM_SCOPE, 'metaaccount', { page: 1, size: 1, filter })
    return typeof items[0]?.quality_rating === 'string' ? items[0].quality_rating : undefined
  }
  return (row: Row) => readHealth(row, { exchange: exchange(), watch, qualityOf, now })
}

/** Notifies the readers of a channel of each change of its health to error, warning, and back to ok (R26, R28). */
export class HealthNotices {
  readonly #parts: NoticeParts
  readonly #healthOf: ReturnType<typeof openHealth>
  /** States that this node told. Breakers and unproven calls are of one node, so that no other tells their end. */
  readonly #told = new Map<string, HealthState>()
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined

  constructor(parts: NoticeParts) {
    this.#parts = parts
    this.#healthOf = openHealth(parts)
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#parts.failed)
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    // Without a conversation nothing was sent or received.
    if (this.#parts.exchange() === undefined) return
    for (const row of await allRows(this.#parts.read, SYSTEM_SCOPE, 'channel', { enable: true })) {
      const { state, code, detail } = await this.#healthOf(row)
      const before = this.#told.get(row.id)
      const isWorse = state === 'error' || state === 'warning'
      if (state === before || (!isWorse && before === undefined) || (!isWorse && state !== 'ok')) continue
      await this.#tell(row.id, { from: before ?? 'ok', to: state, code, detail })
      if (isWorse) this.#told.set(row.id, state)
      else this.#told.delete(row.id)
    }
  }

  async #tell(
    id: string,
    change: { readonly from: string; readonly to: HealthState; readonly code: string; readonly detail: string },
  ): Promise<void> {
    const { store, now = Date.now } = this.#parts
    const message = MESSAGES[change.to] as keyof typeof KINDS | undefined
    if (message === undefined) return
    const stream = noticeStream('channel', id)
    const tail = await endOf(store, stream)
    for await (const last of store.read(stream, { direction: 'backwards', limit: 1 }))
      if (last.data.message === message && now() - Date.parse(last.time) < JOINED_MS) return
    const data = { entity: 'channel', id, message, kind: KINDS[message], params: { ...change } }
    // Of several nodes that see the change one tells it.
    await appendIfFirst(store, stream, tail, exclusiveDrafts(stream, [{ type: 'NoticeGiven', data }]))
  }
}
