import * as Y from 'yjs'
import type { ExpressionSettings, ParserName } from '#domain/expression/engine.ts'
import { openEngines } from '#domain/expression/template-check.ts'
import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import { captureEdit } from '#domain/flow/diff/summarize.ts'
import { createFlow, nodesOf, scriptOf } from '#domain/flow/document/document.ts'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { type Reference, referencesOf } from '#domain/flow/graph/references.ts'
import { lintExpressions } from '#domain/flow/lint/lint-expression.ts'
import { type LintContext, lintError, lintFlow } from '#domain/flow/lint/lint-flow.ts'
import { finderOf, type TextPattern } from '#domain/flow/text/find-text.ts'
import { type ChosenHit, renameInFlow, replaceInFlow } from '#domain/flow/text/rewrite-flow.ts'
import type { Renaming } from '#domain/flow/variable/variable-use.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { type FlowSummary, NO_CHANGES } from '#schemas/flow/summary.ts'
import { jsonEqual } from '#schemas/json.ts'
import type { FieldError, Result } from '#schemas/refusal.ts'
import { type ContentCache, createContentCache, flowContent, readablePart, shortSummary } from './flow-content.ts'
import { patchDocument, restoreDocument } from './flow-document.ts'
import { type FlowQuery, type FlowQueryResult, runFlowQuery } from './flow-query.ts'
import { type Drawing, type ReadFlowFile, readDrawing, readFlowFile } from './read-flow-file.ts'

/** Yjs updates, v1 encoding, that together are a flow as it stood at one moment. */
export type FlowState = readonly Uint8Array[]

/** A change of a flow as plain data, derived from the document alone: a conflict may repeat it. */
export type FlowChange =
  | {
      readonly kind: 'file'
      /** As JSON where it was read as that. */
      readonly file: FlowFile | string
      /** A handler's code; without it the code stays. */
      readonly script?: string | undefined
      readonly origin: 'import'
    }
  | (Drawing & {
      readonly kind: 'drawing'
      readonly hasScript: boolean
      readonly origin: 'version' | 'duplicate' | 'preview'
    })
  | {
      readonly kind: 'restore'
      readonly past: FlowState
      readonly hasScript: boolean
      readonly blocks?: readonly string[] | undefined
      /** Of these blocks. */
      readonly fields?: readonly string[] | undefined
    }
  | { readonly kind: 'rename'; readonly renaming: Renaming; readonly parser: ParserName }
  | {
      readonly kind: 'replace'
      readonly wanted: TextPattern
      readonly by: string
      readonly hits: readonly ChosenHit[]
      readonly parser: ParserName
    }

/** Result of a change, as one edit of one Yjs client. */
export interface FlowWritten {
  readonly update: Uint8Array
  readonly summary: FlowSummary
  readonly client: number
  /** Clock of that client behind the edit. */
  readonly clock: number
  /** The update is the whole document: the flow's earlier content takes too long to integrate. */
  readonly startsOver?: true
}

interface FlowMade {
  /** Null when the flow already is as wanted. */
  readonly written: FlowWritten | null
  /** Hits to replace that no longer exist. */
  readonly left?: readonly ChosenHit[]
}

/** Work on whole flows, as plain data, so that it can be done in another thread. */
export type FlowJob =
  /** `isFirst`: nothing of the flow is stored yet, the edit carries the empty flow as well. */
  | { readonly do: 'change'; readonly state: FlowState; readonly change: FlowChange; readonly isFirst: boolean }
  /** Without a state it is answered from the cache or, where that has no such content, not at all. */
  | {
      readonly do: 'look'
      readonly flow: string
      readonly revision: number
      readonly state?: FlowState
      readonly look: FlowQuery
      readonly timeMs: number
    }
  | { readonly do: 'parse'; readonly text: string; readonly hasScript: boolean }
  | { readonly do: 'merge'; readonly state: FlowState }
  | { readonly do: 'references'; readonly state: FlowState }
  | {
      readonly do: 'review'
      readonly state: FlowState
      readonly known: LintContext
      readonly settings: ExpressionSettings
    }
  | { readonly do: 'file'; readonly state: FlowState; readonly hasScript: boolean }
  | {
      readonly do: 'members'
      readonly state: FlowState
      /** Published state; null: not published. If absent, the result has no `release`. */
      readonly released?: FlowState | null
      readonly hasScript: boolean
    }
  | { readonly do: 'difference'; readonly before: FlowState; readonly after: FlowState }
  | {
      readonly do: 'missing'
      readonly state: FlowState
      readonly past: FlowState
      readonly blocks: readonly string[]
      readonly inBoth: boolean
    }

/** Errors that stop publishing. */
interface FlowErrors {
  readonly errors: number
  /** The first of them. */
  readonly faults: readonly FieldError[]
}

export interface FlowJobResults {
  readonly change: FlowMade
  readonly look: FlowQueryResult | undefined
  readonly parse: Result<ReadFlowFile>
  /** The whole state as one update. */
  readonly merge: Uint8Array
  /** Targets outside the flow, each once. */
  readonly references: readonly Reference[]
  /** The errors that the designer shows in it. */
  readonly review: FlowErrors
  /** JSON of the flow file; a handler's has its code in `js`. */
  readonly file: string
  /** UTF-8 of the members `flow`, `js` of a handler, and `release` as JSON, without braces. */
  readonly members: Uint8Array
  /** JSON of the difference. */
  readonly difference: string
  /** Places in `blocks` of those that neither moment has, or not both. */
  readonly missing: readonly number[]
}

/** Does one job, in one go: large ones do not belong on the thread of rooms and requests. */
export const performFlowJob = async <J extends FlowJob>(
  job: J,
  contents: ContentCache = createContentCache(),
): Promise<FlowJobResults[J['do']]> => (await perform(job, contents)) as FlowJobResults[J['do']]

const perform = async (job: FlowJob, contents: ContentCache): Promise<FlowJobResults[FlowJob['do']]> => {
  switch (job.do) {
    case 'change':
      return changed(job.state, await editOf(job.change), job)
    case 'look':
      return looked(job, contents)
    case 'parse':
      return readFlowFile(job.text, job.hasScript)
    case 'merge':
      return using(job.state, doc => Y.encodeStateAsUpdate(doc))
    case 'references':
      return referencesIn(job.state)
    case 'review':
      return reviewed(job)
    case 'file':
      return using(job.state, doc => {
        const file = exportFlow(doc)
        return JSON.stringify(job.hasScript ? { ...file, js: scriptOf(doc).toString() } : file)
      })
    case 'members':
      return new TextEncoder().encode(JSON.stringify(membersOf(job)).slice(1, -1))
    case 'difference':
      return JSON.stringify(diffFlows(using(job.before, exportFlow), using(job.after, exportFlow)))
    case 'missing':
      return missing(job)
    default:
      return job satisfies never
  }
}

const membersOf = ({ state, released, hasScript }: Extract<FlowJob, { do: 'members' }>): JsonObject => {
  const membersAt = (moment: FlowState) =>
    using(moment, (doc): Readonly<Record<string, Json>> => {
      const flow = exportFlow(doc) as unknown as Json
      return hasScript ? { flow, js: scriptOf(doc).toString() } : { flow }
    })
  const drawn = membersAt(state)
  if (released === undefined) return drawn
  if (released === null) return { ...drawn, release: null }
  const others = Object.entries(released === state ? {} : membersAt(released))
  // Members that are as they are drawn are left out.
  return {
    ...drawn,
    release: Object.fromEntries(others.filter(([name, value]) => !jsonEqual(value, drawn[name] ?? null))),
  }
}

const looked = async (
  { flow, revision, state, look, timeMs }: Extract<FlowJob, { do: 'look' }>,
  contents: ContentCache,
): Promise<FlowQueryResult | undefined> => {
  const end = performance.now() + timeMs
  const known = contents.get(flow, revision)
  if (known === undefined && state === undefined) return undefined
  const content = known ?? flowContent(state ?? [])
  if (known === undefined) contents.set(flow, revision, content)
  return runFlowQuery(content, look, end)
}

const using = <T>(state: FlowState, read: (doc: Y.Doc) => T): T => {
  const doc = createFlow(...state)
  try {
    return read(doc)
  } finally {
    doc.destroy()
  }
}

/** Applies the change to a document; returns the hits it skips. */
type Edit = (doc: Y.Doc) => readonly ChosenHit[] | undefined

const editOf = async (change: FlowChange): Promise<Edit> => {
  switch (change.kind) {
    case 'file': {
      const { file, script, origin } = change
      const read = typeof file === 'string' ? (JSON.parse(file) as FlowFile) : file
      return doc => void patchDocument(doc, read, script, origin)
    }
    case 'drawing': {
      const { file, script } = readDrawing(change)
      return doc => void patchDocument(doc, file, change.hasScript ? script : undefined, change.origin)
    }
    case 'restore': {
      const past = using(change.past, fileAndScript)
      return doc => void restoreDocument(doc, change, past)
    }
    case 'rename': {
      const { renaming, parser } = change
      const engines = await openEngines([parser, 'JSONPath'])
      return doc => void renameInFlow(doc, renaming, parser, engines, 'rename')
    }
    case 'replace': {
      const { wanted, by, hits, parser } = change
      return doc => replaceInFlow(doc, { find: finderOf(wanted), by, hits }, parser, 'replace')
    }
    default:
      return change satisfies never
  }
}

const changed = (
  state: FlowState,
  edit: Edit,
  { change, isFirst }: { readonly change: FlowChange; readonly isFirst: boolean },
): FlowMade => {
  try {
    return using(state, doc => changedIn(doc, edit, change, isFirst))
  } catch (error) {
    if (!(error instanceof TooCostly) || !isWhole(change)) throw error
    return using(readablePart(state), doc => startedOver(doc, changedIn(doc, edit, change, true).written))
  }
}

/** Whether a change says what the whole flow is from then on, so that it needs nothing of a flow that cannot be read. */
const isWhole = (change: FlowChange): boolean =>
  change.kind === 'file' || change.kind === 'drawing'
    ? change.origin !== 'preview'
    : change.kind === 'restore' && change.blocks === undefined

/** The whole document as an edit, also where the change had nothing to do. */
const startedOver = (doc: Y.Doc, made: FlowWritten | null): FlowMade => {
  const edit = { update: Y.encodeStateAsUpdate(doc), summary: made?.summary ?? NO_CHANGES }
  return { written: { ...written(doc, edit, true), startsOver: true } }
}

const changedIn = (doc: Y.Doc, edit: Edit, change: FlowChange, isFirst: boolean): FlowMade => {
  let left: readonly ChosenHit[] | undefined
  const captured = captureEdit(doc, () => {
    left = edit(doc)
  })
  const passed = left === undefined ? {} : { left }
  if (captured === null) return { written: null, ...passed }
  const { update, summary } = captured
  // A preview has the full summary; a stored one must fit into an event.
  const told = 'origin' in change && change.origin === 'preview' ? summary : shortSummary(summary)
  return { written: written(doc, { update, summary: told }, isFirst), ...passed }
}

const referencesIn = (state: FlowState): readonly Reference[] => {
  const all = [...using(state, readFlow).nodes.values()].flatMap(referencesOf)
  return [...new Map(all.map(reference => [`${reference.to} ${reference.id}`, reference])).values()]
}

/** Errors named one by one; `errors` counts all. */
const MAX_FAULTS = 50

const reviewed = async ({ state, known, settings }: Extract<FlowJob, { do: 'review' }>): Promise<FlowErrors> => {
  const flow = using(state, readFlow)
  const findings = [...lintFlow(flow, known), ...(await lintExpressions(flow, settings, known))]
  const errors = findings.filter(({ severity }) => severity === 'error')
  return { errors: errors.length, faults: errors.slice(0, MAX_FAULTS).map(found => lintError(flow, found)) }
}

const fileAndScript = (doc: Y.Doc) => ({ file: exportFlow(doc), script: scriptOf(doc).toString() })

/** Result of a captured edit by a document's own client. */
export const written = (
  doc: Y.Doc,
  { update, summary }: { readonly update: Uint8Array; readonly summary: FlowSummary },
  isFirst: boolean,
): FlowWritten => ({
  // The first edit carries the empty flow it was made on.
  update: isFirst ? Y.encodeStateAsUpdate(doc) : update,
  summary,
  client: doc.clientID,
  clock: Y.getState(doc.store, doc.clientID),
})

const missing = ({ state, past, blocks, inBoth }: Extract<FlowJob, { do: 'missing' }>): readonly number[] => {
  const idsOf = (doc: Y.Doc) => new Set(nodesOf(doc).keys())
  const then = using(past, idsOf)
  const now = using(state, idsOf)
  const isThere = (id: string) => (inBoth ? then.has(id) && now.has(id) : then.has(id) || now.has(id))
  return blocks.flatMap((id, index) => (isThere(id) ? [] : [index]))
}
