import type * as Y from 'yjs'
import { emptyFlowUpdate } from '#domain/flow/document/document.ts'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { type FlowEdited, flowStream } from '#schemas/events/flow.ts'
import { type FlowSummary, NO_CHANGES } from '#schemas/flow/summary.ts'
import { type Author, append, type Draft, draft, findWrittenEvent, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { follow } from '../store/follow.ts'
import type { EventStore } from '../store/port.ts'
import { shortSummary } from './flow-content.ts'
import { buildFlowDocument } from './flow-document.ts'
import type { FlowState } from './flow-job.ts'
import { type FlowWork, openFlowWork } from './flow-work.ts'
import { type LoggedEdit, readEdits, readSingleEdit } from './logged-edit.ts'

export interface FlowEvent {
  readonly id: string
  readonly revision: number
  readonly hash: string
  /** The edit; undefined for a piece of a larger edit. */
  edit(): LoggedEdit | undefined
}

export interface FlowListener {
  appended(flow: string, event: FlowEvent): void
  lost(): void
  kept(): void
}

const PREFIX = 'flow-'

/** Follows all flows from now on, until the answer of this is called. */
export const followFlows = (store: EventStore, listener: FlowListener): (() => Promise<void>) => {
  let isLost = false
  const lost = () => {
    if (!isLost) listener.lost()
    isLost = true
  }
  const kept = () => {
    if (isLost) listener.kept()
    isLost = false
  }
  const following = follow(store, {
    name: 'flows',
    from: () => store.head(),
    filter: { streamPrefixes: [PREFIX] },
    event(stored) {
      const { stream, id, revision, hash } = stored
      listener.appended(stream.slice(PREFIX.length), { id, revision, hash, edit: () => readSingleEdit(stored) })
    },
    caughtUp: kept,
    recovered: kept,
    interrupted: lost,
    failed: lost,
  })
  return () => following.stop()
}

/** Bytes of a Yjs update in one event: in base64 and with its envelope well under the 1 MiB of an append. */
const PIECE = 600_000
/** Characters of all data beside the update from which it gets its own event. */
const LONG = 150_000

/**
 * The data of the events that one edit becomes: one, or chunks of a group of which only the last carries more than
 * its piece of the update.
 */
const chunked = (group: string, edit: Omit<FlowEdited, 'update' | 'part'>, update: Uint8Array): FlowEdited[] => {
  const rest = JSON.stringify(edit).length
  const bytes = Buffer.from(update)
  if (bytes.length <= PIECE && rest <= LONG) return [{ ...edit, update: bytes.toString('base64') }]
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(bytes.subarray(at, at + PIECE))
  if (rest > LONG || pieces.length === 1) pieces.push(Buffer.alloc(0))
  const n = pieces.length
  return pieces.map((piece, index) => ({
    ...(index === n - 1 ? edit : EMPTY),
    update: piece.toString('base64'),
    part: { group, k: index + 1, n },
  }))
}

const EMPTY: Omit<FlowEdited, 'update' | 'part'> = {
  authors: [],
  bindings: [],
  ranges: [],
  summary: NO_CHANGES,
}

/** Bytes from which on taking an edit into a large document keeps a thread busy: some thousand changed texts. */
const LARGE_EDIT = 30_000

/** Whether an edit is put together with its flow elsewhere than on the thread of rooms and requests. */
export const isLargeEdit = (update: Uint8Array): boolean => update.byteLength > LARGE_EDIT

/** A flow's document frozen at a revision, from the read models; without it the log is read from its start. */
interface Keyframe extends Tail {
  /** Yjs state, v1 update encoding. */
  readonly state: Uint8Array
  /** Client ids bound to users so far; without them they are read from the log. */
  readonly bindings?: FlowEdited['bindings']
}

/** A flow as the log holds it, without a document made of it. */
interface StoredFlow extends Tail {
  readonly state: FlowState
  /** Yjs client ids that are bound to a user for good. */
  readonly bindings: ReadonlyMap<number, string>
  /** Up to which revision it holds everything: less than `revision` while pieces of an edit are still coming. */
  readonly complete: number
}

export interface LoadedFlow extends Omit<StoredFlow, 'state'> {
  readonly doc: Y.Doc
  /** Steps needed to open the document (domain/flow/document/integration-cost.ts). */
  readonly steps?: number
}

export type FlowEdit = Omit<FlowEdited, 'update' | 'part' | 'summary'> & {
  readonly summary: FlowSummary
  readonly update: Uint8Array
  readonly actor: string | null
}

/** The flows as the log holds them. Errors are those of the store port. */
export interface FlowLog {
  readonly work: FlowWork
  /** As it is now; an empty flow at revision 0 when nothing was drawn yet. */
  stored(flow: string): Promise<StoredFlow>
  /** As it stood at a revision; undefined when there was no such revision. */
  storedAt(flow: string, revision: number): Promise<FlowState | undefined>
  /** `stored` as a document, which is the caller's to destroy. */
  load(flow: string): Promise<LoadedFlow>
  /** `storedAt` as a document. */
  at(flow: string, revision: number): Promise<Y.Doc | undefined>
  revision(flow: string): Promise<number>
  /** `stored` as one update, put together in another thread where it is large. */
  whole(flow: string): Promise<{ readonly state: Uint8Array; readonly complete: number }>
  /** Edits after `revision`, complete groups only. */
  since(flow: string, revision: number): AsyncIterable<LoggedEdit>
  /** Event written by a command or a step, in any process. */
  written(flow: string, seed: string): Promise<Pick<StoredEvent, 'revision' | 'position'> | undefined>
  /**
   * `id` is that of the event which completes the edit; pieces before it get their own. Throws WrongRevision when another
   * writer came first. Without an author nobody else has the id.
   */
  append(flow: string, at: Tail, edit: FlowEdit, id: string, author?: Author): Promise<Tail & { position: string }>
  /** Reports each event of any flow in log order; `lost` when following fails, `kept` when it works again. */
  follow(listener: FlowListener): () => Promise<void>
}

export interface FlowLogOptions {
  readonly store: EventStore
  /** Newest keyframe at or before a revision. */
  readonly keyframe: (flow: string, atMost: number) => Promise<Keyframe | undefined>
  /** Level of the dialog or handler whose flow it is. */
  readonly levelOf: (flow: string) => Promise<string | null>
  readonly now?: () => Date
  readonly work?: FlowWork
}

/** Versions of `FlowEdited`: an ordinary edit is written as every version of the program reads it. */
const EDIT_VERSION = 1
const STARTS_OVER_VERSION = 2
/** Flows that cannot be opened and are remembered as such. */
const MAX_COSTLY = 1_000

export const createFlowLog = (options: FlowLogOptions): FlowLog => {
  const { store, keyframe, levelOf, now = () => new Date(), work = openFlowWork() } = options

  /** A keyframe made from another log (a backup was restored since) does not count. */
  const trusted = async (flow: string, atMost: number): Promise<Keyframe | undefined> => {
    const frame = await keyframe(flow, atMost)
    if (frame === undefined || frame.revision > atMost) return undefined
    for await (const event of store.read(flowStream(flow), { from: frame.revision, limit: 1 })) {
      return event.revision === frame.revision && event.hash === frame.hash ? frame : undefined
    }
    return undefined
  }

  const read = async (flow: string, atMost: number): Promise<StoredFlow> => {
    const frame = await trusted(flow, atMost)
    const bindings = new Map<number, string>()
    const learn = (bound: FlowEdited['bindings']) => {
      for (const { client, user } of bound) bindings.set(client, user)
    }
    if (frame !== undefined) learn(frame.bindings ?? (await bindingsUpTo(store, flow, frame.revision)))
    let tail: Tail = frame ?? NO_STREAM
    // Every document begins with the same first struct, so that nobody ever has it to send.
    let state = [emptyFlowUpdate(), ...(frame === undefined ? [] : [frame.state])]
    let complete = tail.revision
    for await (const edit of readEdits(store, flow, tail.revision, atMost)) {
      if (edit.startsOver === true) state = [emptyFlowUpdate()]
      state.push(edit.update)
      learn(edit.bindings)
      tail = edit
      if (edit.isCut !== true) complete = edit.revision
    }
    return { state, bindings, revision: tail.revision, hash: tail.hash, complete }
  }

  /** Hash of the last event at which a flow failed to open: later calls fail at once. */
  const costly = new Map<string, string>()
  const remember = (flow: string, hash: string) => {
    if (costly.size >= MAX_COSTLY) costly.clear()
    costly.set(flow, hash)
  }

  const storedAt = async (flow: string, revision: number): Promise<FlowState | undefined> => {
    const { state, revision: reached } = await read(flow, revision)
    return reached === revision || (await store.revision(flowStream(flow))) >= revision ? state : undefined
  }

  const draftsOf = async (flow: string, edit: FlowEdit, id: string, author: Author | undefined) => {
    const { actor, update, ...rest } = { ...edit, summary: shortSummary(edit.summary) }
    const time = author?.time ?? now().toISOString()
    const by: Author = {
      seed: '',
      actor,
      time,
      correlation: author?.correlation ?? id,
      causation: author?.causation ?? null,
    }
    const level = await levelOf(flow)
    const pieces = chunked(crypto.randomUUID(), rest as Omit<FlowEdited, 'update' | 'part'>, update)
    return pieces.map(
      (data, index): Draft => ({
        ...draft(by, '', 'FlowEdited', level, data as FlowEdited & Draft['data']),
        version: edit.startsOver === true ? STARTS_OVER_VERSION : EDIT_VERSION,
        id: index === pieces.length - 1 ? id : crypto.randomUUID(),
      }),
    )
  }

  return {
    work,
    stored: flow => read(flow, Number.POSITIVE_INFINITY),
    storedAt,
    async whole(flow) {
      const { state, complete } = await read(flow, Number.POSITIVE_INFINITY)
      return { state: await work.perform({ do: 'merge', state }), complete }
    },
    async load(flow) {
      const { state, ...stored } = await read(flow, Number.POSITIVE_INFINITY)
      if (costly.get(flow) === stored.hash) throw new TooCostly()
      const isHeavy = state.filter(isLargeEdit).length > 1
      try {
        const ready = isHeavy ? [await work.perform({ do: 'merge', state })] : state
        return { ...stored, ...(await buildFlowDocument(ready)) }
      } catch (error) {
        if (error instanceof TooCostly) remember(flow, stored.hash)
        throw error
      }
    },
    async at(flow, revision) {
      const state = await storedAt(flow, revision)
      return state === undefined ? undefined : (await buildFlowDocument(state)).doc
    },
    revision: flow => store.revision(flowStream(flow)),
    since: (flow, revision) => readEdits(store, flow, revision),
    written: (flow, seed) => findWrittenEvent(store, seed, flowStream(flow)),
    async append(flow, at, edit, id, author) {
      let written = { ...at, position: '' }
      for (const piece of await draftsOf(flow, edit, id, author)) {
        written = await append(store, flowStream(flow), written, [piece])
      }
      return written
    },
    follow: listener => followFlows(store, listener),
  }
}

const bindingsUpTo = async (store: EventStore, flow: string, revision: number): Promise<FlowEdited['bindings']> => {
  const found: FlowEdited['bindings'] = []
  for await (const edit of readEdits(store, flow, 0, revision)) found.push(...edit.bindings)
  return found
}
