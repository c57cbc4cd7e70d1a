import type { Behaviour } from '#domain/behaviour.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import { type BotNames, checkTestNames } from './check-names.ts'
import { readTestFile, type TestFault } from './read-test-file.ts'

export interface ConversationTestFacts {
  /** Errors of the file. Absent where the file is not what changes. */
  readonly errors?: readonly FieldError[]
}

/** Error of a file that takes too much time or memory to read. */
export const COSTLY_TEST: FieldError = {
  path: 'file',
  code: 'testfile',
  params: { rule: 'toolong', line: 1, column: 1, at: '', name: '' },
}

const errorOf = ({ code, line, column, path, text }: TestFault): FieldError => ({
  path: 'file',
  code: 'testfile',
  params: { rule: code, line, column, at: path, name: text ?? '' },
})

/** Errors of a test file, by line. */
export const testFileErrors = (source: string, names: BotNames | undefined): readonly FieldError[] => {
  const read = readTestFile(source)
  if (!read.ok) return read.errors.map(errorOf)
  return names === undefined ? [] : checkTestNames(read.file, names, read.placeOf).map(errorOf)
}

/** A file is kept when it can be run: it is read, and its bot has what it names. */
export const conversationTestBehaviour = {
  commands: {},
  onCreate(fields, { facts: { errors = [] } }) {
    return errors.length === 0 ? accepted(fields) : refused('validation.failed', { errors })
  },
  onChange(_state, changes, { facts: { errors = [] } }) {
    return errors.length === 0 ? accepted(changes) : refused('validation.failed', { errors })
  },
} satisfies Behaviour<ConversationTestFacts>
