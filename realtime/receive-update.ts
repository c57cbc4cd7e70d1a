import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { applyChecked } from '#domain/flow/document/apply-checked.ts'
import { UPDATE_STEPS } from '#domain/flow/document/integration-cost.ts'
import { mergedUpdates } from '#domain/flow/document/snapshot.ts'
import type { FlowLimits } from '#domain/flow/document/violation.ts'
import type { CloseCode, Connection, EditBroadcaster } from './connection.ts'
import type { EditWriter } from './persist-edits.ts'
import type { RoomDocument } from './room-document.ts'
import {
  type ClientRange,
  type Decoded,
  decodeUpdate,
  MalformedUpdate,
  TooManyStructs,
  type UpdateValidation,
  validateUpdate,
} from './validate-update.ts'
import { outgoing, step2Frame, updateFrame } from './wire.ts'

/** Rounds in which structs are found that wait for others; each goes through the whole update. */
const MAX_ROUNDS = 20

interface ApplicableUpdate {
  readonly update: Uint8Array
  /** No struct was left for later; excluded ones do not count. */
  readonly isWhole: boolean
}

/**
 * The part of an update that a document can take now without the structs of `excluded`: of each client as much as
 * builds on what the document or the part has, and the deletions of that. Undefined where that takes too long to find.
 */
const applicableUpdate = (
  doc: Y.Doc,
  decoded: Decoded,
  excluded: readonly ClientRange[],
): ApplicableUpdate | undefined => {
  const excludedFrom = new Map(excluded.map(({ client, from }) => [client, from]))
  const ends = endsOf(doc, decoded, excludedFrom)
  if (ends === undefined) return undefined
  const end = (client: number) => ends.get(client) ?? Y.getState(doc.store, client)
  let isWhole = true
  const structs = decoded.structs.filter(({ id, length }) => {
    if (id.clock + length <= end(id.client)) return true
    isWhole &&= id.clock >= (excludedFrom.get(id.client) ?? Number.POSITIVE_INFINITY)
    return false
  })
  const deletions = new Map<number, { clock: number; len: number }[]>()
  for (const [client, ranges] of decoded.ds.clients) {
    const known = ranges.filter(({ clock, len }) => clock + len <= end(client))
    isWhole &&= known.length === ranges.length
    if (known.length > 0) deletions.set(client, known)
  }
  return { update: encoded(structs, deletions), isWhole }
}

/** Clock of each client behind its last struct that is ready. */
const endsOf = (doc: Y.Doc, { structs }: Decoded, excludedFrom: ReadonlyMap<number, number>) => {
  const ends = new Map<number, number>()
  const end = (client: number) => ends.get(client) ?? Y.getState(doc.store, client)
  for (const { id, length } of structs) {
    const isExcluded = id.clock + length > (excludedFrom.get(id.client) ?? Number.POSITIVE_INFINITY)
    if (!isExcluded && id.clock <= end(id.client)) ends.set(id.client, Math.max(end(id.client), id.clock + length))
  }
  const isKnown = (id: Y.ID | null) => id === null || id.clock < end(id.client)
  const isReady = (struct: Y.AbstractStruct) => {
    if (struct instanceof Y.Skip) return false
    if (!(struct instanceof Y.Item)) return true
    const parent = struct.parent instanceof Y.ID ? struct.parent : null
    return isKnown(struct.origin) && isKnown(struct.rightOrigin) && isKnown(parent)
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isSettled = true
    for (const struct of structs) {
      const { client, clock } = struct.id
      if (clock >= end(client) || clock + struct.length <= Y.getState(doc.store, client) || isReady(struct)) continue
      ends.set(client, Math.max(clock, Y.getState(doc.store, client)))
      isSettled = false
    }
    if (isSettled) return ends
  }
  return undefined
}

const encoded = (
  structs: readonly Y.AbstractStruct[],
  deletions: ReadonlyMap<number, readonly { clock: number; len: number }[]>,
): Uint8Array => {
  const encoder = new Y.UpdateEncoderV1()
  const rest = encoder.restEncoder
  const sections = Map.groupBy(structs, ({ id }) => id.client)
  encoding.writeVarUint(rest, sections.size)
  for (const [client, own] of sections) {
    encoding.writeVarUint(rest, own.length)
    encoder.writeClient(client)
    encoding.writeVarUint(rest, own[0]?.id.clock ?? 0)
    for (const struct of own) struct.write(encoder, 0, 0)
  }
  encoding.writeVarUint(rest, deletions.size)
  for (const [client, ranges] of deletions) {
    encoder.resetDsCurVal()
    encoding.writeVarUint(rest, client)
    encoding.writeVarUint(rest, ranges.length)
    for (const { clock, len } of ranges) {
      encoder.writeDsClock(clock)
      encoder.writeDsLen(len)
    }
  }
  return encoder.toUint8Array()
}

/** New client ids of one update: a browser that was offline for months brings one for each time a page was loaded. */
const MAX_NEW_CLIENTS = 500

/** Why the ids in an update are not the sender's to write with. */
type Claim = 'own' | 'foreign' | 'toomany'

/** Maps each Yjs client id of a flow to its first user, permanently. */
export class AuthorBindings {
  readonly #users: Map<number, string>
  constructor(bindings: ReadonlyMap<number, string>) {
    this.#users = new Map(bindings)
  }

  /** The log's bindings win. */
  learn(bindings: readonly { client: number; user: string }[]): void {
    for (const { client, user } of bindings) this.#users.set(client, user)
  }

  /** Whether a sender may bring these new structs. */
  claim(sender: string, ranges: readonly ClientRange[]): Claim {
    let unbound = 0
    for (const { client } of ranges) {
      const bound = this.#users.get(client)
      if (bound === undefined) unbound += 1
      else if (bound !== sender) return 'foreign'
    }
    return unbound > MAX_NEW_CLIENTS ? 'toomany' : 'own'
  }

  /** New structs under client ids of other users. */
  foreign(sender: string, ranges: readonly ClientRange[]): readonly ClientRange[] {
    return ranges.filter(({ client }) => (this.#users.get(client) ?? sender) !== sender)
  }

  /**
   * Binds client ids that first appear in an accepted update. Not in a step 2: after a node crash, another person may
   * resend an author's unstored edits before the author uses the id again. The first edit sent as an update shows the
   * owner.
   */
  bind(sender: string, ranges: readonly ClientRange[], isStep2: boolean): readonly [number, string][] {
    if (isStep2) return []
    const bindings: [number, string][] = []
    for (const { client } of ranges) {
      if (this.#users.has(client)) continue
      this.#users.set(client, sender)
      bindings.push([client, sender])
    }
    return bindings
  }
}

/** Held updates of one connection, bytes together. */
const MAX_HELD = 4_000_000
/** The same where it waits for edits of others: it is read again whenever some of them come. */
const MAX_WAITING = 200_000
/** Client ids from one connection in one event, which names each with its user and its clocks: some 120 bytes of 1 MiB. */
const MAX_BATCH_CLIENTS = 1_000
/** Clients in a state vector that the document does not have: one for each time a page was loaded without a network. */
const MAX_UNKNOWN_CLIENTS = 1_000
const CLAIMS = { foreign: 'edits under the client id of somebody else', toomany: 'too many new client ids' } as const
/** A Yjs update that says nothing. */
const EMPTY_UPDATE = Uint8Array.of(0, 0)

interface IntakeOptions {
  readonly document: RoomDocument
  readonly bindings: AuthorBindings
  readonly journal: EditWriter
  readonly relay: EditBroadcaster
  readonly limits: FlowLimits
  readonly listener: {
    refused(connection: Connection, code: CloseCode, reason: string): void
    /** The document holds what was refused. */
    spoiled(): void
    /** Something is accepted while everything before it is stored. */
    began(): void
  }
}

interface PendingMessage {
  readonly examined: UpdateValidation
  readonly isStep2: boolean
  /** Of the connection, that are stored with it. */
  readonly messages: number
}

/** Document messages of connections: valid updates are applied, added to the next event and sent to others. */
export class Intake {
  readonly #options: IntakeOptions
  /** The client ids whose edits connections wait for. */
  readonly #waiting = new Map<Connection, ReadonlySet<number>>()

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  answerStep1(connection: Connection, stateVector: Uint8Array): void {
    const { document, listener } = this.#options
    const doc = document.open
    try {
      // A million clients take a second to read; none that the document does not have is needed.
      if (clientsIn(stateVector) > doc.store.clients.size + MAX_UNKNOWN_CLIENTS)
        throw new RangeError('too many clients')
      connection.send(outgoing(step2Frame(Y.encodeStateAsUpdate(doc, stateVector))))
    } catch {
      listener.refused(connection, 4400, 'malformed state vector')
    }
  }

  receive(connection: Connection, update: Uint8Array, isStep2: boolean): void {
    if (isStep2) connection.hasSentStep2 = true
    const isFirst = isStep2 && !connection.waitsForOthers
    if (!isFirst && connection.held.length > 0) {
      this.#hold(connection, update)
      return
    }
    this.#take(connection, [update, ...connection.release()], isStep2)
  }

  /** Edits of these client ids came from the log. */
  came(clients: Iterable<number>): void {
    if (this.#waiting.size > 0) this.#retry([...clients])
  }

  /** Retries updates that waited for edits of these clients. */
  #retry(came: readonly number[]): void {
    for (const [connection, wanted] of [...this.#waiting]) {
      if (!connection.closed && !came.some(client => wanted.has(client))) continue
      this.#waiting.delete(connection)
      if (!connection.closed) this.#take(connection, connection.release(), true)
    }
  }

  #take(connection: Connection, updates: readonly Uint8Array[], isStep2: boolean): void {
    const { document, listener } = this.#options
    const doc = document.open
    try {
      const whole = merged(updates)
      const decoded = decodeUpdate(whole)
      const examined = validateUpdate(doc, decoded)
      // In step 2 edits of others are honest where a crash came between their relay and their append. Their author has
      // them as well and sends them: only what an author sends counts as theirs.
      const foreign = isStep2 ? this.#options.bindings.foreign(connection.member.user, examined.ranges) : []
      if (foreign.length === 0) this.#takeWhole(connection, whole, { examined, isStep2, messages: updates.length })
      else this.#takePart(connection, updates, applicableUpdate(doc, decoded, foreign), foreign)
    } catch (error) {
      if (error instanceof TooManyStructs) listener.refused(connection, 4413, 'too many structs')
      else if (error instanceof MalformedUpdate) listener.refused(connection, 4400, 'malformed update')
      else throw error
    }
  }

  #takePart(
    connection: Connection,
    updates: readonly Uint8Array[],
    part: ApplicableUpdate | undefined,
    foreign: readonly ClientRange[],
  ): void {
    connection.leftOut = foreign
    if (part?.isWhole !== true) this.#waitForOthers(connection, updates, foreign)
    if (part === undefined) return
    const examined = validateUpdate(this.#options.document.open, decodeUpdate(part.update))
    // Waiting messages are counted when the rest arrives.
    this.#takeWhole(connection, part.update, { examined, isStep2: true, messages: part.isWhole ? updates.length : 0 })
  }

  #takeWhole(connection: Connection, update: Uint8Array, { examined, isStep2, messages }: PendingMessage): void {
    const { journal, listener } = this.#options
    if (!connection.member.mayEdit && (examined.news || !isStep2)) {
      listener.refused(connection, 4403, 'no right to edit')
    } else if (examined.contradicts) {
      listener.refused(connection, 4400, 'other content than is stored for the same clocks')
    } else if (examined.missing && connection.leftOut.length > 0) {
      this.#waitForOthers(connection, [update], connection.leftOut)
    } else if (examined.missing) {
      this.#hold(connection, update)
    } else if (!examined.news || this.#accept(connection, update, examined, isStep2)) {
      if (messages > 0) connection.count(messages, journal.pending)
      if (journal.pending === 0) connection.acknowledge(0)
      journal.wake()
      if (examined.news) this.#retry(examined.ranges.map(({ client }) => client))
    }
  }

  /** True when the update is now part of the document and of the batch. */
  #accept(connection: Connection, update: Uint8Array, examined: UpdateValidation, isStep2: boolean): boolean {
    const { document, bindings, journal, relay, limits, listener } = this.#options
    const { user } = connection.member
    const claim = bindings.claim(user, examined.ranges)
    const isCostly = examined.deletionSteps > UPDATE_STEPS
    if (claim !== 'own' || isCostly) {
      listener.refused(connection, 4400, claim === 'own' ? 'deletions take too long' : CLAIMS[claim])
      return false
    }
    const clients = examined.ranges.length + (journal.batch.clients.get(connection) ?? 0)
    if (examined.ranges.length > 1 && clients > MAX_BATCH_CLIENTS) {
      listener.refused(connection, 4429, 'too many client ids at once')
      return false
    }
    const doc = document.open
    const apply = () => applyChecked(doc, update, limits, connection, document.allowance)
    // Several who come back at once each answer step 1 with all that was missing then: it is stored once.
    const [applied, fresh] = isStep2 ? withNews(doc, apply) : [apply(), update]
    if (!applied.ok || applied.pending) {
      listener.spoiled()
      listener.refused(connection, 4400, applied.ok ? 'update builds on itself' : applied.reason)
      return false
    }
    document.spend(applied.steps)
    const bound = bindings.bind(user, examined.ranges, isStep2)
    if (journal.pending === 0) listener.began()
    journal.batch.clients.set(connection, clients)
    journal.batch.add(fresh, [user], bound, applied.summary)
    relay.show(updateFrame(fresh), connection)
    return true
  }

  /** Holds updates that build on edits which their authors have not resent. */
  #waitForOthers(connection: Connection, updates: readonly Uint8Array[], foreign: readonly ClientRange[]): void {
    connection.waitsForOthers = true
    this.#waiting.set(connection, new Set(foreign.map(({ client }) => client)))
    for (const update of updates) this.#hold(connection, update)
  }

  /** Waits, uncounted, for the connection's step 2; so does everything that it sends until then. */
  #hold(connection: Connection, update: Uint8Array): void {
    connection.heldBytes += update.byteLength
    const mayWait = !connection.hasSentStep2 || connection.waitsForOthers
    const most = connection.waitsForOthers ? MAX_WAITING : MAX_HELD
    if (!mayWait || connection.heldBytes > most) {
      this.#options.listener.refused(connection, 4400, 'update builds on what was never sent')
      return
    }
    connection.held.push(update)
  }
}

/** The result of `apply` and the update it added to the document, deletions included. */
const withNews = <T>(doc: Y.Doc, apply: () => T): readonly [T, Uint8Array] => {
  const brought: Uint8Array[] = []
  const keep = (update: Uint8Array) => brought.push(update)
  doc.on('update', keep)
  try {
    const applied = apply()
    return [applied, brought.length === 0 ? EMPTY_UPDATE : mergedUpdates(brought)]
  } finally {
    doc.off('update', keep)
  }
}

const clientsIn = (stateVector: Uint8Array): number => decoding.readVarUint(decoding.createDecoder(stateVector))

const merged = (updates: readonly Uint8Array[]): Uint8Array => {
  try {
    return mergedUpdates(updates)
  } catch (error) {
    throw new MalformedUpdate('malformed update', { cause: error })
  }
}
