import type { Behaviour } from '#domain/behaviour.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import { type BotNames, checkTestNames } from './check-names.ts'
import { readTestFile, type TestFault } from './read-test-file.ts'

export interface ConversationTestFacts {
  /** Undefined where the file is not what changes. */
  readonly names?: BotNames
}

const errorOf = ({ code, line, column, path, text }: TestFault): FieldError => ({
  path: 'file',
  code: 'testfile',
  params: { rule: code, line, column, at: path, name: text ?? '' },
})

/** What is wrong in a test's file, by line. */
const testFileErrors = (source: Json | undefined, names: BotNames | undefined): readonly FieldError[] => {
  if (typeof source !== 'string') return []
  const read = readTestFile(source)
  if (!read.ok) return read.errors.map(errorOf)
  return names === undefined ? [] : checkTestNames(read.file, names, read.placeOf).map(errorOf)
}

/** A file is kept when it can be run: it is read, and its bot has what it names (RUNTIME 87). */
export const conversationTestBehaviour = {
  commands: {},
  onCreate(fields, { facts }) {
    const errors = testFileErrors(fields.file, facts.names)
    return errors.length === 0 ? accepted(fields) : refused('validation.failed', { errors })
  },
  onChange(_state, changes, { facts }) {
    const errors = testFileErrors(changes.file, facts.names)
    return errors.length === 0 ? accepted(changes) : refused('validation.failed', { errors })
  },
} satisfies Behaviour<ConversationTestFacts>
