import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { uploadRowsStream } from '#schemas/events/audience.ts'
import type { Language } from '#schemas/language.ts'
import { NO_EVENTS, type StreamEnd } from '../../../log/exclusive-append.ts'
import { streamAggregate } from '../../../log/stream-aggregate.ts'
import type { UploadRules } from './plan-job.ts'

/** Input with which an upload started. */
export interface Received {
  readonly campaign: string
  readonly profile: string | null
  readonly level: string
  readonly file: string
  readonly rules: UploadRules
  readonly actor: string | null
  readonly language: Language
}

/** State of an upload, folded from its stream. */
export interface UploadState {
  readonly end: StreamEnd
  readonly received: Received | undefined
  /** ms since 1970 until which a node processes it. */
  readonly until: number
  /** Number of nodes that started it. */
  readonly takes: number
  /** Final fields. */
  readonly result: JsonObject | undefined
}

const fold = (state: UploadState, { type, data }: StoredEvent): UploadState => {
  if (type === 'UploadReceived') return { ...state, received: data as unknown as Received }
  if (type === 'UploadTaken')
    return { ...state, until: Number(data.until), takes: state.takes + (data.isRenewal === true ? 0 : 1) }
  if (type === 'UploadCompleted' || type === 'UploadFailed') return { ...state, result: data.fields as JsonObject }
  return state
}

const initial: UploadState = { end: NO_EVENTS, received: undefined, until: 0, takes: 0, result: undefined }

export const readUploadState = (store: EventStore, id: string): Promise<UploadState> =>
  streamAggregate(store, { initial, fold }).load(uploadRowsStream(id))
