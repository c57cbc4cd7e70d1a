import * as Y from 'yjs'
import { applyChecked } from '#domain/flow/apply-checked.ts'
import type { FlowLimits } from '#domain/flow/violation.ts'
import type { AuthorBindings } from './author-bindings.ts'
import type { CloseCode, Connection } from './connection.ts'
import { type Examined, examine } from './examine.ts'
import type { Journal } from './journal.ts'
import { step2Frame, updateFrame } from './protocol.ts'
import type { Relay } from './relay.ts'
import type { RoomDocument } from './room-document.ts'
import { outgoing } from './wire.ts'

/** Held updates of one connection, bytes together. */
const MAX_HELD = 4_000_000

export interface IntakeOptions {
  readonly document: RoomDocument
  readonly bindings: AuthorBindings
  readonly journal: Journal
  readonly relay: Relay
  readonly limits: FlowLimits
  readonly listener: {
    refused(connection: Connection, code: CloseCode, reason: string): void
    /** The document holds what was refused. */
    spoiled(): void
    /** Something is accepted while everything before it is stored. */
    began(): void
  }
}

/** What connections send of the document: what is sound becomes part of it and of the next event, and is shown to others. */
export class Intake {
  readonly #options: IntakeOptions

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  answerStep1(connection: Connection, stateVector: Uint8Array): void {
    const { document, listener } = this.#options
    try {
      connection.send(outgoing(step2Frame(Y.encodeStateAsUpdate(document.open, stateVector))))
    } catch {
      listener.refused(connection, 4400, 'malformed state vector')
    }
  }

  receive(connection: Connection, update: Uint8Array, isStep2: boolean): void {
    const { document, journal, listener } = this.#options
    if (isStep2) connection.hasSentStep2 = true
    const held = isStep2 ? connection.release() : []
    if (!isStep2 && connection.held.length > 0) {
      this.#hold(connection, update)
      return
    }
    let whole = update
    let examined: Examined
    try {
      if (held.length > 0) whole = Y.mergeUpdates([update, ...held])
      examined = examine(document.open, whole)
    } catch {
      listener.refused(connection, 4400, 'malformed update')
      return
    }
    if (!connection.member.mayEdit && (examined.news || !isStep2)) {
      listener.refused(connection, 4403, 'no right to edit')
    } else if (examined.missing) {
      this.#hold(connection, whole)
    } else if (!examined.news || this.#accept(connection, whole, examined, isStep2)) {
      connection.count(held.length + 1, journal.pending)
      if (journal.pending === 0) connection.acknowledge(0)
      journal.wake()
    }
  }

  /** True when the update is now part of the document and of the batch. */
  #accept(connection: Connection, update: Uint8Array, examined: Examined, isStep2: boolean): boolean {
    const { document, bindings, journal, relay, limits, listener } = this.#options
    const doc = document.open
    const apply = () => applyChecked(doc, update, limits, connection)
    // Several who come back at once each answer step 1 with all that was missing then: it is stored once.
    const [applied, fresh] = isStep2 ? withNews(doc, apply) : [apply(), update]
    if (!applied.ok) {
      listener.spoiled()
      listener.refused(connection, 4400, applied.reason)
      return false
    }
    const { authors, bindings: bound } = bindings.attribute(connection.member.user, examined)
    if (journal.pending === 0) listener.began()
    journal.batch.add(fresh, authors, bound, applied.summary)
    relay.show(updateFrame(fresh), connection)
    return true
  }

  /** Waits, uncounted, for the connection's step 2; so does everything that it sends until then. */
  #hold(connection: Connection, update: Uint8Array): void {
    connection.heldBytes += update.byteLength
    if (connection.hasSentStep2 || connection.heldBytes > MAX_HELD) {
      this.#options.listener.refused(connection, 4400, 'update builds on what was never sent')
      return
    }
    connection.held.push(update)
  }
}

/** What an applied update brought that the document did not have, deletions included. */
const withNews = <T>(doc: Y.Doc, apply: () => T): readonly [T, Uint8Array] => {
  const brought: Uint8Array[] = []
  const keep = (update: Uint8Array) => brought.push(update)
  doc.on('update', keep)
  try {
    return [apply(), Y.mergeUpdates(brought)]
  } finally {
    doc.off('update', keep)
  }
}
