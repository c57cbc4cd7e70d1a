import type { AnswerOf } from '#schemas/api/routes.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Problem, RefusedRecord } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'

export type ImportResult = AnswerOf<'POST /{entity}/import'>
/** Outcome of one record of the file. */
export type ImportItem = NonNullable<ImportResult['items']>[number]

/** Limit of the API. */
export const MAX_IMPORT_BYTES = 1_048_576

export interface ImportSource {
  readonly entity: EntityDeclaration
  /** The parent of the listed rows: default for records without one. */
  readonly fixed: Readonly<Record<string, string>>
  readonly file: Blob
  /** The same key again writes nothing more. */
  readonly key: string
}

const send = ({ entity, fixed, file }: ImportSource, key: string, isDryRun: boolean) => {
  const parent = parentField(entity)
  // Systems name the type of a .csv file differently, or not at all.
  return http.sendText('/{entity}/import', new Blob([file], { type: 'text/csv' }), {
    params: { entity: entity.name },
    query: {
      ...(parent !== undefined && fixed[parent] !== undefined ? { [parent]: fixed[parent] } : {}),
      ...(isDryRun ? { dryrun: true } : {}),
    },
    key,
  })
}

/** Result of an import without writing. */
export const dryRun = (source: ImportSource): Promise<ImportResult> => send(source, crypto.randomUUID(), true)

/** Writes all records or none. */
export const applyImport = (source: ImportSource): Promise<ImportResult> => send(source, source.key, false)

const ROW_PATH = /^(\d+)(?:\.(.+))?$/

/** The records that a refused import names, beside the problem or in the paths of its errors. */
export const refusedRecords = (problem: Problem): readonly RefusedRecord[] | undefined => {
  if (problem.refused.length > 0) return problem.refused
  const rows = problem.errors.flatMap(error => {
    const [, row, path = ''] = ROW_PATH.exec(error.path) ?? []
    return row === undefined
      ? []
      : [{ row: Number(row), error: { path, code: error.code, message: error.message ?? error.code } }]
  })
  if (rows.length === 0) return undefined
  return [...Map.groupBy(rows, ({ row }) => row)].map(([row, held]) => ({
    row,
    errors: held.map(({ error }) => error),
  }))
}
