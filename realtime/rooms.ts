import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Hints } from './cluster/hints.ts'
import { SharedRooms } from './cluster/shared-rooms.ts'
import { type CloseCode, Connection } from './connection.ts'
import type { FlowKind, Member, Present, RoomAuthorizer, Rooms } from './port.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import { MAX_MESSAGE, Room, type RoomLog } from './room.ts'
import { bytesOf, keepAlive, wireOf } from './wire.ts'

/** Close codes of the library: message too large, and violation of RFC 6455. */
const TOO_LARGE = 1009
const FIRST_FAULT = 1002
/** A peer that sends on instead of closing loses its socket after this long, ms. */
const CLOSE_TIMEOUT_MS = 2_000

/** @param maxPayload bytes of one message that are read at all */
const flowSockets = (maxPayload: number) =>
  new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload, WebSocket: FlowSocket })

/** A socket that says by a room's own close codes also what ends it before a message is there. */
class FlowSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    if (code === undefined || code < FIRST_FAULT || code > TOO_LARGE) super.close(code, reason)
    else {
      super.close(code === TOO_LARGE ? 4413 : 4400, code === TOO_LARGE ? 'message too large' : 'malformed message')
      setTimeout(() => this.terminate(), CLOSE_TIMEOUT_MS).unref()
    }
  }
}

/** An empty room stays open this long, so that a reload does not read the flow again. */
const IDLE_MS = 30_000
/** Expired sessions are found at least this often. */
const RECHECK_MS = 15_000
/** Rooms are drained when the log is lost this long. */
const LOST_MS = 10_000

interface RoomsOptions {
  readonly log: RoomLog
  readonly admit: RoomAuthorizer
  /** Resolves when this node shows all writes of any node so far: before a newcomer is refused. */
  readonly settled: () => Promise<void>
  /** The way to other nodes. */
  readonly hints: Hints
  /** Figures for metrics. */
  readonly on?: {
    readonly stored?: (milliseconds: number) => void
    readonly relayed?: (deliveries: number) => void
    readonly rejected?: (flow: string, reason: string, error?: unknown) => void
    /** Edits of others were missing and read from the log. */
    readonly gap?: () => void
  }
}

interface Target {
  readonly kind: FlowKind
  readonly id: string
  readonly session: string
  readonly acks: boolean
}

interface Opening {
  readonly room: Promise<Room>
  opened?: Room
  idle?: NodeJS.Timeout
}

export interface OpenRooms extends Rooms {
  /** Why new connections are refused, if they are: the node is not ready then. */
  unready(): string | undefined
  readonly connections: number
  readonly count: number
}

/** Opens the flow rooms of one node. */
export const openRooms = (options: RoomsOptions): OpenRooms => new NodeRooms(options)

class NodeRooms implements OpenRooms {
  readonly #options: RoomsOptions
  readonly #server = flowSockets(MAX_MESSAGE * 2)
  readonly #rooms = new Map<string, Opening>()
  readonly #closing = new Map<string, Promise<void>>()
  readonly #sessions = new Map<Connection, string>()
  readonly #shared: SharedRooms
  readonly #stopFollowing: () => Promise<void>
  readonly #recheckTimer: NodeJS.Timeout
  #lostTimer: NodeJS.Timeout | undefined
  #lost = false
  #draining = false
  /** Times that rights were asked for again. */
  #rechecks = 0

  constructor(options: RoomsOptions) {
    this.#options = options
    this.#shared = new SharedRooms({
      hints: options.hints,
      room: flow => this.#rooms.get(flow)?.opened,
      rooms: () => this.#openRooms(),
    })
    this.#stopFollowing = options.log.follow({
      appended: (flow, event) => this.#rooms.get(flow)?.opened?.others.told(event),
      lost: () => this.#lose(),
      kept: () => this.#keep(),
    })
    // A question that failed is put again by the next round.
    this.#recheckTimer = setInterval(() => void this.recheck().catch(() => undefined), RECHECK_MS).unref()
  }

  get connections(): number {
    return this.#sessions.size
  }

  get count(): number {
    return this.#rooms.size
  }

  unready(): string | undefined {
    if (this.#draining) return 'draining'
    return this.#lost ? 'the event log is out of sight' : undefined
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: Target): void {
    this.#enter(request, socket, head, target).catch(() =>
      refuseUpgrade(request, socket, 4503, 'flow could not be opened'),
    )
  }

  present(): readonly Present[] {
    const here = [...this.#openRooms()]
      .filter(({ connections }) => connections.size > 0)
      .map(room => ({ kind: room.kind, id: room.id, members: room.members() }))
    return this.#shared.present(here)
  }

  sessions(concerns: (flow: string, member: Member) => boolean): readonly string[] {
    const found = new Set<string>()
    for (const { id, connections } of this.#openRooms())
      for (const { member } of connections) if (concerns(id, member)) found.add(member.session)
    return [...found]
  }

  async recheck(sessions?: readonly string[]): Promise<void> {
    this.#rechecks += 1
    const affected = [...this.#openRooms()].flatMap(room =>
      [...room.connections].map(connection => ({ room, connection })),
    )
    await Promise.all(
      affected.map(async ({ room, connection }) => {
        const session = this.#sessions.get(connection)
        if (session === undefined || (sessions !== undefined && !sessions.includes(session))) return
        await this.#recheckOne(room, connection, session)
      }),
    )
  }

  async #recheckOne(room: Room, connection: Connection, session: string): Promise<void> {
    const member = await this.#options.admit(room.kind, room.id, session)
    if ('close' in member) this.#dismiss(room, connection, member.close, 'no longer allowed')
    else if (connection.member.mayEdit && !member.mayEdit) {
      this.#dismiss(room, connection, 4403, 'no longer allowed to edit')
    } else connection.member = member
  }

  async drain(): Promise<void> {
    this.#draining = true
    clearInterval(this.#recheckTimer)
    clearTimeout(this.#lostTimer)
    await this.#drainAll()
    await this.#shared.close()
    await this.#stopFollowing()
    this.#server.close()
  }

  /**
   * A WebSocket is made only for a member of an open room. Until then the socket is not read, so that what a client
   * sends stays with the client (one stream buffer aside).
   */
  async #enter(request: IncomingMessage, socket: Duplex, head: Buffer, target: Target): Promise<void> {
    const refuse = (code: CloseCode, reason?: string) => refuseUpgrade(request, socket, code, reason)
    if (this.unready() !== undefined) return refuse(4503, this.unready())
    const rechecks = this.#rechecks
    const admitted = await this.#admit(target)
    if ('close' in admitted) return refuse(admitted.close)
    const room = await this.#open(target.kind, target.id)
    if (this.unready() !== undefined) return refuse(4503, this.unready())
    this.#server.handleUpgrade(request, socket, head, webSocket => {
      // The socket closes itself with what was wrong.
      webSocket.on('error', () => undefined)
      const connection = new Connection(wireOf(webSocket, socket), admitted, target.acks)
      this.#join(room, webSocket, connection, target.session)
      // A right may have gone while the room was being opened.
      if (rechecks !== this.#rechecks)
        this.#recheckOne(room, connection, target.session).catch(() => connection.close(4503, 'retry'))
    })
  }

  async #admit({ kind, id, session }: Target): ReturnType<RoomAuthorizer> {
    const { admit, settled } = this.#options
    const admitted = await admit(kind, id, session)
    if (!('close' in admitted) || session === '') return admitted
    await settled()
    return admit(kind, id, session)
  }

  #join(room: Room, webSocket: WebSocket, connection: Connection, session: string): void {
    this.#sessions.set(connection, session)
    clearTimeout(this.#rooms.get(room.id)?.idle)
    keepAlive(webSocket)
    webSocket.on('message', (data, isBinary) => {
      if (isBinary) room.receive(connection, bytesOf(data))
      else this.#dismiss(room, connection, 4400, 'text message')
    })
    webSocket.on('close', () => {
      this.#sessions.delete(connection)
      room.leave(connection)
    })
    room.join(connection)
  }

  /** The room of a flow, opened at most once at a time; opening again waits until the one before is closed. */
  #open(kind: FlowKind, id: string): Promise<Room> {
    const known = this.#rooms.get(id)
    if (known !== undefined) return known.room
    const opening: Opening = { room: this.#load(kind, id) }
    this.#rooms.set(id, opening)
    opening.room.then(
      room => {
        if (this.#rooms.get(id) === opening) opening.opened = room
        this.#shared.opened(room)
        room.others.start()
        this.#evictLater(room)
      },
      () => this.#forget(id, opening),
    )
    return opening.room
  }

  async #load(kind: FlowKind, id: string): Promise<Room> {
    await this.#closing.get(id)
    const { log, on } = this.#options
    const loaded = await log.load(id)
    return new Room(kind, id, loaded, log, {
      ended: room => this.#ended(room),
      emptied: room => this.#evictLater(room),
      rejected: (room, reason, error) => on?.rejected?.(room.id, reason, error),
      stored: (_room, milliseconds) => on?.stored?.(milliseconds),
      relayed: (_room, deliveries) => on?.relayed?.(deliveries),
      written: (room, written) => this.#shared.written(room, written),
      pointed: (room, awareness) => this.#shared.pointed(room, awareness),
      peopled: room => this.#shared.peopled(room),
      gap: () => on?.gap?.(),
    })
  }

  #evictLater(room: Room): void {
    const opening = this.#rooms.get(room.id)
    if (opening?.opened !== room || room.connections.size > 0) return
    clearTimeout(opening.idle)
    opening.idle = setTimeout(() => {
      if (room.connections.size === 0) void this.#close(room)
    }, IDLE_MS).unref()
  }

  #close(room: Room): Promise<void> {
    const opening = this.#rooms.get(room.id)
    if (opening?.opened !== room) return Promise.resolve()
    this.#forget(room.id, opening)
    const closed = room.drain().finally(() => this.#closing.delete(room.id))
    this.#closing.set(room.id, closed)
    return closed
  }

  #ended(room: Room): void {
    this.#shared.closed(room)
    const opening = this.#rooms.get(room.id)
    if (opening?.opened === room) this.#forget(room.id, opening)
  }

  *#openRooms(): Generator<Room> {
    for (const { opened } of this.#rooms.values()) if (opened !== undefined) yield opened
  }

  #forget(id: string, opening: Opening): void {
    clearTimeout(opening.idle)
    if (this.#rooms.get(id) === opening) this.#rooms.delete(id)
  }

  #dismiss(room: Room, connection: Connection, code: CloseCode, reason: string): void {
    connection.close(code, reason)
    room.leave(connection)
  }

  #lose(): void {
    this.#lostTimer ??= setTimeout(() => {
      this.#lost = true
      void this.#drainAll()
    }, LOST_MS).unref()
  }

  #keep(): void {
    clearTimeout(this.#lostTimer)
    this.#lostTimer = undefined
    this.#lost = false
  }

  async #drainAll(): Promise<void> {
    const rooms = await Promise.allSettled([...this.#rooms.values()].map(({ room }) => room))
    await Promise.all(rooms.map(outcome => (outcome.status === 'fulfilled' ? this.#close(outcome.value) : undefined)))
    await Promise.all(this.#closing.values())
  }
}
