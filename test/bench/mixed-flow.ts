import * as Y from 'yjs'
import { captureEdit } from '#domain/flow/diff/summarize.ts'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode, moveNodes, setTitle } from '#domain/flow/document/edit.ts'
import type { JsonObject } from '#schemas/event.ts'

/** Blocks are added up to here; then they are moved and given titles. */
const BLOCKS = 100
const TYPES = ['text', 'prompt', 'condition', 'restservice', 'marker']

/** A flow that grows by single edits, each as a room writes it. */
export class MixedFlow {
  readonly id: string
  readonly level: string
  readonly #doc: Y.Doc
  readonly #clients = new Map<string, number>()
  readonly #first: number
  #revision = 0
  #blocks = 0

  /** `number` keeps the ids of Yjs clients the same from run to run. */
  constructor(id: string, level: string, number: number) {
    this.id = id
    this.level = level
    this.#first = number * 100
    this.#doc = createFlow()
  }

  /** Data of the next `FlowEdited`. */
  edit(user: string, dice: number, title: string): JsonObject {
    const known = this.#clients.get(user)
    const client = known ?? this.#first + this.#clients.size + 2
    this.#clients.set(user, client)
    this.#doc.clientID = client
    const from = Y.getState(this.#doc.store, client)
    const captured = captureEdit(this.#doc, () => this.#draw(dice, title))
    const update = this.#revision === 0 || captured === null ? Y.encodeStateAsUpdate(this.#doc) : captured.update
    this.#revision += 1
    return {
      update: Buffer.from(update).toString('base64'),
      authors: [user],
      bindings: known === undefined ? [{ client, user }] : [],
      ranges: [{ client, from, to: Y.getState(this.#doc.store, client) }],
      summary: (captured?.summary ?? NOTHING) as unknown as JsonObject,
    }
  }

  #draw(dice: number, title: string): void {
    const x = (dice % 40) * 40
    const y = this.#revision * 20
    if (this.#blocks < BLOCKS && (this.#blocks < 5 || dice < 300)) {
      const type = TYPES[dice % TYPES.length] ?? 'text'
      addNode(this.#doc, { id: `n${this.#blocks++}`, type, title, x, y }, 'bench')
      return
    }
    const id = `n${dice % this.#blocks}`
    if (dice % 3 === 0) setTitle(this.#doc, id, title, 'bench')
    else moveNodes(this.#doc, new Map([[id, { x, y }]]), 'bench')
  }
}

const NOTHING = { added: [], changed: [], removed: [], links: { added: [], changed: [], removed: [] }, script: false }
