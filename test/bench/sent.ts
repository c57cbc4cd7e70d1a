import { createDecoder, readVarUint8Array } from 'lib0/decoding'
import * as Y from 'yjs'

/** A sent edit. `Who` identifies the sender. */
interface Edit<Who> {
  /** The clock that its structs end at. */
  readonly end: number
  readonly at: number
  readonly who: Who
}

/** Per client: older edits have long been shown. */
const MAX_REMEMBERED = 1000
const READ = 2000

/** When edits were sent, looked up by the messages that show them: a server may put several into one. */
export class Sent<Who> {
  /** By client id. */
  readonly #edits = new Map<number, Edit<Who>[]>()
  /** The same message comes to many sockets and is read once. */
  readonly #read = new Map<string, readonly Edit<Who>[]>()

  add(update: Uint8Array, at: number, who: Who): void {
    for (const [client, end] of Y.parseUpdateMeta(update).to) {
      const edits = this.#edits.get(client) ?? []
      edits.push({ end, at, who })
      if (edits.length > 2 * MAX_REMEMBERED) edits.splice(0, MAX_REMEMBERED)
      this.#edits.set(client, edits)
    }
  }

  in(body: Buffer): readonly Edit<Who>[] {
    const key = body.toString('base64')
    const known = this.#read.get(key) ?? this.#find(readVarUint8Array(createDecoder(body)))
    if (this.#read.size >= READ) this.#read.clear()
    this.#read.set(key, known)
    return known
  }

  #find(update: Uint8Array): readonly Edit<Who>[] {
    const { from, to } = Y.parseUpdateMeta(update)
    return [...to].flatMap(([client, last]) => {
      const edits = this.#edits.get(client) ?? []
      return edits.filter(({ end }) => end > (from.get(client) ?? 0) && end <= last)
    })
  }
}
