import type * as Y from 'yjs'
import { z } from 'zod'
import { parseInput } from '#domain/field/validate.ts'
import { captureEdit } from '#domain/flow/diff/summarize.ts'
import type { ChosenHit } from '#domain/flow/text/rewrite-flow.ts'
import { flowRestoreBody } from '#schemas/api/flow-text.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type FlowSource, flowStream } from '#schemas/events/flow.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { type Author, firstEventId } from '../pipeline/append.ts'
import { type Attempt, loadLiveTarget } from '../pipeline/command-context.ts'
import { WrongRevision } from '../store/port.ts'
import { buildFlowDocument, entityHasScript } from './flow-document.ts'
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
        ? { written: mutated((await buildFlowDocument(state)).doc, change, isFirst) }
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

const bodySchema = z.strictObject({ flow: z.unknown() })

/** Replaces a live flow by a file, in place and as one change. Input {flow}, which may be the text
 * of its file; answers {unknown: types[]} besides. */
export const importFlow: Attempt = async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const body = parseInput(bodySchema, run.command.input)
  if (!body.ok) return body
  const { flow = null } = run.command.input
  const text = typeof flow === 'string' ? flow : JSON.stringify(flow)
  const read = await context.flows.work.perform({ do: 'parse', text, hasScript: entityHasScript(run.entity) })
  if (!read.ok) return read
  const { id } = target.value.state
  const { file, script, unknown } = read.value
  const change = { kind: 'file', file, script, origin: 'import' } as const
  const { isStale, ...changed } = await changeFlow(
    context.flows,
    id,
    run.author,
    change,
    { kind: 'import' },
    run.command.only,
  )
  if (isStale) return refused('entity.revision')
  return accepted({ id, ...changed, result: { unknown: [...unknown] } satisfies JsonObject })
}

/**
 * Brings a flow, chosen blocks of it with their links, or chosen fields of those blocks, back as they stood at a
 * revision: one change in place.
 */
export const restoreFlow: Attempt = async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const body = parseInput(flowRestoreBody, run.command.input)
  if (!body.ok) return body
  const { revision, blocks, fields } = flowRestoreBody.parse(body.value)
  if (fields !== undefined && blocks === undefined) {
    return refused('validation.failed', { errors: [{ path: 'blocks', code: 'required' }] })
  }
  const { id } = target.value.state
  const present = await context.flows.revision(id)
  if (revision > present) {
    return refused('validation.failed', { errors: [{ path: 'revision', code: 'toolarge', params: { max: present } }] })
  }
  const past = await context.flows.storedAt(id, revision)
  if (past === undefined) return refused('entity.notfound')
  if (blocks !== undefined) {
    // Blocks that neither moment has; fields need the block in both.
    const { state } = await context.flows.stored(id)
    const missing = await context.flows.work.perform({
      do: 'missing',
      state,
      past,
      blocks,
      inBoth: fields !== undefined,
    })
    const errors = missing.map(index => ({ path: `blocks.${index}`, code: 'reference' as const }))
    if (errors.length > 0) return refused('validation.failed', { errors })
  }
  const hasScript = entityHasScript(run.entity)
  const change = { kind: 'restore', past, hasScript, blocks, fields } as const
  const source = { kind: 'restore', revision } as const
  const { isStale, ...changed } = await changeFlow(context.flows, id, run.author, change, source, run.command.only)
  if (isStale) return refused('entity.revision')
  return accepted({ id, ...changed })
}
