import { csvRecord } from '#domain/csv/cell.ts'
import type { ImportedTest } from './imported-test.ts'

/** The tests as records that the entity's import takes. */
export const importRecords = (tests: readonly Pick<ImportedTest, 'name' | 'file'>[]): string =>
  [['name', 'source', 'file'], ...tests.map(({ name, file }) => [name, 'import', file])].map(csvRecord).join('')
