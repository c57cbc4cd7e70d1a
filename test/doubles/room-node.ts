import { Hints, type MemoryBus } from '#realtime/cluster/hints.ts'
import { SharedRooms } from '#realtime/cluster/shared-rooms.ts'
import type { HintBus } from '#realtime/port.ts'
import { Room } from '#realtime/room.ts'
import type { MemoryRoomLog } from './memory-room-log.ts'
import { UNHEARD } from './room-peer.ts'

export interface RoomNodeOptions {
  readonly log: MemoryRoomLog
  readonly bus: MemoryBus
  /** Whether a hint that this node sends is lost on its way. */
  readonly loses?: () => boolean
  /** Lets the log's telling of an event come later. */
  readonly late?: (tell: () => void) => void
}

/** The rooms of one node without sockets, joined to those of others on the same log and bus. Test code only. */
export class RoomNode {
  readonly shared: SharedRooms
  /** Times that a room read the log. */
  gaps = 0
  readonly #options: RoomNodeOptions
  readonly #rooms = new Map<string, Room>()
  readonly #end: HintBus

  constructor(options: RoomNodeOptions) {
    this.#options = options
    const { log, bus, late = tell => tell() } = options
    this.#end = lossy(bus.join(), options.loses ?? (() => false))
    this.shared = new SharedRooms({
      hints: new Hints({ bus: this.#end, store: 'store', key: 'key' }),
      room: flow => this.#rooms.get(flow),
      rooms: () => this.#rooms.values(),
    })
    log.follow({
      appended: (flow, event) => late(() => this.#rooms.get(flow)?.others.told(event)),
      lost: () => {},
      kept: () => {},
    })
  }

  async open(flow = 'd1'): Promise<Room> {
    const { log } = this.#options
    const room: Room = new Room('dialog', flow, await log.load(flow), log, {
      ...UNHEARD,
      ended: ended => {
        this.shared.closed(ended)
        if (this.#rooms.get(flow) === ended) this.#rooms.delete(flow)
      },
      written: (of, written) => this.shared.written(of, written),
      pointed: (of, awareness) => this.shared.pointed(of, awareness),
      peopled: of => this.shared.peopled(of),
      gap: () => {
        this.gaps += 1
      },
    })
    this.#rooms.set(flow, room)
    this.shared.opened(room)
    room.others.start()
    return room
  }

  /** The process dies without notice. */
  async kill(): Promise<void> {
    await this.#end.close()
    this.#rooms.clear()
  }
}

const lossy = (bus: HintBus, loses: () => boolean): HintBus => ({
  get connected() {
    return bus.connected
  },
  largest: bus.largest,
  publish: (subject, message) => {
    if (!loses()) bus.publish(subject, message)
  },
  subscribe: (subject, listener) => bus.subscribe(subject, listener),
  onConnected: listener => bus.onConnected(listener),
  close: () => bus.close(),
})
