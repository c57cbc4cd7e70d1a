import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export type FlowKind = 'dialog' | 'handler'

/** What a room must know of whoever connects; checked again whenever permissions change. */
export interface Member {
  readonly user: string
  readonly session: string
  readonly name: string
  /** One of the eight person colours, by user id. */
  readonly color: string
  readonly mayEdit: boolean
}

/** Asked at the upgrade and again on every change of access; a refusal is a close code of API.md. */
export type Admit = (
  kind: FlowKind,
  id: string,
  session: string,
) => Promise<Member | { readonly close: 4401 | 4403 | 4404 }>

/** Flow rooms of one node. */
export interface Rooms {
  /** Takes over a WebSocket upgrade whose Origin and session were already checked by the gateway. */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    room: { kind: FlowKind; id: string; session: string; acks: boolean },
  ): void
  /** People present, for "editing now", avatars in lists and "told to those who do not have its room open". */
  present(): readonly { readonly kind: FlowKind; readonly id: string; readonly members: readonly Member[] }[]
  /** Asks every connection of these sessions (all when absent) for its right again, now. */
  recheck(sessions?: readonly string[]): Promise<void>
  /** Refuses new connections, appends what waits, closes all with 4503. */
  drain(): Promise<void>
}

/** Joins the rooms, notifications and revocations of several nodes; in-process when there is one. */
export interface Relay {
  publish(subject: string, message: Uint8Array): void
  subscribe(subject: string, listener: (message: Uint8Array) => void): () => void
  close(): Promise<void>
}
