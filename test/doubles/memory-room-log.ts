import * as Y from 'yjs'
import type { FlowEdit, FlowListener } from '#commands/flow/flow-log.ts'
import type { LoggedEdit } from '#commands/flow/logged-edit.ts'
import { WrongRevision } from '#commands/store/port.ts'
import type { RoomLog } from '#realtime/room.ts'

/** A log of flows in memory whose appends can be held back, failed, or overtaken by another writer. Test code only. */
export class MemoryRoomLog implements RoomLog {
  readonly edits = new Map<string, (LoggedEdit & { readonly edit: FlowEdit })[]>()
  /** Runs before each append: throw to fail it, wait to hold it back. */
  beforeAppend: () => Promise<void> = async () => {}
  /** Runs between an append and its answer. */
  beforeAnswer: (() => Promise<void>) | undefined
  /** Runs before the whole document is read. */
  beforeWhole: () => Promise<void> = async () => {}
  readonly #listeners = new Set<FlowListener>()

  async load(flow: string) {
    const doc = new Y.Doc()
    const edits = this.#of(flow)
    for (const { update } of edits) Y.applyUpdate(doc, update, 'log')
    const bindings = new Map(
      edits.flatMap(({ edit }) => edit.bindings.map(({ client, user }) => [client, user] as const)),
    )
    return { doc, bindings, revision: edits.length, hash: String(edits.length), complete: edits.length }
  }

  async whole(flow: string) {
    await this.beforeWhole()
    const { doc, complete } = await this.load(flow)
    return { state: Y.encodeStateAsUpdate(doc), complete }
  }

  async *since(flow: string, revision: number) {
    yield* this.#of(flow).slice(revision)
  }

  async append(flow: string, at: { revision: number }, edit: FlowEdit, id: string) {
    await this.beforeAppend()
    const edits = this.#of(flow)
    if (edits.length !== at.revision) throw new WrongRevision(flow, at.revision, edits.length)
    const written = this.write(flow, edit, [id])
    await this.beforeAnswer?.()
    return written
  }

  /** Another writer's edit, as a command or another node makes it. */
  write(flow: string, edit: FlowEdit, eventIds: readonly string[] = ['foreign']) {
    const edits = this.#of(flow)
    const revision = edits.length + 1
    const logged = { edit, update: edit.update, bindings: edit.bindings, eventIds, revision, hash: String(revision) }
    edits.push(logged)
    const event = { id: eventIds[0] ?? '', revision, hash: logged.hash, edit: () => logged }
    for (const { appended } of this.#listeners) appended(flow, event)
    return { revision, hash: logged.hash, position: String(revision) }
  }

  follow(listener: FlowListener) {
    this.#listeners.add(listener)
    return async () => {
      this.#listeners.delete(listener)
    }
  }

  /** Document of a reader of the log alone. */
  replay(flow: string): Y.Doc {
    const doc = new Y.Doc()
    for (const { update } of this.#of(flow)) Y.applyUpdate(doc, update)
    return doc
  }

  #of(flow: string) {
    const known = this.edits.get(flow) ?? []
    this.edits.set(flow, known)
    return known
  }
}
