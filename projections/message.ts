import { dataText } from '#commands/store/port.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { AccessRow } from './access-rows.ts'
import type { TokenUse } from './port.ts'
import type { Notice } from './query-results.ts'
import type { Table } from './table.ts'

/** Start data of a projection worker. */
export interface ProjectionData {
  readonly file: string
  readonly tables: readonly Table[]
  readonly store: string
}

export interface Checkpoint {
  readonly position: string
  /** Log events folded so far. */
  readonly seq: number
  /** The last event that was folded; null before the first. */
  readonly last: { readonly stream: string; readonly revision: number; readonly hash: string } | null
}

/** Rows that became visible to queries since the last report. */
export interface Report {
  readonly touched: readonly { readonly entity: string; readonly id: string }[]
  readonly access: readonly AccessRow[]
  readonly notices: readonly Notice[]
}

/** An event on its way to the projection: its data as text costs less to copy than as objects. */
type PackedEvent = readonly [
  string,
  number,
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
  string,
]

export const packed = (event: StoredEvent): PackedEvent => [
  event.stream,
  event.revision,
  event.id,
  event.type,
  event.version,
  event.time,
  event.actor,
  event.correlation,
  event.causation,
  event.level,
  event.hash,
  event.position,
  dataText(event.data),
]

export const unpacked = (event: PackedEvent): StoredEvent => {
  const [stream, revision, id, type, version, time, actor, correlation, causation, level, hash, position, text] = event
  const data = JSON.parse(text) as JsonObject
  return { stream, revision, position, id, type, version, time, actor, correlation, causation, level, hash, data }
}

export type ToProjection =
  | { readonly kind: 'batch'; readonly events: readonly PackedEvent[]; readonly position: string }
  /** Everything there was has been delivered: indexes are made, and the file is fit to serve. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'tokenused'; readonly use: TokenUse }
  | { readonly kind: 'close' }

export type FromProjection =
  | { readonly kind: 'opened'; readonly checkpoint: Checkpoint; readonly access: readonly AccessRow[] }
  | ({
      readonly kind: 'applied'
      readonly position: string
      readonly count: number
    } & Report)
  | ({ readonly kind: 'completed' } & Report)
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string; readonly corrupt: boolean }

export interface QueryData {
  readonly file: string
}

export interface ToQuery {
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
}

export type FromQuery =
  /** The first message: the worker has loaded its modules. */
  | { readonly isReady: true }
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string }
