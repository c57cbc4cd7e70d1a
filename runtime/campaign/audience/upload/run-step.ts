import type { Evaluator } from '#domain/expression/interruptible.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RecordOutcome } from '../../../isolation/expression/records.ts'
import { batchesOf, type Packed } from './packed.ts'

/** Records sent to a process per request. */
export const TOGETHER = 100
/** ms allowed per record. */
const RECORD_MS = 50
/** Extra ms for the first record: parsing the rule, compiling the schema. */
const FIRST_MS = 1000
/** ms allowed for a step over a whole file. */
const STEP_MS = 5 * 60_000

export interface FileRecord {
  readonly line: number
  readonly value: JsonObject
}

interface RecordStep {
  readonly step: 'rule' | 'schema'
  /** JSONata, or the JSON text of a schema. */
  readonly source: string
  readonly bindings: JsonObject
}

interface StepEvents {
  /** Called between slices. */
  readonly going: () => Promise<void>
  readonly outcomes: (records: readonly FileRecord[], outcomes: readonly RecordOutcome[]) => void
}

/**
 * Passes on outcomes in the order of the records; a record that exceeds its time fails alone. Returns a string, the
 * code of the fault, when the step cannot run at all.
 */
export const runStep = async (
  evaluator: Evaluator,
  step: RecordStep,
  records: Packed<FileRecord>,
  events: StepEvents,
): Promise<string | undefined> => {
  const ask = (some: readonly FileRecord[], ms: number) =>
    evaluator.evaluate({ kind: 'records', ...step, records: some }, ms)
  const began = performance.now()
  for (const slice of batchesOf(records)) {
    await events.going()
    if (performance.now() - began > STEP_MS) return 'time'
    const outcomes: RecordOutcome[] = []
    const together = await ask(slice, FIRST_MS + slice.length * RECORD_MS)
    if (together.ok) outcomes.push(...(together.value as readonly RecordOutcome[]))
    else if (together.fault.code !== 'time' && together.fault.code !== 'limit') return together.fault.code
    else
      for (const record of slice) {
        const alone = await ask([record], FIRST_MS + RECORD_MS)
        const [outcome] = alone.ok ? (alone.value as readonly RecordOutcome[]) : []
        outcomes.push(outcome ?? { fault: alone.ok ? 'time' : alone.fault.code })
      }
    events.outcomes(slice, outcomes)
  }
  return undefined
}
