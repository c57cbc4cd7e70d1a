import type { StreamMetadata } from '../port.ts'

/** An event as it crosses a thread; `data` is JSON text. The order is that of the table's columns. */
export type EventRow = readonly [
  id: string,
  type: string,
  version: number,
  time: string,
  actor: string | null,
  correlation: string,
  causation: string | null,
  level: string | null,
  hash: string,
  data: string,
]

export type StoredRow = readonly [position: number, stream: string, revision: number, ...event: EventRow]

export interface AppendRequest {
  readonly kind: 'append'
  readonly stream: string
  readonly expected: number
  readonly rows: readonly EventRow[]
}

export interface RemoveRequest {
  readonly kind: 'delete' | 'tombstone'
  readonly stream: string
  readonly expected: number
}

export interface MetadataRequest {
  readonly kind: 'metadata'
  readonly stream: string
  readonly metadata: StreamMetadata
}

/** Writes what is there already, to see whether it can be written. */
interface ProbeRequest {
  readonly kind: 'probe'
  readonly stream: ''
}

export type WriteRequest = AppendRequest | RemoveRequest | MetadataRequest | ProbeRequest

/** `position` is that of the last event; `written` is false when a retry found its events already there. */
export interface AppendResult {
  readonly revision: number
  readonly position: number
  readonly written: boolean
}

export interface StreamRequest {
  readonly kind: 'stream'
  readonly stream: string
  readonly backwards: boolean
  /** Inclusive; null starts at the end that the direction starts from. */
  readonly from: number | null
  readonly limit: number
}

export interface LogRequest {
  readonly kind: 'log'
  /** Exclusive. */
  readonly after: number
  /** Inclusive; null reads up to the present head. */
  readonly upTo: number | null
  readonly limit: number
  readonly streamPrefixes: readonly string[]
  readonly types: readonly string[]
}

interface LookRequest {
  readonly kind: 'revision' | 'metadata'
  readonly stream: string
}

export type ReadRequest = StreamRequest | LogRequest | LookRequest | { readonly kind: 'head' }

/** `next` is the next start, null at the end; `head` is the log's head at the read. */
export interface Chunk {
  readonly rows: readonly StoredRow[]
  readonly next: number | null
  readonly head: number
}

export type ReadResult = Chunk | number | StreamMetadata
