import type { StreamMetadata } from '../port.ts'

/** An event as a row: id, type, version, time, actor, correlation, causation, level, hash, data as JSON text. */
export type EventRow = readonly [
  string,
  string,
  number,
  string,
  string | null,
  string,
  string | null,
  string | null,
  string,
  string,
]

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

export type WriteRequest = AppendRequest | RemoveRequest | MetadataRequest

/** `position` is that of the last event; `written` is false when a retry found its events already there. */
export interface Written {
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

export interface LookRequest {
  readonly kind: 'revision' | 'metadata'
  readonly stream: string
}

export type ReadRequest = StreamRequest | LogRequest | LookRequest | { readonly kind: 'head' }

/** Events as one JSON array, and where to go on: `next` is null at the end. `head` is the log's when it was read. */
export interface Chunk {
  readonly events: string
  readonly count: number
  readonly next: number | null
  readonly head: number
}

export type ReadResult = Chunk | number | StreamMetadata
