import type { JsonObject } from '#schemas/event.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import type { FlowMoment, Person, Scope } from '../port.ts'
import type { FlowCard } from '../query-results.ts'
import { numberOf, type SqlRow, stringOf, textOf } from '../statement-cache.ts'
import type { ModelReader } from './model-reader.ts'

const OWNERS = ['dialog', 'handler'] as const

/** Flows: their moments, keyframes, and what cards show of them. */
export class FlowQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  history(
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

  cards(scope: Scope, ids: readonly string[]): readonly FlowCard[] {
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
