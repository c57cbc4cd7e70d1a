import * as Y from 'yjs'
import { type FlowLog, isLargeEdit, type LoadedFlow } from '#commands/flow/flow-log.ts'
import type { LoggedEdit } from '#commands/flow/logged-edit.ts'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { FLOW_LIMITS } from '#domain/flow/document/violation.ts'
import { CatchUp } from './catch-up.ts'
import { type CloseCode, type Connection, EditBroadcaster } from './connection.ts'
import { EditWriter, type StoredBatch } from './persist-edits.ts'
import type { FlowKind, Member } from './port.ts'
import { Presence } from './presence.ts'
import { AuthorBindings, Intake } from './receive-update.ts'
import { RoomDocument } from './room-document.ts'
import { type Frame, isAwareness, outgoing, readFrame, step1Frame, updateFrame } from './wire.ts'

/** Largest message of a connection, bytes. */
export const MAX_MESSAGE = 8_000_000

/** Flow log methods used by rooms. */
export type RoomLog = Pick<FlowLog, 'load' | 'whole' | 'since' | 'append' | 'follow'>

interface RoomEvents {
  /** The room failed: all its connections are closed and it must be reopened. */
  ended(room: Room): void
  emptied(room: Room): void
  /** A message closed its sender's connection, or the room failed; `error` for unexpected faults. */
  rejected(room: Room, reason: string, error?: unknown): void
  stored(room: Room, milliseconds: number): void
  relayed(room: Room, deliveries: number): void
  /** For this flow's room on other nodes: stored edits, cursors and changes of members. */
  written(room: Room, written: StoredBatch): void
  pointed(room: Room, awareness: Uint8Array): void
  peopled(room: Room): void
  /** Edits of others are missing here and read from the log. */
  gap(room: Room): void
}

/** One flow, open: its document, who is in it, and the log that everything accepted is appended to. */
export class Room {
  readonly kind: FlowKind
  readonly id: string
  /** Appends of others to this flow: commands, and rooms of other nodes. */
  readonly others: CatchUp
  readonly #log: RoomLog
  readonly #events: RoomEvents
  readonly #connections = new Set<Connection>()
  readonly presence = new Presence({
    show: frame => this.#showCursors(frame),
    share: awareness => this.#events.pointed(this, awareness),
  })
  readonly #relay: EditBroadcaster
  readonly #journal: EditWriter
  readonly #document: RoomDocument
  readonly #bindings: AuthorBindings
  readonly #intake: Intake
  /** Set while the document reloads; messages about it wait. */
  #reloading: Promise<void> | undefined
  #ended = false
  #firstUnstored = 0

  constructor(kind: FlowKind, id: string, loaded: LoadedFlow, log: RoomLog, events: RoomEvents) {
    this.kind = kind
    this.id = id
    this.#document = new RoomDocument(loaded.doc, undefined, loaded.steps)
    this.#bindings = new AuthorBindings(loaded.bindings)
    this.#log = log
    this.#events = events
    this.#relay = new EditBroadcaster(this.#connections, deliveries => events.relayed(this, deliveries))
    this.#journal = new EditWriter(id, log, loaded, {
      overtaken: () => this.others.read(),
      durable: (batch, written) => this.#durable(batch, written),
      failed: error => this.#fail(error),
    })
    this.#intake = new Intake({
      document: this.#document,
      bindings: this.#bindings,
      journal: this.#journal,
      relay: this.#relay,
      limits: { ...FLOW_LIMITS, script: kind === 'handler' },
      listener: {
        refused: (connection, code, reason) => this.#refuse(connection, code, reason),
        spoiled: () => this.#reload(),
        began: () => {
          this.#firstUnstored = performance.now()
        },
      },
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
    else this.#handleInTurn(connection, data)
  }

  #apply(edit: LoggedEdit): void {
    if (edit.startsOver === true) {
      // The clients hold an outdated flow: they open it again.
      this.#fail(new Error('the flow was started over'))
      return
    }
    // Taking a large one in would keep the whole node waiting: this flow alone waits until it is put together elsewhere.
    if (isLargeEdit(edit.update)) this.#reload()
    else this.#document.take(edit.update)
    this.#bindings.learn(edit.bindings)
    this.#journal.learn(edit.update)
    this.#relay.show(updateFrame(edit.update))
    const { to } = Y.parseUpdateMeta(edit.update)
    if (this.#reloading === undefined) this.#intake.came(to.keys())
    else void this.#reloading.then(() => this.#intake.came(to.keys()))
  }

  /** Asks nobody else in, appends what waits, and closes everyone. */
  async drain(): Promise<void> {
    await this.#journal.settled()
    this.#end(4503, 'draining')
  }

  /** Checks again after the wait: an earlier message may have caused another reload. */
  #handleInTurn(connection: Connection, data: Uint8Array): void {
    if (this.#reloading === undefined || isAwareness(data)) this.#handle(connection, data)
    else void this.#reloading.then(() => this.#handleInTurn(connection, data))
  }

  #handle(connection: Connection, data: Uint8Array): void {
    if (connection.closed || this.#ended) return
    try {
      const frame = readFrame(data)
      if (frame === undefined) this.#refuse(connection, 4400, 'malformed message')
      else this.#dispatch(connection, frame)
    } catch (error) {
      if (error instanceof TooCostly) {
        this.#fail(error)
        return
      }
      // An unexpected fault may have left anything in the document: reload it, and close only the sender.
      this.#reload()
      this.#refuse(connection, 4400, 'message could not be handled', error)
    }
  }

  #dispatch(connection: Connection, frame: Frame): void {
    switch (frame.kind) {
      case 'step1':
        this.#intake.answerStep1(connection, frame.stateVector)
        break
      case 'step2':
        this.#intake.receive(connection, frame.update, true)
        break
      case 'update':
        this.#intake.receive(connection, frame.update, false)
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

  #durable(batch: number, written: StoredBatch | undefined): void {
    if (written !== undefined) {
      this.others.stored()
      this.#events.written(this, written)
    }
    for (const connection of this.#connections) connection.acknowledge(batch)
    this.#events.stored(this, performance.now() - this.#firstUnstored)
  }

  /** Takes the document from the log again, with what is accepted and not yet stored: a refused update has touched it. */
  #reload(): void {
    this.#reloading ??= this.#readAnew().catch(error => {
      this.#reloading = undefined
      this.#fail(error)
    })
  }

  /** Includes edits that others append during the read. */
  async #readAnew(): Promise<void> {
    const { state, complete } = await this.#log.whole(this.id)
    const updates = [state]
    for (let reached = complete; reached < this.others.complete; ) {
      for await (const edit of this.#log.since(this.id, reached)) {
        updates.push(edit.update)
        if (edit.isCut !== true) reached = edit.revision
      }
    }
    this.#document.replace([...updates, ...this.#journal.unstored])
    // Synchronous: later messages are not in the loaded state.
    this.#reloading = undefined
  }

  #showCursors(frame: Uint8Array): void {
    this.#relay.flush()
    const message = outgoing(frame)
    for (const connection of this.#connections) connection.sendCursor(message)
  }

  #refuse(connection: Connection, code: CloseCode, reason: string, error?: unknown): void {
    this.#events.rejected(this, error === undefined ? `${reason} (${connection.member.user})` : reason, error)
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
