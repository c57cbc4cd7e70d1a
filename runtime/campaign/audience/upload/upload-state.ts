import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { uploadRowsStream } from '#schemas/events/audience.ts'
import type { Language } from '#schemas/language.ts'
import type { UploadRules } from './plan-upload.ts'

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
  readonly tail: Tail
  readonly received: Received | undefined
  readonly until: number
  /** Number of nodes that started it. */
  readonly takes: number
  readonly end: JsonObject | undefined
}

const nextState = (state: UploadState, { type, data, revision, hash }: StoredEvent): UploadState => {
  const next = { ...state, tail: { revision, hash } }
  if (type === 'UploadReceived') return { ...next, received: data as unknown as Received }
  if (type === 'UploadTaken')
    return { ...next, until: Number(data.until), takes: state.takes + (data.isRenewal === true ? 0 : 1) }
  if (type === 'UploadCompleted' || type === 'UploadFailed') return { ...next, end: data.fields as JsonObject }
  return next
}

export const readUploadState = async (store: EventStore, id: string): Promise<UploadState> => {
  let state: UploadState = { tail: NO_STREAM, received: undefined, until: 0, takes: 0, end: undefined }
  for await (const event of store.read(uploadRowsStream(id))) state = nextState(state, event)
  return state
}
