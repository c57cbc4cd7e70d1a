import { z } from 'zod'
import { SummaryFold } from '#domain/flow/diff/fold-summary.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { flowEditedSchema } from '#schemas/events/flow.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { FLOW_LINE_TYPES } from '../query-results.ts'
import { numberOf, type SqlRow, type StatementCache, stringOf, textOf } from '../statement-cache.ts'
import { summaryChanges } from '../summary-changes.ts'
import type { AuditLine, AuditLog } from './audit-log.ts'
import { makeKeyframe, saveKeyframe } from './flow-keyframe.ts'
import type { LevelTree } from './level-tree.ts'
import type { UnplacedNotice } from './notification-projection.ts'
import { mayChangeReferences } from './reference-index.ts'

interface Edit {
  readonly key: number
  readonly entity: string
  readonly changesReferences: boolean
  readonly level: number
  /** Given when a new run of edits began. */
  readonly notice?: UnplacedNotice
}

interface Fold {
  key: number
  first: number
  revision: number
  /** Of its last moment. */
  time: string
  authors: readonly string[]
  readonly summary: SummaryFold
  source: string | null
}

interface Flow {
  readonly key: number
  readonly id: string
  readonly entity: string
  revision: number
  time: string
  seq: number
  keyframe: number
  editors: { user: string; time: string }[]
  moments: number
  folds: number
  fold: Fold | undefined
}

/** As far as it is folded: a summary is written down as it came, with an event that was checked before it was stored. */
const editedSchema = flowEditedSchema
  .omit({ ranges: true })
  .extend({ summary: z.custom<FlowSummary>(summary => typeof summary === 'object' && summary !== null) })
type Edited = z.infer<typeof editedSchema>

const FLOW_PREFIX = 'flow-'
const KEYFRAME_EVERY = 500
const PAUSE = 5 * 60_000
const EDITORS = 8
const REMEMBERED = 2000

/** Action of a command, by the source in its edit; all other sources are edits. */
const ACTION_OF_SOURCE: ReadonlyMap<string, keyof typeof FLOW_LINE_TYPES> = new Map([
  ['restore', 'restored'],
  ['import', 'imported'],
])

/** Folds the edits of flows: moments, runs of edits, keyframes, who edited. `flush` must end every batch. */
export class FlowProjection {
  readonly #statements: StatementCache
  readonly #levels: LevelTree
  readonly #audit: AuditLog
  readonly #isHandler: (id: string) => boolean
  readonly #flows = new Map<string, Flow>()
  readonly #dirty = new Set<Flow>()
  #next: number
  #nextFold: number

  constructor(statements: StatementCache, levels: LevelTree, audit: AuditLog, isHandler: (id: string) => boolean) {
    this.#statements = statements
    this.#levels = levels
    this.#audit = audit
    this.#isHandler = isHandler
    this.#next = numberOf(statements.get('SELECT max(key) AS n FROM flow'), 'n') + 1
    this.#nextFold = numberOf(statements.get('SELECT max(key) AS n FROM flow_fold'), 'n') + 1
  }

  apply(event: StoredEvent, seq: number): Edit | undefined {
    if (event.type !== 'FlowEdited') return undefined
    const edited = editedSchema.parse(event.data)
    const flow = this.#flow(event, event.stream.slice(FLOW_PREFIX.length))
    const update = this.#whole(flow, edited)
    this.#dirty.add(flow)
    if (update === undefined) return undefined
    flow.revision = event.revision
    flow.time = event.time
    flow.seq = seq
    flow.moments += 1
    this.#bind(flow, edited)
    for (const user of edited.authors) {
      flow.editors = [{ user, time: event.time }, ...flow.editors.filter(editor => editor.user !== user)].slice(
        0,
        EDITORS,
      )
    }
    const began = this.#join(flow, event, edited)
    this.#statements.run('INSERT INTO flow_update VALUES (?, ?, ?)', flow.key, event.revision, update)
    if (edited.startsOver === true) {
      saveKeyframe(this.#statements, flow.key, { revision: event.revision, hash: event.hash, state: update })
      flow.keyframe = event.revision
    } else if (event.revision - flow.keyframe >= KEYFRAME_EVERY) {
      makeKeyframe(this.#statements, flow.key, event.revision, event.hash)
      flow.keyframe = event.revision
    }
    const level = this.#level(flow, event)
    const changesReferences = edited.startsOver === true || mayChangeReferences(edited.summary)
    const edit = { key: flow.key, entity: flow.entity, changesReferences, level }
    const isNews = began && flow.moments > 1 && !isQuiet(edited)
    return isNews ? { ...edit, notice: noticeOf(event, edited, flow) } : edit
  }

  /** Revision of a flow's newest whole edit; 0 for what has no flow. */
  revisionOf(id: string): number {
    const known = this.#flows.get(id)
    return known?.revision ?? numberOf(this.#statements.get('SELECT revision FROM flow WHERE id = ?', id), 'revision')
  }

  flush(): void {
    for (const flow of this.#dirty) {
      this.#statements.run(
        `INSERT OR REPLACE INTO flow VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        flow.key,
        flow.id,
        flow.entity,
        flow.revision,
        flow.time,
        flow.seq,
        flow.keyframe,
        JSON.stringify(flow.editors),
        flow.moments,
        flow.folds,
        flow.fold?.key ?? 0,
      )
      if (flow.fold !== undefined) this.#saveFold(flow.key, flow.fold)
    }
    this.#dirty.clear()
    if (this.#flows.size > REMEMBERED) this.#flows.clear()
  }

  #flow(event: StoredEvent, id: string): Flow {
    const known = this.#flows.get(id)
    if (known !== undefined) return known
    const row = this.#statements.get('SELECT * FROM flow WHERE id = ?', id)
    const flow: Flow = {
      key: row === undefined ? this.#next++ : numberOf(row, 'key'),
      id,
      entity: textOf(row, 'entity') ?? (this.#isHandler(id) ? 'handler' : 'dialog'),
      revision: numberOf(row, 'revision'),
      time: textOf(row, 'time') ?? event.time,
      seq: numberOf(row, 'seq'),
      keyframe: numberOf(row, 'keyframe'),
      editors: JSON.parse(textOf(row, 'editors') ?? '[]') as Flow['editors'],
      moments: numberOf(row, 'moments'),
      folds: numberOf(row, 'folds'),
      fold: undefined,
    }
    const fold = row && this.#statements.get('SELECT * FROM flow_fold WHERE key = ?', numberOf(row, 'fold'))
    if (fold !== undefined) flow.fold = foldOf(fold)
    this.#flows.set(id, flow)
    return flow
  }

  /** The update's bytes once all of its parts are there. */
  #whole(flow: Flow, edited: Edited): Uint8Array | undefined {
    if (edited.part === undefined) return Buffer.from(edited.update, 'base64')
    const { group, k, n } = edited.part
    const bytes = Buffer.from(edited.update, 'base64')
    this.#statements.run('INSERT OR REPLACE INTO flow_part VALUES (?, ?, ?, ?)', flow.key, group, k, bytes)
    if (k < n) return undefined
    const sql = 'SELECT data FROM flow_part WHERE flow = ? AND part = ? ORDER BY k'
    const parts = this.#statements.all(sql, flow.key, group)
    this.#statements.run('DELETE FROM flow_part WHERE flow = ?', flow.key)
    if (parts.length < n) return undefined
    return Buffer.concat(parts.flatMap(({ data }) => (data instanceof Uint8Array ? [data] : [])))
  }

  #bind(flow: Flow, edited: Edited): void {
    for (const { client, user } of edited.bindings) {
      this.#statements.run('INSERT OR IGNORE INTO flow_binding VALUES (?, ?, ?)', flow.key, client, user)
    }
  }

  /** Joins the moment to the run of edits it continues. True when it is news: it begins a run, or a command made it. */
  #join(flow: Flow, event: StoredEvent, edited: Edited): boolean {
    const source = edited.source === undefined ? null : JSON.stringify(edited.source)
    const authors = authorsOf(event, edited)
    const open = flow.fold
    const joined = open !== undefined && goesOn(open, event, authors, source) ? open : undefined
    if (joined !== undefined) {
      joined.revision = event.revision
      joined.time = event.time
      joined.summary.add(edited.summary)
    } else if (open !== undefined) this.#saveFold(flow.key, open)
    const fold = joined ?? this.#begin(flow, event, { authors, summary: new SummaryFold().add(edited.summary), source })
    const kind = edited.source?.kind
    if (source !== null) this.#lines(flow, event, authors, { changes: summaryChanges(edited.summary), source }, kind)
    else if (joined === undefined) this.#lines(flow, event, authors, { changes: [], fold: fold.key })
    this.#statements.run(
      'INSERT INTO flow_moment VALUES (?, ?, ?, ?, ?, ?, ?)',
      flow.key,
      event.revision,
      fold.key,
      event.time,
      JSON.stringify(authors),
      JSON.stringify(edited.summary),
      source,
    )
    return joined === undefined || source !== null
  }

  #begin(flow: Flow, event: StoredEvent, what: Pick<Fold, 'authors' | 'summary' | 'source'>): Fold {
    const { revision, time } = event
    const fold = { key: this.#nextFold, first: revision, revision, time, ...what }
    this.#nextFold += 1
    flow.fold = fold
    flow.folds += 1
    return fold
  }

  /** One line in the audit for each person: one for a run of drawing, one for each command that changed the flow. */
  #lines(
    flow: Flow,
    event: StoredEvent,
    authors: readonly string[],
    what: Pick<AuditLine, 'changes' | 'fold' | 'source'>,
    kind?: string,
  ): void {
    const { time, revision } = event
    const action = ACTION_OF_SOURCE.get(kind ?? '') ?? 'edited'
    const origin = event.causation
    const type = FLOW_LINE_TYPES[action]
    const line = { time, entity: flow.entity, id: flow.id, type, action, revision, origin, ...what }
    const level = this.#level(flow, event)
    for (const actor of authors.length === 0 ? [null] : authors) this.#audit.add({ ...line, level, actor })
  }

  #level(flow: Flow, event: StoredEvent): number {
    return this.#audit.levelOf(flow.entity, flow.id) ?? this.#levels.key(event.level)
  }

  #saveFold(flow: number, fold: Fold): void {
    this.#statements.run(
      'INSERT OR REPLACE INTO flow_fold VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      fold.key,
      flow,
      fold.first,
      fold.revision,
      fold.time,
      JSON.stringify(fold.authors),
      JSON.stringify(fold.summary.summary),
      fold.source,
    )
  }
}

/** Another event gives the notice, or there is no news. */
const isQuiet = ({ source }: Edited): boolean =>
  source !== undefined && !['restore', 'import', 'replace'].includes(source.kind)

/** Drawing by the same people, or the same command again, without a pause. */
const goesOn = (open: Fold, event: StoredEvent, authors: readonly string[], source: string | null): boolean =>
  source === open.source && Date.parse(event.time) - Date.parse(open.time) < PAUSE && sameMembers(open.authors, authors)

const authorsOf = (event: StoredEvent, edited: Edited): readonly string[] =>
  edited.authors.length === 0 && event.actor !== null ? [event.actor] : edited.authors

const sameMembers = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every(item => other.includes(item))

const foldOf = (row: SqlRow): Fold => ({
  key: numberOf(row, 'key'),
  first: numberOf(row, 'first'),
  revision: numberOf(row, 'revision'),
  time: stringOf(row, 'time'),
  authors: JSON.parse(stringOf(row, 'authors')) as string[],
  summary: new SummaryFold().add(JSON.parse(stringOf(row, 'summary')) as FlowSummary),
  source: textOf(row, 'source'),
})

const noticeOf = (event: StoredEvent, edited: Edited, flow: Flow): UnplacedNotice => ({
  id: event.id,
  message: `${flow.entity}.updated`,
  params: {},
  time: event.time,
  notificationType: 'info',
  entity: flow.entity,
  entityid: flow.id,
  actors: authorsOf(event, edited),
})
