import { type ImportedTests, readImport } from '#domain/conversation-test/import/read-import.ts'

interface ImportInput {
  readonly text: string
  readonly name: string
  /** Name of the bot. */
  readonly bot: string
}

export const run = ({ text, name, bot }: ImportInput): ImportedTests => readImport(text, name, bot)
