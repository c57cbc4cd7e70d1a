import type { StoredEvent } from '#schemas/event.ts'
import type { AccessRow } from './access-model.ts'
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

export type ToProjection =
  | { readonly kind: 'batch'; readonly events: readonly StoredEvent[]; readonly position: string }
  /** Everything there was has been delivered: indexes are made, and the file is fit to serve. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'tokenused'; readonly use: TokenUse }
  | { readonly kind: 'close' }

export type FromProjection =
  | { readonly kind: 'opened'; readonly checkpoint: Checkpoint; readonly access: readonly AccessRow[] }
  | {
      readonly kind: 'applied'
      readonly position: string
      readonly count: number
      readonly touched: readonly { readonly entity: string; readonly id: string }[]
      readonly access: readonly AccessRow[]
      readonly notices: readonly Notice[]
    }
  | { readonly kind: 'completed' }
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
