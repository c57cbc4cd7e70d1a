import { csvRecord } from '#domain/csv/cell.ts'
import type { ImportedTest, ImportedTests } from './imported-test.ts'
import { readStories } from './read-stories.ts'
import { readTranscript } from './read-transcript.ts'

const STORIES = /^(?:stories|rules)\s*:/mu

/** Tests of a file other than `parley-test`: format detected by content, tables by file extension. */
export const readImport = (source: string, fileName: string, bot: string): ImportedTests => {
  const text = source.replace(/^\uFEFF/u, '')
  if (STORIES.test(text)) return readStories(text)
  const name = fileName.replace(/\.[^.]+$/u, '')
  return readTranscript(text, { name, bot, isTable: /\.(?:csv|tsv)$/iu.test(fileName) })
}

/** The tests as records that the entity's import takes. */
export const importRecords = (tests: readonly Pick<ImportedTest, 'name' | 'file'>[]): string =>
  [['name', 'source', 'file'], ...tests.map(({ name, file }) => [name, 'import', file])].map(csvRecord).join('')
