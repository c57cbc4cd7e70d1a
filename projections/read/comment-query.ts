import type { SQLInputValue } from 'node:sqlite'
import { foldText } from '../fold-text.ts'
import type { Comment, CommentThread, Page, Person, Scope } from '../port.ts'
import type { CommentQuery } from '../query-results.ts'
import { numberOf, type SqlRow, stringOf, textOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import type { ModelReader } from './model-reader.ts'

type PersonOf = (id: string) => Person

/** People looked at for those who may see a flow. */
const LOOKED_AT = 200

/** Comment threads of a flow, and the people to mention there. */
export class CommentQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
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
