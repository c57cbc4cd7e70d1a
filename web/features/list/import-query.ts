import { api } from '#web/api/client.ts'
import type { Problem, ToldError } from '#web/api/problem.ts'
import type { Change } from '#web/entity/entity-query.ts'

type ImportOutcome = 'created' | 'changed' | 'unchanged'

/** What becomes of one row of the file. `row` counts records after the header, from 1. */
export interface ImportedRow {
  readonly row: number
  readonly outcome: ImportOutcome
  readonly title?: string
  readonly changes?: readonly Change[]
}

export interface RefusedImport {
  readonly row: number
  readonly errors: readonly ToldError[]
}

export interface ImportResult {
  readonly rows: number
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: readonly RefusedImport[]
  readonly items?: readonly ImportedRow[]
}

/** Limit of the API. */
export const MAX_IMPORT_BYTES = 1_048_576

const send = (entity: string, file: Blob, dryrun: boolean, key: string) =>
  // Systems name the type of a .csv file differently, or not at all.
  api.post<ImportResult>(`/${entity}/import`, new Blob([file], { type: 'text/csv' }), {
    query: dryrun ? { dryrun } : {},
    key,
  })

/** What an import would do; nothing is written. */
export const dryRun = (entity: string, file: Blob): Promise<ImportResult> =>
  send(entity, file, true, crypto.randomUUID())

/** Writes all rows or none. The same key again writes nothing more. */
export const applyImport = (entity: string, file: Blob, key: string): Promise<ImportResult> =>
  send(entity, file, false, key)

const ROW_PATH = /^(\d+)(?:\.(.+))?$/

/** The rows that a refused import names: as `refused` beside the problem, or in the paths of its errors. */
export const refusedOf = (problem: Problem): readonly RefusedImport[] | undefined => {
  const { refused } = problem.params
  if (Array.isArray(refused)) return refused as readonly RefusedImport[]
  const rows = problem.errors.flatMap(error => {
    const [, row, path = ''] = ROW_PATH.exec(error.path) ?? []
    return row === undefined ? [] : [{ row: Number(row), error: { ...error, path } }]
  })
  if (rows.length === 0) return undefined
  return [...Map.groupBy(rows, ({ row }) => row)].map(([row, held]) => ({
    row,
    errors: held.map(({ error }) => error),
  }))
}
