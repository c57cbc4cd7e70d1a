import type { Evaluator } from '#domain/expression/interruptible.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RecordOutcome } from '../../../isolation/expression/records.ts'

/** Records that a worker is asked for at once. */
const TOGETHER = 100
/** ms that one record may take. */
const RECORD_MS = 50
/** ms for what a first record takes longer: parsing the rule, compiling the schema. */
const FIRST_MS = 1000
/** ms that a step may take for a whole file. */
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

/**
 * What came of each record, in their order: a record that takes too long is one that failed, and no other does with it. A
 * string: the step cannot run at all, by the code of the fault.
 */
export const runStep = async (
  evaluator: Evaluator,
  step: RecordStep,
  records: readonly FileRecord[],
  /** Called between slices. */
  going: () => Promise<void>,
): Promise<readonly RecordOutcome[] | string> => {
  const ask = (some: readonly FileRecord[], ms: number) =>
    evaluator.evaluate({ kind: 'records', ...step, records: some }, ms)
  const outcomes: RecordOutcome[] = []
  const began = performance.now()
  for (let at = 0; at < records.length; at += TOGETHER) {
    await going()
    if (performance.now() - began > STEP_MS) return 'time'
    const slice = records.slice(at, at + TOGETHER)
    const together = await ask(slice, FIRST_MS + slice.length * RECORD_MS)
    if (together.ok) outcomes.push(...(together.value as readonly RecordOutcome[]))
    else if (together.fault.code !== 'time' && together.fault.code !== 'limit') return together.fault.code
    else
      for (const record of slice) {
        const alone = await ask([record], FIRST_MS + RECORD_MS)
        const [outcome] = alone.ok ? (alone.value as readonly RecordOutcome[]) : []
        outcomes.push(outcome ?? { fault: alone.ok ? 'time' : alone.fault.code })
      }
  }
  return outcomes
}
