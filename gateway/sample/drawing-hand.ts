import * as Y from 'yjs'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import { firstEventId, type Tail } from '#commands/pipeline/append.ts'
import { captureEdit } from '#domain/flow/document/capture-edit.ts'
import { flowStream } from '#schemas/events/flow.ts'

/** On whose behalf and when an edit is made; its event's id comes from `seed`. */
interface Stroke {
  readonly seed: string
  readonly time: string
  readonly user: string
}

interface Open {
  readonly doc: Y.Doc
  readonly clients: Map<string, number>
  tail: Tail
}

/** Draws in flows as people in a room do: every person with a Yjs client of their own, one event for each edit. */
export class DrawingHand {
  readonly #log: FlowLog
  readonly #flows = new Map<string, Open>()

  constructor(log: FlowLog) {
    this.#log = log
  }

  /**
   * Returns the position of the write; undefined when the flow had the content already, or another node drew it. Throws
   * WrongRevision when another writer drew meanwhile.
   */
  async draw(flow: string, { seed, time, user }: Stroke, mutate: (doc: Y.Doc) => void): Promise<string | undefined> {
    const known = this.#flows.get(flow)
    const open = known ?? (await this.#open(flow))
    if (known === undefined && (await this.#log.written(flow, seed)) !== undefined) return undefined
    const { doc, clients, tail } = open
    const mine = clients.get(user)
    const client = mine ?? newClient()
    doc.clientID = client
    const from = Y.getState(doc.store, client)
    const captured = captureEdit(doc, () => mutate(doc))
    if (captured === null) return undefined
    const edit = {
      ...captured,
      // The first edit carries the empty flow it was made on.
      update: tail.revision === 0 ? Y.encodeStateAsUpdate(doc) : captured.update,
      actor: user,
      authors: [user],
      bindings: mine === undefined ? [{ client, user }] : [],
      ranges: [{ client, from, to: Y.getState(doc.store, client) }],
    }
    const author = { seed, actor: user, time, correlation: seed, causation: null }
    try {
      const written = await this.#log.append(flow, tail, edit, firstEventId(seed, flowStream(flow)), author)
      clients.set(user, client)
      open.tail = written
      return written.position
    } catch (error) {
      this.leave(flow)
      throw error
    }
  }

  /** Call when another writer may have changed the flow. */
  leave(flow: string): void {
    this.#flows.get(flow)?.doc.destroy()
    this.#flows.delete(flow)
  }

  async #open(flow: string): Promise<Open> {
    const { doc, revision, hash } = await this.#log.load(flow)
    const open = { doc, clients: new Map<string, number>(), tail: { revision, hash } }
    this.#flows.set(flow, open)
    return open
  }
}

const newClient = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
