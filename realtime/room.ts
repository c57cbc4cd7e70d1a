import * as Y from 'yjs'
import type { FlowLog, LoadedFlow } from '#commands/flow/flow-log.ts'
import type { LoggedEdit } from '#commands/flow/logged-edit.ts'
import { applyChecked } from '#domain/flow/apply-checked.ts'
import { FLOW_LIMITS, type FlowLimits } from '#domain/flow/violation.ts'
import { AuthorBindings } from './author-bindings.ts'
import { CatchUp } from './catch-up.ts'
import type { CloseCode, Connection } from './connection.ts'
import { type Examined, examine } from './examine.ts'
import { Journal, type Written } from './journal.ts'
import type { FlowKind, Member } from './port.ts'
import { Presence } from './presence.ts'
import { type Frame, readFrame, step1Frame, step2Frame, updateFrame } from './protocol.ts'
import { Relay } from './relay.ts'
import { RoomDocument } from './room-document.ts'
import { outgoing } from './wire.ts'

/** Largest message of a connection, bytes. */
export const MAX_MESSAGE = 8_000_000
/** Held updates of one connection, bytes together. */
const MAX_HELD = 4_000_000

/** What rooms need of the log of flows. */
export type RoomLog = Pick<FlowLog, 'load' | 'since' | 'append' | 'follow'>

export interface RoomEvents {
  /** The room cannot go on: all its connections are closed and it must be opened anew. */
  ended(room: Room): void
  emptied(room: Room): void
  rejected(room: Room, reason: string): void
  stored(room: Room, milliseconds: number): void
  relayed(room: Room, deliveries: number): void
  /** For this flow's room on other nodes: what was stored, what people here point at, and that others are here now. */
  written(room: Room, written: Written): void
  pointed(room: Room, awareness: Uint8Array): void
  peopled(room: Room): void
  /** Edits of others are missing here and read from the log. */
  gap(room: Room): void
}

/** One flow, open: its document, who is in it, and the log that everything accepted is appended to. */
export class Room {
  readonly kind: FlowKind
  readonly id: string
  /** What others append to this flow: commands, and rooms of other nodes. */
  readonly others: CatchUp
  readonly #log: RoomLog
  readonly #limits: FlowLimits
  readonly #events: RoomEvents
  readonly #connections = new Set<Connection>()
  readonly presence = new Presence({
    show: frame => this.#showCursors(frame),
    share: awareness => this.#events.pointed(this, awareness),
  })
  readonly #relay: Relay
  readonly #journal: Journal
  readonly #document: RoomDocument
  readonly #bindings: AuthorBindings
  /** Set while the document is being read anew after a violation; messages wait for it. */
  #reloading: Promise<void> | undefined
  #ended = false
  #firstUnstored = 0

  constructor(kind: FlowKind, id: string, loaded: LoadedFlow, log: RoomLog, events: RoomEvents) {
    this.kind = kind
    this.id = id
    this.#document = new RoomDocument(loaded.doc)
    this.#bindings = new AuthorBindings(loaded.bindings)
    this.#log = log
    this.#limits = { ...FLOW_LIMITS, script: kind === 'handler' }
    this.#events = events
    this.#relay = new Relay(this.#connections, deliveries => events.relayed(this, deliveries))
    this.#journal = new Journal(id, log, loaded, {
      overtaken: () => this.others.read(),
      durable: (batch, written) => this.#durable(batch, written),
      failed: error => this.#fail(error),
    })
    this.others = new CatchUp({
      flow: id,
      complete: loaded.complete,
      log,
      journal: this.#journal,
      listener: {
        edit: edit => this.#apply(edit),
        gap: () => events.gap(this),
        failed: error => this.#fail(error),
      },
    })
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Everyone present, each person once. */
  members(): readonly Member[] {
    return [...new Map([...this.#connections].map(({ member }) => [member.user, member])).values()]
  }

  join(connection: Connection): void {
    this.#relay.flush()
    this.#connections.add(connection)
    connection.send(outgoing(step1Frame(Y.encodeStateVector(this.#document.open))))
    this.#showPresent(connection)
    this.#events.peopled(this)
  }

  leave(connection: Connection): void {
    connection.ended()
    if (!this.#connections.delete(connection)) return
    this.presence.leave(connection)
    this.#events.peopled(this)
    if (this.#connections.size === 0) this.#events.emptied(this)
  }

  /** One binary message of a connection. */
  receive(connection: Connection, data: Uint8Array): void {
    if (connection.closed || this.#ended) return
    if (data.byteLength > MAX_MESSAGE) this.#refuse(connection, 4413, 'message too large')
    else if (!connection.mayReceive()) this.#refuse(connection, 4429, 'too many messages')
    else if (this.#reloading !== undefined) {
      void this.#reloading.then(() => this.#handle(connection, data))
    } else this.#handle(connection, data)
  }

  #apply(edit: LoggedEdit): void {
    Y.applyUpdate(this.#document.open, edit.update, 'log')
    this.#bindings.learn(edit.bindings)
    this.#relay.show(updateFrame(edit.update))
  }

  /** Asks nobody else in, appends what waits, and closes everyone. */
  async drain(): Promise<void> {
    await this.#journal.settled()
    this.#end(4503, 'draining')
  }

  #handle(connection: Connection, data: Uint8Array): void {
    if (connection.closed || this.#ended) return
    const frame = readFrame(data)
    if (frame === undefined) this.#refuse(connection, 4400, 'malformed message')
    else this.#dispatch(connection, frame)
  }

  #dispatch(connection: Connection, frame: Frame): void {
    switch (frame.kind) {
      case 'step1':
        this.#answerStep1(connection, frame.stateVector)
        break
      case 'step2':
        connection.hasSentStep2 = true
        this.#receiveUpdate(connection, frame.update, true)
        break
      case 'update':
        this.#receiveUpdate(connection, frame.update, false)
        break
      case 'awareness':
        if (!this.presence.receive(connection, connection.member, frame.update)) {
          this.#refuse(connection, 4400, 'malformed awareness')
        }
        break
      case 'query':
        this.#showPresent(connection)
        break
      default:
        frame satisfies never
    }
  }

  #showPresent(connection: Connection): void {
    const present = this.presence.frame()
    if (present !== undefined) connection.send(outgoing(present))
  }

  #answerStep1(connection: Connection, stateVector: Uint8Array): void {
    try {
      connection.send(outgoing(step2Frame(Y.encodeStateAsUpdate(this.#document.open, stateVector))))
    } catch {
      this.#refuse(connection, 4400, 'malformed state vector')
    }
  }

  #receiveUpdate(connection: Connection, update: Uint8Array, isStep2: boolean): void {
    const held = isStep2 ? connection.release() : []
    if (!isStep2 && connection.held.length > 0) {
      this.#hold(connection, update)
      return
    }
    let whole = update
    let examined: Examined
    try {
      if (held.length > 0) whole = Y.mergeUpdates([update, ...held])
      examined = examine(this.#document.open, whole)
    } catch {
      this.#refuse(connection, 4400, 'malformed update')
      return
    }
    if (!connection.member.mayEdit && (examined.news || !isStep2)) {
      this.#refuse(connection, 4403, 'no right to edit')
    } else if (examined.missing) {
      this.#hold(connection, whole)
    } else if (!examined.news || this.#accept(connection, whole, examined)) {
      connection.count(held.length + 1, this.#journal.pending)
      if (this.#journal.pending === 0) connection.acknowledge(0)
      this.#journal.wake()
    }
  }

  /** True when the update is now part of the document and of the batch. */
  #accept(connection: Connection, update: Uint8Array, examined: Examined): boolean {
    const applied = applyChecked(this.#document.open, update, this.#limits, connection)
    if (!applied.ok) {
      this.#events.rejected(this, applied.reason)
      this.#reload()
      this.#refuse(connection, 4400, applied.reason)
      return false
    }
    const { authors, bindings } = this.#bindings.attribute(connection.member.user, examined)
    if (this.#journal.pending === 0) this.#firstUnstored = performance.now()
    this.#journal.batch.add(update, authors, bindings, applied.summary)
    this.#relay.show(updateFrame(update), connection)
    return true
  }

  /** Waits, uncounted, for the connection's step 2; so does everything that it sends until then. */
  #hold(connection: Connection, update: Uint8Array): void {
    connection.heldBytes += update.byteLength
    if (connection.hasSentStep2 || connection.heldBytes > MAX_HELD) {
      this.#refuse(connection, 4400, 'update builds on what was never sent')
      return
    }
    connection.held.push(update)
  }

  #durable(batch: number, written: Written): void {
    this.others.stored()
    this.#events.written(this, written)
    for (const connection of this.#connections) connection.acknowledge(batch)
    this.#events.stored(this, performance.now() - this.#firstUnstored)
  }

  /** A refused update has touched the document: take it from the log again, with what is accepted and not yet stored. */
  #reload(): void {
    this.#reloading ??= this.#readAnew()
      .catch(error => this.#fail(error))
      .finally(() => {
        this.#reloading = undefined
      })
  }

  /** What others append while it is being read belongs to it as well. */
  async #readAnew(): Promise<void> {
    const { doc, complete } = await this.#log.load(this.id)
    for (let reached = complete; reached < this.others.complete; ) {
      for await (const edit of this.#log.since(this.id, reached)) {
        Y.applyUpdate(doc, edit.update, 'log')
        if (edit.isCut !== true) reached = edit.revision
      }
    }
    for (const update of this.#journal.unstored) Y.applyUpdate(doc, update, 'log')
    this.#document.replace(doc)
  }

  #showCursors(frame: Uint8Array): void {
    this.#relay.flush()
    const message = outgoing(frame)
    for (const connection of this.#connections) connection.sendCursor(message)
  }

  #refuse(connection: Connection, code: CloseCode, reason: string): void {
    connection.close(code, reason)
    this.leave(connection)
  }

  #fail(error: unknown): void {
    if (this.#ended) return
    this.#events.rejected(this, error instanceof Error ? error.message : String(error))
    this.#end(4503, 'not stored')
  }

  #end(code: CloseCode, reason: string): void {
    this.#ended = true
    this.#relay.flush()
    this.others.stop()
    this.#journal.stop()
    for (const connection of this.#connections) connection.close(code, reason)
    this.#connections.clear()
    this.presence.stop()
    this.#document.destroy()
    this.#events.ended(this)
  }
}
