import { isInSegment, type OpenFacts, type SealedFacts } from '#domain/audience/segment.ts'
import type { SegmentRule } from '#schemas/segment-rule.ts'
import type { JobSteps } from '../../isolation/work.ts'
import { openRowWith } from './audience.ts'

export const ROW_KEY_BYTES = 32

/** Rows of contacts and the rule that they are compared with. */
export interface SegmentTask {
  /** ms since 1970 */
  readonly now: number
  /** For each audience its id and the rule with its own columns. */
  readonly audiences: readonly { readonly id: string; readonly rule: SegmentRule }[]
  readonly rows: readonly {
    /** Place in `audiences`. */
    readonly of: number
    readonly contact: string
    readonly sealed: string
    readonly open: OpenFacts
  }[]
  /** Keys of the rows, one after the other; zeros for a row that cannot be read. Empty: the rule needs none. */
  readonly keys: Uint8Array
  /** Answers the numbers of all rows, without comparing them. */
  readonly isForNumbers?: boolean
}

export interface SegmentAnswer {
  /** Places of the rows in the segment. */
  readonly matching: readonly number[]
  /** E.164 of each row, if asked for; empty where it cannot be read. */
  readonly phones: readonly string[]
}

const openRow = ({ keys, audiences }: SegmentTask, place: number, row: SegmentTask['rows'][number]) => {
  const key = keys.subarray(place * ROW_KEY_BYTES, (place + 1) * ROW_KEY_BYTES)
  if (key.every(byte => byte === 0)) return undefined
  const campaign = audiences[row.of]?.id ?? ''
  return openRowWith(Buffer.from(key), { campaign, contact: row.contact }, row.sealed) satisfies SealedFacts
}

export const run = (task: SegmentTask, _steps: JobSteps<never>): SegmentAnswer => {
  const { now, audiences, rows, keys } = task
  const isSealed = keys.length > 0
  const phones: string[] = []
  const matching: number[] = []
  for (const [place, row] of rows.entries()) {
    const sealed = isSealed ? openRow(task, place, row) : undefined
    if (task.isForNumbers === true) {
      phones.push(sealed?.phone ?? '')
      continue
    }
    // A person that was forgotten is in no segment.
    if (isSealed && sealed === undefined) continue
    const rule = audiences[row.of]?.rule
    if (rule !== undefined && isInSegment(rule, { open: row.open, sealed, now })) matching.push(place)
  }
  return { matching, phones }
}
