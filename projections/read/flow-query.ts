import type { SQLInputValue } from 'node:sqlite'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { foldText } from '../fold-text.ts'
import type { Comment, CommentThread, FlowMoment, Page, Person, Scope } from '../port.ts'
import type { CommentQuery, FlowCard } from '../query-results.ts'
import { numberOf, type SqlRow, stringOf, textOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import type { ModelReader } from './model-reader.ts'

type PersonOf = (id: string) => Person

/** People looked at for those who may see a flow. */
const LOOKED_AT = 200

const OWNERS = ['dialog', 'handler'] as const

/** Flows: their moments, keyframes, what cards show of them, their comments, and the people to mention there. */
export class FlowQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  flowHistory(
    scope: Scope,
    flow: string,
    query: { after: number; size: number; fold: boolean },
  ): { items: readonly FlowMoment[]; total: number } | undefined {
    if (!this.#mayOpen(scope, flow)) return undefined
    const { statements } = this.#reader
    const row = statements.get('SELECT key, moments, folds FROM flow WHERE id = ?', flow)
    if (row === undefined) return { items: [], total: 0 }
    const from = query.fold ? 'flow_fold' : 'flow_moment'
    const sql = `SELECT * FROM ${from} WHERE flow = ? AND revision > ? ORDER BY revision LIMIT ?`
    const rows = statements.all(sql, numberOf(row, 'key'), query.after, query.size)
    const personOf = this.#reader.acquaintances(scope)
    return {
      items: rows.map(moment => this.#moment(moment, personOf)),
      total: numberOf(row, query.fold ? 'folds' : 'moments'),
    }
  }

  keyframe(flow: string, atMost: number): { revision: number; hash: string; state: Uint8Array } | undefined {
    const row = this.#reader.statements.get(
      `SELECT k.revision, k.hash, k.state FROM flow_keyframe k JOIN flow ON flow.key = k.flow
       WHERE flow.id = ? AND k.revision <= ? ORDER BY k.revision DESC LIMIT 1`,
      flow,
      atMost,
    )
    if (!(row?.state instanceof Uint8Array)) return undefined
    return { revision: numberOf(row, 'revision'), hash: stringOf(row, 'hash'), state: row.state }
  }

  bindings(flow: string): readonly { client: number; user: string }[] {
    const sql = 'SELECT client, user FROM flow_binding WHERE flow = (SELECT key FROM flow WHERE id = ?)'
    return this.#reader.statements
      .all(sql, flow)
      .map(row => ({ client: numberOf(row, 'client'), user: stringOf(row, 'user') }))
  }

  flows(scope: Scope, ids: readonly string[]): readonly FlowCard[] {
    return ids.flatMap(id => (this.#mayOpen(scope, id) ? (this.card(scope, id) ?? []) : []))
  }

  card(scope: Scope, id: string): FlowCard | undefined {
    const row = this.#reader.statements.get(
      `SELECT flow.revision, flow.time, flow.editors, m.blocks, m.data FROM flow
       LEFT JOIN flow_miniature m ON m.flow = flow.key WHERE flow.id = ?`,
      id,
    )
    if (row === undefined) return undefined
    const personOf = this.#reader.acquaintances(scope)
    const editors = JSON.parse(stringOf(row, 'editors')) as { user: string; time: string }[]
    return {
      id,
      revision: numberOf(row, 'revision'),
      time: stringOf(row, 'time'),
      editors: editors.map(({ user, time }) => ({ person: personOf(user), time })),
      blocks: numberOf(row, 'blocks'),
      miniature: JSON.parse(textOf(row, 'data') ?? '[]') as FlowCard['miniature'],
    }
  }

  /** Newest thread first, answers oldest first. A thread is there as long as its first comment or an answer is. */
  comments(
    scope: Scope,
    kind: string,
    flow: string,
    query: CommentQuery,
  ): (Page<CommentThread> & { open: Readonly<Record<string, number>> }) | undefined {
    if (this.#reader.open(scope, kind, flow)?.listed !== 1) return undefined
    const { page, size } = query
    const name = `${kind}comment`
    const { statements } = this.#reader
    const table = tableName(name)
    const answered = `EXISTS (SELECT 1 FROM ${table} answer WHERE answer.f_${name} = thread.id AND answer.listed = 1)`
    const first = `FROM ${table} thread WHERE f_${kind} = ? AND listed = 1 AND f_${name} IS NULL
      AND (f_withdrawn = 0 OR ${answered})`
    const { sql, values } = narrowed(query)
    const total = numberOf(statements.get(`SELECT count(*) AS n ${first} ${sql}`, flow, ...values), 'n')
    const rows = statements.all(
      `SELECT * ${first} ${sql} ORDER BY rid DESC LIMIT ? OFFSET ?`,
      flow,
      ...values,
      size,
      (page - 1) * size,
    )
    const personOf = this.#reader.acquaintances(scope)
    const answers = this.#answers(name, rows, personOf)
    const items = rows.map(row => threadOf(row, answers.get(stringOf(row, 'id')) ?? [], personOf))
    const counts = statements.all(`SELECT f_block, count(*) AS n ${first} AND f_resolved = 0 GROUP BY f_block`, flow)
    const open = Object.fromEntries(counts.map(row => [stringOf(row, 'f_block'), numberOf(row, 'n')]))
    return { items, total, page, size, open }
  }

  #answers(name: string, threads: readonly SqlRow[], personOf: PersonOf): Map<string, Comment[]> {
    const ids = JSON.stringify(threads.map(row => stringOf(row, 'id')))
    const rows = this.#reader.statements.all(
      `SELECT * FROM ${tableName(name)} WHERE f_${name} IN (SELECT value FROM json_each(?)) AND listed = 1 ORDER BY rid`,
      ids,
    )
    const answers = new Map<string, Comment[]>()
    for (const row of rows) {
      const thread = stringOf(row, `f_${name}`)
      answers.set(thread, [...(answers.get(thread) ?? []), commentOf(row, personOf)])
    }
    return answers
  }

  /**
   * Ids of people with their home at the flow's level or above, matches at a word start first, then by username; does
   * not check whether they may read it.
   */
  neighbours(scope: Scope, kind: string, flow: string, search: string): readonly string[] | undefined {
    const row = this.#reader.open(scope, kind, flow)
    if (row?.listed !== 1) return undefined
    const sql = `SELECT id FROM ${tableName('user')}
      WHERE level IN (SELECT ancestor FROM closure WHERE descendant = ?) AND listed = 1 AND f_locked = 0
      AND instr(folded, ?) > 0 ORDER BY instr(' ' || folded, ' ' || ?) = 0, s_username LIMIT ?`
    const begun = foldText(search)
    const found = this.#reader.statements.all(sql, numberOf(row, 'level'), begun, begun, LOOKED_AT)
    return found.map(one => stringOf(one, 'id'))
  }

  #mayOpen(scope: Scope, flow: string): boolean {
    return OWNERS.some(entity => this.#reader.open(scope, entity, flow) !== undefined)
  }

  #moment(row: SqlRow, personOf: (id: string) => Person): FlowMoment {
    const authors = JSON.parse(stringOf(row, 'authors')) as string[]
    const source = textOf(row, 'source')
    return {
      revision: numberOf(row, 'revision'),
      time: stringOf(row, 'time'),
      authors: authors.map(personOf),
      summary: JSON.parse(stringOf(row, 'summary')) as FlowSummary,
      ...(typeof row.first === 'number' ? { first: row.first } : {}),
      ...(source === null ? {} : { source: JSON.parse(source) as JsonObject }),
    }
  }
}

const narrowed = ({ resolved, block }: CommentQuery): { sql: string; values: SQLInputValue[] } => {
  const parts: { sql: string; value: SQLInputValue }[] = []
  if (resolved !== undefined) parts.push({ sql: 'AND f_resolved = ?', value: resolved ? 1 : 0 })
  if (block !== undefined) parts.push({ sql: 'AND f_block = ?', value: block })
  return { sql: parts.map(({ sql }) => sql).join(' '), values: parts.map(({ value }) => value) }
}

const personAt = (row: SqlRow, column: string, personOf: PersonOf): Person | null => {
  const id = textOf(row, column)
  return id === null ? null : personOf(id)
}

const commentOf = (row: SqlRow, personOf: PersonOf): Comment => ({
  id: stringOf(row, 'id'),
  revision: numberOf(row, 'revision'),
  text: stringOf(row, 'f_text'),
  author: personAt(row, 'f_author', personOf),
  mentioned: (JSON.parse(textOf(row, 'f_mentioned') ?? '[]') as string[]).map(personOf),
  created_at: stringOf(row, 'created_at'),
  edited_at: textOf(row, 'f_edited_at'),
})

const threadOf = (row: SqlRow, answers: readonly Comment[], personOf: PersonOf): CommentThread => ({
  ...commentOf(row, personOf),
  block: stringOf(row, 'f_block'),
  withdrawn: row.f_withdrawn === 1,
  resolved: row.f_resolved === 1,
  resolved_by: personAt(row, 'f_resolved_by', personOf),
  resolved_at: textOf(row, 'f_resolved_at'),
  answers,
})
