import { vi } from 'vitest'
import * as Y from 'yjs'
import { nodesOf, openFlow } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { Connection } from '#realtime/connection.ts'
import type { Member } from '#realtime/port.ts'
import { Room } from '#realtime/room.ts'
import { type Outgoing, readFrame, step1Frame, updateFrame } from '#realtime/wire.ts'
import { MemoryRoomLog } from './memory-room-log.ts'

export const member = (user: string, mayEdit = true): Member => ({
  user,
  session: user,
  name: user,
  color: '#1C3DBB',
  mayEdit,
})

/** A socket that keeps what was sent to it, and the document that a y-websocket client would keep. */
export class Peer {
  readonly doc = openFlow(new Y.Doc())
  readonly updates: Uint8Array[] = []
  readonly frames: Uint8Array[] = []
  closed: number | undefined
  connection: Connection
  #room: Room
  readonly #member: Member

  constructor(room: Room, who: Member) {
    this.#room = room
    this.#member = who
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'room') this.updates.push(update)
    })
    this.connection = this.join(room)
  }

  /** Connects or reconnects, also to a later room, and requests missed updates. */
  join(room: Room): Connection {
    const wire = {
      waiting: 0,
      send: ({ payloads }: Outgoing) => {
        for (const payload of payloads) this.#receive(payload)
      },
      close: (code: number) => {
        this.closed = code
      },
      terminate: () => {},
    }
    this.#room = room
    this.connection = new Connection(wire, this.#member, true)
    room.join(this.connection)
    this.send(step1Frame(Y.encodeStateVector(this.doc)))
    return this.connection
  }

  get acknowledged(): number {
    return Math.max(0, ...this.frames.filter(frame => frame[0] === 100).map(frame => frame[1] ?? 0))
  }

  /** Makes an edit and sends what came of it. */
  edit(change: (doc: Y.Doc) => void): void {
    change(this.doc)
    for (const update of this.updates.splice(0)) this.send(updateFrame(update))
  }

  send(frame: Uint8Array): void {
    this.#room.receive(this.connection, frame)
  }

  #receive(frame: Uint8Array): void {
    this.frames.push(frame)
    const read = readFrame(frame)
    if (read?.kind === 'update' || read?.kind === 'step2') Y.applyUpdate(this.doc, read.update, 'room')
  }
}

/** For a room under test alone: ignores every notification. */
export const UNHEARD: ConstructorParameters<typeof Room>[4] = {
  ended: () => {},
  emptied: () => {},
  rejected: () => {},
  stored: () => {},
  relayed: () => {},
  written: () => {},
  pointed: () => {},
  peopled: () => {},
  gap: () => {},
}

export const openRoom = async (log = new MemoryRoomLog()) => {
  const [ended, rejected] = [vi.fn(), vi.fn()]
  const loaded = await log.load('d1')
  const room: Room = new Room('dialog', 'd1', loaded, log, {
    ...UNHEARD,
    ended,
    rejected,
  })
  log.follow({ appended: (_flow, event) => room.others.told(event), lost: () => {}, kept: () => {} })
  // A room that ended may append between the load and the subscription.
  room.others.start()
  return { room, log, ended, rejected }
}

export const block = (id: string) => (doc: Y.Doc) => {
  addNode(doc, { id, type: 'text', title: id, x: 20, y: 40 }, 'me')
}
export const ids = (doc: Y.Doc) => [...nodesOf(doc).keys()].sort()
export const soon = (check: () => void) => vi.waitFor(check, { interval: 5 })
