import { WebSocket } from 'ws'
import { Awareness } from 'y-protocols/awareness'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { nodesOf, openFlow } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import type { Client, Parley } from '#test/api/harness.ts'

/** A user in a room with the client that browsers use; keeps the document when it moves to another node. */
export class Editor {
  readonly doc = openFlow(new Y.Doc())
  /** The code that the newest connection was closed with, and when. */
  closed: number | undefined
  closedAt = 0
  readonly #awareness = new Awareness(this.doc)
  #provider: WebsocketProvider | undefined

  /** Resolves when both sides have the same. */
  async join(parley: Parley, client: Pick<Client, 'token'>, dialog: string): Promise<this> {
    this.leave()
    const headers = { authorization: `Bearer ${client.token}` }
    class Socket extends WebSocket {
      constructor(url: string | URL) {
        super(url, { headers })
      }
    }
    const provider = new WebsocketProvider(
      `${parley.origin.replace('http', 'ws')}/botadmin/realtime`,
      `dialog-${dialog}`,
      this.doc,
      {
        WebSocketPolyfill: Socket as unknown as typeof globalThis.WebSocket,
        awareness: this.#awareness,
        disableBc: true,
      },
    )
    this.#provider = provider
    this.closed = undefined
    provider.on('connection-close', event => {
      provider.shouldConnect = false
      this.closed = event?.code
      this.closedAt = performance.now()
    })
    await new Promise<void>((resolve, reject) => {
      provider.on('sync', synced => synced && resolve())
      provider.on('connection-close', event => reject(new Error(`closed with ${event?.code}`)))
    })
    return this
  }

  leave(): void {
    this.#provider?.destroy()
    this.#provider = undefined
  }

  end(): void {
    this.leave()
    this.#awareness.destroy()
  }

  point(x: number): void {
    this.#awareness.setLocalStateField('cursor', { x, y: 0 })
  }

  /** At which x it sees others point, sorted. */
  get pointers(): readonly number[] {
    const others = [...this.#awareness.getStates()].filter(([client]) => client !== this.doc.clientID)
    return others
      .flatMap(([, { cursor }]) => (cursor === undefined ? [] : [cursor.x]))
      .sort((one, other) => one - other)
  }

  draw(id: string): void {
    addNode(this.doc, { id, type: 'text', title: id, x: 20, y: 40 }, 'me')
  }

  /** Resolves when it has the block. */
  sees(id: string): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (!nodesOf(this.doc).has(id)) return
        this.doc.off('update', look)
        resolve()
      }
      this.doc.on('update', look)
      look()
    })
  }

  get blocks(): readonly string[] {
    return drawn(nodesOf(this.doc).keys())
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** Ids of blocks that a test has drawn, sorted: without the start block that every dialog is made with. */
export const drawn = (ids: Iterable<string>): readonly string[] => [...ids].filter(id => !UUID.test(id)).sort()
