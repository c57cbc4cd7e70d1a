import type { EventStore } from '#commands/store/port.ts'
import type { RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { HealthState } from '#schemas/channel-type.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { appendIfFirst, endOf, exclusiveDrafts } from '../../log/stream-aggregate.ts'
import type { ChannelWatch } from '../open-channels.ts'
import { type HealthParts, openHealth } from './read-health.ts'

const LOOK_MS = 15_000
/** Time after which channels without new events are read too: tokens, ratings and missing receipts. */
const FULL_MS = 600_000
/** Failures that are retried cause a notification after this time: a short limit needs no person. */
const LASTING_MS = 60_000
/** The same change within this time causes no second notification. */
const JOINED_MS = 30 * 60_000

const MESSAGES: Partial<Readonly<Record<HealthState, keyof typeof KINDS>>> = {
  error: 'channel.error',
  failing: 'channel.error',
  warning: 'channel.warning',
  ok: 'channel.ok',
}
const KINDS = {
  'channel.error': 'alert',
  'channel.warning': 'warn',
  'channel.token': 'warn',
  'channel.ok': 'info',
} as const
/** Days before the end of a token with a notification each. */
const TOKEN_DAYS = [1, 3, 7, 14]

const tokenMark = (days: number): string => `token.${TOKEN_DAYS.find(each => days <= each) ?? ''}`

/** Whether the last notification says the same: lately, or for a token, of the same number of days. */
const isTold = ({ data, time }: StoredEvent, message: string, mark: string, now: number): boolean => {
  if (data.message !== message) return false
  const told = (data.params as { readonly mark?: string } | undefined)?.mark
  return message === 'channel.token' ? told === mark : now - Date.parse(time) < JOINED_MS
}

interface NoticeParts extends HealthParts {
  /** Console log, which contains notifications. */
  readonly store: EventStore
  readonly watch: Pick<ChannelWatch, 'of' | 'ids' | 'takeTouched'>
  readonly failed: (error: unknown) => void
}

/** Notifies the readers of a channel of each change of its health to error, warning, and back to ok (R26, R28). */
export class HealthNotices {
  readonly #parts: NoticeParts
  readonly #healthOf: ReturnType<typeof openHealth>
  /** Last notified states. Unproven calls are counted per node, so each node notifies their end itself. */
  readonly #told = new Map<string, string>()
  /** Failing channels without a notification so far. */
  readonly #recent = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #fullAt = Number.NEGATIVE_INFINITY
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
    for (const { id, state, code, detail, since } of await this.#healthOf(await this.#changed())) {
      const before = this.#told.get(id)
      const isRecent = state === 'failing' && this.#now() - Date.parse(since ?? '') < LASTING_MS
      if (isRecent) this.#recent.add(id)
      else this.#recent.delete(id)
      const mark = code === 'token' ? tokenMark(Number(detail)) : state
      const isWorse = state === 'error' || state === 'failing' || state === 'warning'
      if (isRecent || mark === before || (!isWorse && before === undefined) || (!isWorse && state !== 'ok')) continue
      await this.#tell(id, { from: before ?? 'ok', to: state, code, detail, mark })
      if (isWorse) this.#told.set(id, mark)
      else this.#told.delete(id)
    }
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }

  /** Channels whose health may have changed since the last look: without events none is read, but all now and then. */
  async #changed(): Promise<readonly RowOf<'channel'>[]> {
    const { read, watch, exchange } = this.#parts
    const touched = exchange()?.index.takeTouched() ?? []
    if (this.#now() - this.#fullAt >= FULL_MS) {
      this.#fullAt = this.#now()
      return allRows(read, SYSTEM_SCOPE, 'channel', { enable: true })
    }
    const ids = [
      ...new Set([...touched, ...watch.takeTouched(), ...watch.ids(), ...this.#told.keys(), ...this.#recent]),
    ]
    const rows = await Promise.all(ids.map(id => read.detail(SYSTEM_SCOPE, 'channel', id)))
    return rows.filter(row => row !== undefined).filter(({ enable }) => enable)
  }

  async #tell(
    id: string,
    change: {
      readonly from: string
      readonly to: HealthState
      readonly code: string
      readonly detail: string
      readonly mark: string
    },
  ): Promise<void> {
    const { store } = this.#parts
    const message = change.code === 'token' ? 'channel.token' : MESSAGES[change.to]
    if (message === undefined) return
    const stream = noticeStream('channel', id)
    const tail = await endOf(store, stream)
    for await (const last of store.read(stream, { direction: 'backwards', limit: 1 }))
      if (isTold(last, message, change.mark, this.#now())) return
    const data = { entity: 'channel', id, message, kind: KINDS[message], params: { ...change } }
    // Of several nodes that see the change one tells it.
    await appendIfFirst(store, stream, tail, exclusiveDrafts(stream, [{ type: 'NoticeGiven', data }]))
  }
}
