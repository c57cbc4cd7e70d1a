import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export type FlowKind = 'dialog' | 'handler'

/** Identity and rights of a connection; checked again whenever permissions change. */
export interface Member {
  readonly user: string
  readonly session: string
  readonly name: string
  /** One of the eight person colours, by user id. */
  readonly color: string
  readonly mayEdit: boolean
}

/** Users of a flow. */
export interface Present {
  readonly kind: FlowKind
  readonly id: string
  readonly members: readonly Omit<Member, 'session'>[]
}

/** Asked at the upgrade and again on every change of access; a refusal is a WebSocket close code. */
export type RoomAuthorizer = (
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
  /** People present on any node, for "editing now", avatars in lists and notices to those without its room open. */
  present(): readonly Present[]
  /** Sessions of this node's connections that a change may concern. */
  sessions(concerns: (flow: string, member: Member) => boolean): readonly string[]
  /** Asks every connection of these sessions (all when absent) for its right again, now. */
  recheck(sessions?: readonly string[]): Promise<void>
  /** Refuses new connections, appends what waits, closes all with 4503. */
  drain(): Promise<void>
}

/**
 * Carries hints between the nodes that share a store; in one process when there is one node. Messages may be lost:
 * nodes then read the store, which is the source of truth.
 */
export interface HintBus {
  /** Whether other nodes are reachable now; otherwise published messages are dropped. */
  readonly connected: boolean
  /** Largest message, bytes. */
  readonly largest: number
  publish(subject: string, message: Uint8Array): void
  /** Messages of others, in the order in which each of them published. Returns how to stop. */
  subscribe(subject: string, listener: (message: Uint8Array) => void): () => void
  /** Called whenever other nodes become reachable. */
  onConnected(listener: () => void): void
  close(): Promise<void>
}
