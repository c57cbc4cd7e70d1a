import { testFileErrors } from '#domain/conversation-test/behaviour.ts'
import type { BotNames } from '#domain/conversation-test/check-names.ts'
import { type ImportedTests, readImport } from '#domain/conversation-test/import/read-import.ts'
import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import type { TestGiven } from '#domain/conversation-test/test-schema.ts'
import type { FieldError } from '#schemas/refusal.ts'

interface TestFileInput {
  readonly source: string
  readonly names: BotNames | undefined
}

interface TestFileAnswer {
  readonly errors: readonly FieldError[]
  /** Start of the test; absent for a file that cannot be read. */
  readonly given?: TestGiven
}

export const testErrors = ({ source, names }: TestFileInput): TestFileAnswer => {
  const errors = testFileErrors(source, names)
  const read = readTestFile(source)
  return { errors, ...(read.ok ? { given: read.file.given } : {}) }
}

interface ImportInput {
  readonly text: string
  readonly name: string
  /** Name of the bot. */
  readonly bot: string
}

/** Tests of conversations of another system. */
export const testsOf = ({ text, name, bot }: ImportInput): ImportedTests => readImport(text, name, bot)
