import * as Y from 'yjs'
import { captureEdit } from '#domain/flow/capture-edit.ts'
import { type FlowSource, flowStream } from '#schemas/events/flow.ts'
import type { Author } from '../author.ts'
import { firstEventId } from '../event-id.ts'
import { WrongRevision } from '../store/port.ts'
import type { FlowEdit, FlowLog } from './flow-log.ts'

/** Changes a document in place; what it does must be found out from the document alone, since it may run again. */
export type Mutate = (doc: Y.Doc) => void

export interface FlowChanged {
  readonly revision: number
  /** Absent when the flow already was as wanted: nothing was written. */
  readonly position?: string
}

/** One change of a flow by a command, as one edit after the exact end of its log, found out again on a conflict. */
export const changeFlow = async (
  log: Pick<FlowLog, 'load' | 'append' | 'written'>,
  flow: string,
  author: Author,
  mutate: Mutate,
  source?: FlowSource,
): Promise<FlowChanged> => {
  const id = firstEventId(author.seed, flowStream(flow))
  for (;;) {
    const { doc, revision, hash } = await log.load(flow)
    const head = { revision, hash }
    // Another node may have carried the same out, and others may have drawn since.
    const written = author.isSole === true ? undefined : await log.written(flow, author.seed)
    if (written !== undefined) {
      doc.destroy()
      return { revision: written.revision, position: written.position }
    }
    const captured = captureEdit(doc, () => mutate(doc))
    if (captured === null) return { revision }
    const edit: FlowEdit = {
      ...captured,
      // The first edit carries the empty flow it was made on.
      update: revision === 0 ? Y.encodeStateAsUpdate(doc) : captured.update,
      actor: author.actor,
      authors: author.actor === null ? [] : [author.actor],
      bindings: author.actor === null ? [] : [{ client: doc.clientID, user: author.actor }],
      ranges: [{ client: doc.clientID, from: 0, to: Y.getState(doc.store, doc.clientID) }],
      ...(source === undefined ? {} : { source }),
    }
    doc.destroy()
    try {
      return await log.append(flow, head, edit, id, author)
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}
