import { jsonEvent, type KurrentDBClient, NO_STREAM, WrongExpectedVersionError } from '@kurrent/kurrentdb-client'
import { StreamTombstoned } from '../port.ts'
import { newestOf } from './read-log.ts'
import { known, Patience } from './retry-deadline.ts'

/** Metadata of a stream on the server, under its own names; unknown members are kept unchanged. */
export interface StreamSettings {
  /** Only the newest n events stay readable. */
  readonly $maxCount?: number
  /** Events before this number, counted from 0, are hidden. */
  readonly $tb?: number
}

interface StreamState {
  /** Of the newest event, hidden ones included; 0 for no stream. */
  readonly revision: number
  readonly isTombstoned: boolean
}

/**
 * Soft deletion is the server's own "truncate before" with an exact number, not its deletion: after that a stream could
 * be begun again with "no stream", and nobody could ask which revision it had.
 */
export class StreamStates {
  readonly #client: KurrentDBClient
  readonly #deadline: number

  constructor(client: KurrentDBClient, deadline: number) {
    this.#client = client
    this.#deadline = deadline
  }

  async of(stream: string): Promise<StreamState> {
    const newest = await this.#newest(stream)
    if (newest === 'tombstoned') return { revision: 0, isTombstoned: true }
    if (newest !== undefined) return { revision: newest.revision + 1, isTombstoned: false }
    const { $tb = 0 } = await this.settings(stream)
    return { revision: $tb, isTombstoned: false }
  }

  /** Empty for a tombstoned stream: the server deletes its settings with it. */
  async settings(stream: string): Promise<StreamSettings> {
    const newest = await this.#newest(settingsOf(stream))
    return newest === undefined || newest === 'tombstoned' ? {} : newest.data
  }

  /**
   * Changes the settings, however often others change them meanwhile; unchanged ones are not written.
   * @throws StreamTombstoned, StoreUnavailable
   */
  async change(stream: string, edit: (settings: StreamSettings) => StreamSettings): Promise<void> {
    const patience = new Patience(this.#deadline)
    for (;;) {
      const { settings, revision } = await this.#metadata(stream)
      const edited = edit(settings)
      if (JSON.stringify(edited) === JSON.stringify(settings)) return
      const event = jsonEvent({ type: '$metadata', data: { ...edited } })
      const streamState = revision === undefined ? NO_STREAM : BigInt(revision)
      try {
        await patience.within(
          this.#client.appendToStream(settingsOf(stream), event, { streamState, requiresLeader: true }),
        )
        return
      } catch (error) {
        const sure = known(error, stream)
        if (sure !== undefined) throw sure
        if (!(error instanceof WrongExpectedVersionError)) await patience.after(error)
      }
    }
  }

  async #metadata(stream: string): Promise<{ settings: StreamSettings; revision: number | undefined }> {
    const newest = await this.#newest(settingsOf(stream))
    if (newest === 'tombstoned') throw new StreamTombstoned(`${stream} is removed for ever`)
    return { settings: newest?.data ?? {}, revision: newest?.revision }
  }

  async #newest(stream: string): Promise<{ revision: number; data: object } | 'tombstoned' | undefined> {
    try {
      return await newestOf(this.#client, stream, new Patience(this.#deadline))
    } catch (error) {
      if (error instanceof StreamTombstoned) return 'tombstoned'
      throw error
    }
  }
}

/** The server's own stream of a stream's settings. */
const settingsOf = (stream: string): string => `$$${stream}`
