import type { IndexDatabase } from '../../log/followed-index.ts'
import { MEMBER, type MemberRow, memberOf } from './audience.ts'

/** A row with the number of its audience. */
export interface MemberOfAudience extends MemberRow {
  readonly audience: number
}

/** Rows of several audiences, for segments. */
export class PopulationQueries {
  readonly #sql: IndexDatabase
  readonly #visible: () => number

  /** `visible`: the last place that readers see. */
  constructor(sql: IndexDatabase, visible: () => number) {
    this.#sql = sql
    this.#visible = visible
  }

  /** Numbers of audiences by their campaign or list; planned ones have none of their own. */
  audiencesOf(holders: ReadonlySet<string>): ReadonlyMap<number, string> {
    const rows = this.#sql.all('SELECT number, campaign FROM audience')
    return new Map(
      rows.flatMap(({ number, campaign }) =>
        holders.has(String(campaign)) ? [[Number(number), String(campaign)] as const] : [],
      ),
    )
  }

  /** Rows of several audiences at places in (above, upto], newest first. */
  between(audiences: string, above: number, upto: number): readonly MemberOfAudience[] {
    return this.#sql
      .all(
        `SELECT audience, ${MEMBER} FROM member WHERE place > ? AND place <= ? AND place <= ?
         AND +audience IN (SELECT value FROM json_each(?)) ORDER BY place DESC`,
        ...[above, upto, this.#visible(), audiences],
      )
      .map(row => ({ ...memberOf(row), audience: Number(row.audience) }))
  }

  /** Other rows of a contact in several audiences. */
  othersOf(audiences: string, contact: string, place: number): readonly MemberOfAudience[] {
    return this.#sql
      .all(
        `SELECT audience, ${MEMBER} FROM member WHERE contact = ? AND place <> ? AND place <= ?
         AND audience IN (SELECT value FROM json_each(?)) ORDER BY place DESC`,
        ...[contact, place, this.#visible(), audiences],
      )
      .map(row => ({ ...memberOf(row), audience: Number(row.audience) }))
  }

  /** Number of rows of an audience, and the places of the first and the last. */
  extentOf(audience: number): { readonly rows: number; readonly first: number; readonly last: number } {
    const row = this.#sql.get(
      'SELECT count(*) AS rows, min(place) AS first, max(place) AS last FROM member WHERE audience = ? AND place <= ?',
      ...[audience, this.#visible()],
    )
    return { rows: Number(row?.rows ?? 0), first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) }
  }

  /** Neighbours in an audience, from a place on. */
  runFrom(audience: number, place: number, limit: number): readonly MemberOfAudience[] {
    return this.#sql
      .all(
        `SELECT ${MEMBER} FROM member WHERE audience = ? AND place >= ? AND place <= ? ORDER BY place LIMIT ?`,
        ...[audience, place, this.#visible(), limit],
      )
      .map(row => ({ ...memberOf(row), audience }))
  }
}
