import type { Place } from '#domain/public-event.ts'
import type { Scope } from '../port.ts'
import { numberOf, type SqlRow, textOf } from '../statement-cache.ts'
import { columnName, tableName } from '../table.ts'
import type { ModelReader } from './model-reader.ts'

type Ids = Readonly<Record<string, readonly string[]>>

/** Level and bot of things, removed ones included. */
export class PlaceQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** Unknown or unreachable things are absent. */
  places(scope: Scope, ids: Ids): Readonly<Record<string, Readonly<Record<string, Place>>>> {
    return Object.fromEntries(
      Object.entries(ids).map(([entity, wanted]) => [
        entity,
        Object.fromEntries(
          [...new Set(wanted)].flatMap(id => {
            const row = this.#reader.open(scope, entity, id)
            return row === undefined ? [] : [[id, this.#placeOf(entity, id, row)]]
          }),
        ),
      ]),
    )
  }

  #placeOf(entity: string, id: string, row: SqlRow): Place {
    const bot = entity === 'bot' ? id : this.#botOf(entity, row)
    return {
      level: this.#reader.levelId(numberOf(row, 'level')),
      ...(bot === undefined ? {} : { bot }),
      ...(entity === 'user' && row.f_forgotten === 1 ? { isForgotten: true } : {}),
    }
  }

  /** The bot above a thing, by its parents. */
  #botOf(entity: string, row: SqlRow): string | undefined {
    let parent = this.#reader.tables.get(entity)?.parent ?? null
    let below: SqlRow | undefined = row
    while (parent !== null && below !== undefined) {
      const id = textOf(below, columnName(parent))
      if (id === null || parent === 'bot') return id ?? undefined
      below = this.#reader.statements.get(`SELECT * FROM ${tableName(parent)} WHERE id = ?`, id)
      parent = this.#reader.tables.get(parent)?.parent ?? null
    }
    return undefined
  }
}
