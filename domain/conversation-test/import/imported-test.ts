import { Document } from 'yaml'
import type { JsonObject } from '#schemas/event.ts'

/** Why a part of a file is not in the tests that were made of it. */
type ImportFaultCode =
  | 'syntax'
  | 'empty'
  | 'nobody'
  | 'speaker'
  | 'agent'
  | 'step'
  | 'slot'
  | 'checkpoint'
  | 'either'
  | 'loop'
  | 'event'
  | 'columns'
  | 'activity'
  | 'toomany'

export interface ImportFault {
  /** From 1. */
  readonly line: number
  readonly code: ImportFaultCode
  /** Unread text. */
  readonly text?: string
}

export interface ImportedTest {
  readonly name: string
  /** `parley-test` in YAML. */
  readonly file: string
  readonly steps: number
}

/** Tests that a file of another kind became, and what could not be read of it. */
export interface ImportedTests {
  readonly tests: readonly ImportedTest[]
  readonly faults: readonly ImportFault[]
}

export const MAX_IMPORTED_TESTS = 500
const MAX_NAME = 200
const MAX_STEPS = 1000

/** A step from the file, with preceding content that is not a step. */
export interface ImportedStep {
  readonly step: JsonObject
  readonly comments?: readonly string[]
}

interface NewTest {
  readonly name: string
  readonly loose?: boolean
  readonly stubs?: readonly JsonObject[]
  readonly steps: readonly ImportedStep[]
  /** Content after the last step. */
  readonly rest?: readonly string[]
}

const commented = (comments: readonly string[]): string =>
  comments.map(comment => ` ${comment.replaceAll(/\s+/gu, ' ')}`).join('\n')

/** The file of a test that comes from elsewhere. */
export const writeImported = ({ name, loose = false, stubs = [], steps, rest = [] }: NewTest): ImportedTest => {
  const title = name.trim().slice(0, MAX_NAME)
  const document = new Document({ format: 'parley-test', version: 1, name: title })
  if (loose) document.set('loose', true)
  if (stubs.length > 0) document.set('stubs', document.createNode(stubs))
  const kept = steps.slice(0, MAX_STEPS)
  const list = document.createNode(kept.map(({ step }) => step))
  for (const [place, { comments = [] }] of kept.entries()) {
    const node = list.items[place] as { commentBefore?: string } | undefined
    if (node !== undefined && comments.length > 0) node.commentBefore = commented(comments)
  }
  document.set('steps', list)
  if (rest.length > 0) document.comment = commented(rest)
  return { name: title, file: document.toString({ lineWidth: 0 }), steps: kept.length }
}
