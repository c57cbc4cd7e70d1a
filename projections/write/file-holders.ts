import { fileIdsIn } from '#domain/field/file-values.ts'
import type { Json } from '#schemas/event.ts'
import type { StatementCache } from '../statement-cache.ts'
import type { Column, Table } from '../table.ts'

/** Things that hold or held a file: a reader of one of them may read the file. */
export class FileHolders {
  readonly #statements: StatementCache

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  add(table: Table, column: Column, id: string, value: Json): void {
    for (const file of fileIdsIn(column.kind, value))
      this.#statements.run('INSERT OR IGNORE INTO file_holder VALUES (?, ?, ?)', file, table.name, id)
  }
}
