import type { IndexDatabase } from '../../log/followed-index.ts'
import {
  entryOf,
  MEMBER,
  type MemberRow,
  memberOf,
  type OptOutEntry,
  type PersonDigests,
  type SuppressionScope,
} from './audience.ts'

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

  /** Places of the first and the last row of several audiences; undefined: they have none. */
  boundsOf(audiences: string): { readonly first: number; readonly last: number } | undefined {
    const row = this.#sql.get(
      `SELECT min(first) AS first, max(last) AS last FROM (
         SELECT (SELECT min(place) FROM member WHERE audience = value AND place <= ?1) AS first,
                (SELECT max(place) FROM member WHERE audience = value AND place <= ?1) AS last FROM json_each(?2))`,
      ...[this.#visible(), audiences],
    )
    return row === undefined || row.first === null ? undefined : { first: Number(row.first), last: Number(row.last) }
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

const marks = (values: readonly string[]): string => values.map(() => '?').join(', ')

/** Entries of opt-out lists, and whether they hold people. */
export class SuppressionQueries {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  /** Whether one of the lists holds a person for a category. */
  isSuppressed(scope: SuppressionScope, person: PersonDigests): boolean {
    return this.sourcesOf(scope, person, 1).length > 0
  }

  /** Opt-outs of people after messages of a campaign, from a moment on (ISO 8601). */
  optOutsOf(campaign: string, since: string): number {
    const row = this.#sql.get(
      `SELECT count(*) AS n FROM optout WHERE kind = 'stop' AND origin ->> 'campaign' = ? AND time >= ?`,
      ...[campaign, since],
    )
    return Number(row?.n ?? 0)
  }

  /** Sources of the suppressions of a person that hold now. */
  sourcesOf({ lists, category }: SuppressionScope, person: PersonDigests, limit = 100): readonly string[] {
    if (person.length === 0) return []
    return this.#sql
      .all(
        // The person comes first: the index on lists would read a whole list for each person.
        `SELECT DISTINCT source FROM optout_person CROSS JOIN optout ON optout.place = optout_person.place
         WHERE digest IN (${marks(person)}) AND active = 1 AND list IN (${marks(lists)}) AND category IN (?, '*')
         LIMIT ?`,
        ...[...person, ...lists, category, limit],
      )
      .map(({ source }) => String(source))
  }

  /** Number of these people, who must differ, that one of the lists holds for a category. */
  countSuppressed({ lists, category }: SuppressionScope, people: readonly PersonDigests[]): number {
    const row = this.#sql.get(
      `SELECT count(DISTINCT given.key) AS n FROM json_each(?) AS given CROSS JOIN json_each(given.value) AS spelling
       CROSS JOIN optout_person ON digest = spelling.value
       CROSS JOIN optout ON optout.place = optout_person.place AND active = 1 AND category IN (?, '*')
       AND list IN (SELECT value FROM json_each(?))`,
      ...[JSON.stringify(people), category, JSON.stringify(lists)],
    )
    return Number(row?.n ?? 0)
  }

  /** Entries of a person in these lists, newest first. */
  historyOf(lists: readonly string[], person: PersonDigests): readonly OptOutEntry[] {
    return this.#sql
      .all(
        `SELECT * FROM optout WHERE +list IN (${marks(lists)})
         AND place IN (SELECT place FROM optout_person WHERE digest IN (${marks(person)}))
         ORDER BY place DESC LIMIT 200`,
        ...[...lists, ...person],
      )
      .map(entryOf)
  }

  /** Entries of the lists that hold now, by source. */
  countsBySource(lists: readonly string[]): readonly { readonly source: string; readonly count: number }[] {
    return this.#sql
      .all(
        `SELECT source, count(*) AS count FROM optout WHERE list IN (${marks(lists)}) AND active = 1 GROUP BY source ORDER BY source`,
        ...lists,
      )
      .map(({ source, count }) => ({ source: String(source), count: Number(count) }))
  }

  /** Active entries of the lists before one, newest first. */
  entriesBelow(lists: readonly string[], place: number, limit: number): readonly OptOutEntry[] {
    return this.#sql
      .all(
        `SELECT * FROM optout WHERE +list IN (${marks(lists)}) AND active = 1 AND place < ? ORDER BY place DESC LIMIT ?`,
        ...[...lists, place, limit],
      )
      .map(entryOf)
  }

  /** Active entries of the lists, newest first. */
  entries(lists: readonly string[], offset: number, limit: number): readonly OptOutEntry[] {
    return this.#sql
      .all(
        `SELECT * FROM optout WHERE list IN (${marks(lists)}) AND active = 1 ORDER BY place DESC LIMIT ? OFFSET ?`,
        ...[...lists, limit, offset],
      )
      .map(entryOf)
  }
}
