import type * as Y from 'yjs'
import { captureEdit } from '#domain/flow/document/capture-edit.ts'
import type { ChosenHit } from '#domain/flow/text/rewrite-flow.ts'
import { type FlowSource, flowStream } from '#schemas/events/flow.ts'
import type { Author } from '../pipeline/author.ts'
import { firstEventId } from '../pipeline/event-id.ts'
import { WrongRevision } from '../store/port.ts'
import { documentOf } from './document-of.ts'
import { type FlowChange, type FlowWritten, written } from './flow-job.ts'
import type { FlowEdit, FlowLog } from './flow-log.ts'

/**
 * Changes a document in place, synchronously, so keep it short; derive the change from the document alone, since it may
 * run again.
 */
type Mutate = (doc: Y.Doc) => void

interface FlowChanged {
  readonly revision: number
  /** Absent when the flow already was as wanted: nothing was written. */
  readonly position?: string
  /** Hits that were to be replaced and no longer stood there. */
  readonly left?: readonly ChosenHit[]
  /** The flow was not at the revision at which alone it was to be changed: nothing was written. */
  readonly isStale?: true
}

/**
 * One change of a flow by a command, as one edit after the exact end of its log, found out again on a conflict. A change
 * that is data keeps nobody waiting, however large the flow.
 */
export const changeFlow = async (
  log: Pick<FlowLog, 'stored' | 'work' | 'append' | 'written'>,
  flow: string,
  author: Author,
  change: FlowChange | Mutate,
  source?: FlowSource,
  only?: number,
): Promise<FlowChanged> => {
  const id = firstEventId(author.seed, flowStream(flow))
  for (;;) {
    const { state, revision, hash } = await log.stored(flow)
    const head = { revision, hash }
    // Another node may have carried the same out, and others may have drawn since.
    const earlier = author.isSole === true ? undefined : await log.written(flow, author.seed)
    if (earlier !== undefined) return { revision: earlier.revision, position: earlier.position }
    if (only !== undefined && only !== revision) return { revision, isStale: true }
    const isFirst = revision === 0
    const { written: made, ...passed } =
      typeof change === 'function'
        ? { written: mutated((await documentOf(state)).doc, change, isFirst) }
        : await log.work.perform({ do: 'change', state, change, isFirst })
    if (made === null) return { revision, ...passed }
    const { update, summary, client, clock, startsOver } = made
    const edit: FlowEdit = {
      update,
      summary,
      actor: author.actor,
      authors: author.actor === null ? [] : [author.actor],
      bindings: author.actor === null ? [] : [{ client, user: author.actor }],
      ranges: [{ client, from: 0, to: clock }],
      ...(source === undefined ? {} : { source }),
      ...(startsOver === undefined ? {} : { startsOver }),
    }
    try {
      const { revision: reached, position } = await log.append(flow, head, edit, id, author)
      return { revision: reached, position, ...passed }
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}

/** Uses the document up. */
const mutated = (doc: Y.Doc, mutate: Mutate, isFirst: boolean): FlowWritten | null => {
  const captured = captureEdit(doc, () => mutate(doc))
  const made = captured === null ? null : written(doc, captured, isFirst)
  doc.destroy()
  return made
}
