import type { Evaluator } from '#domain/expression/interruptible.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { RecordOutcome } from '../../../isolation/expression/records.ts'
import { CONTACT_PLAN } from '../../../isolation/jobs.ts'
import { answerOf, openEvaluator } from '../../../isolation/pooled-work.ts'
import type { InputOf, WorkCaller, WorkPool } from '../../../isolation/work.ts'
import { type Packed, Packer } from './packed.ts'
import type { ContactPlan, RecordsTask, run, UploadRules } from './plan-job.ts'
import { fileError, type LineFault, lineError } from './read-file.ts'
import { type FileRecord, runStep, TOGETHER } from './run-step.ts'

type StepStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped'
export interface Steps {
  readonly pre_status: StepStatus
  readonly validation_status: StepStatus
  readonly post_status: StepStatus
}

export interface UploadPlan extends ContactPlan {
  readonly steps: Steps
  /** Reason why the whole file is rejected. */
  readonly error: FieldError | undefined
  readonly read: number
  readonly dropped: number
}

interface PlanOptions {
  readonly work: WorkPool
  readonly from: WorkCaller
  readonly signal: AbortSignal
  readonly campaign: JsonObject
  /** Called before each step and between its slices. */
  readonly going: (steps: Steps) => Promise<void>
}

export const NO_STEPS: Steps = { pre_status: 'pending', validation_status: 'pending', post_status: 'pending' }
const SKIPPED: Steps = { pre_status: 'skipped', validation_status: 'skipped', post_status: 'skipped' }
const NONE = { count: 0, batches: [] }
const NOTHING: Omit<UploadPlan, 'steps' | 'error'> = {
  ...{ read: 0, dropped: 0, valid: 0, invalid: 0, repeated: 0 },
  ...{ contacts: NONE, faults: NONE, firstFaults: [] },
}
/** Faults of a step that are packed together. */
const FAULTS_TOGETHER = 500

/** Records after a step: valid ones, the number of dropped ones, the faults of the others. */
class SortedRecords {
  readonly kept = new Packer<FileRecord>(TOGETHER)
  readonly faults = new Packer<LineFault>(FAULTS_TOGETHER)
  dropped = 0

  add(records: readonly FileRecord[], outcomes: readonly RecordOutcome[]): void {
    for (const [place, { line }] of records.entries()) {
      const outcome = outcomes[place] ?? { fault: 'time' }
      if ('keyword' in outcome)
        this.faults.push([lineError('uploadschema', line, { name: outcome.path, text: outcome.keyword })])
      else if ('fault' in outcome) {
        const params = { rule: outcome.fault, name: outcome.name ?? '' }
        this.faults.push([{ line, error: { path: '', code: 'expression', params } }])
      } else this.#addValues(line, outcome.values)
    }
  }

  #addValues(line: number, values: readonly Json[]): void {
    if (values.length === 0) this.dropped += 1
    for (const value of values)
      if (isObject(value)) this.kept.push([{ line, value }])
      else this.faults.push([lineError('uploadobject', line)])
  }
}

type StepName = keyof Steps

/** Runs the rules and the schema over the records of a file. */
class Steplist {
  steps: Steps = NO_STEPS
  dropped = 0
  error: FieldError | undefined
  readonly faults: Packer<LineFault>
  readonly #evaluator: Evaluator
  readonly #going: PlanOptions['going']
  readonly #bindings: JsonObject

  constructor({ work, from, signal, going }: PlanOptions, bindings: JsonObject, faults: Packed<LineFault>) {
    this.#evaluator = openEvaluator(work, from, signal)
    this.#going = going
    this.#bindings = bindings
    this.faults = new Packer(FAULTS_TOGETHER, faults)
  }

  async run(name: StepName, kind: 'rule' | 'schema', source: string, records: Packed<FileRecord>) {
    const set = (status: StepStatus) => {
      this.steps = { ...this.steps, [name]: status }
    }
    if (source === '' || this.error !== undefined) {
      set('skipped')
      return records
    }
    set('running')
    const sorted = new SortedRecords()
    const failure = await runStep(this.#evaluator, { step: kind, source, bindings: this.#bindings }, records, {
      going: () => this.#going(this.steps),
      outcomes: (some, outcomes) => sorted.add(some, outcomes),
    })
    if (failure !== undefined) {
      set('failed')
      const rule = kind === 'schema' ? 'uploadbadschema' : 'uploadbadrule'
      this.error = { path: name.replace('_status', ''), code: 'format', params: { rule, name: failure } }
      return NONE
    }
    this.dropped += sorted.dropped
    set(sorted.faults.count > 0 ? 'failed' : 'succeeded')
    this.faults.append(sorted.faults.values())
    return sorted.kept.values()
  }
}

/**
 * Computes the result of an upload and writes nothing.
 * @throws FileNotRead when no process was free in time
 */
export const planUpload = async (bytes: Buffer, rules: UploadRules, options: PlanOptions): Promise<UploadPlan> => {
  const { work, from, signal } = options
  const ask = async (task: InputOf<typeof run>) => {
    const result = await work.run(CONTACT_PLAN, task, { from, signal })
    return answerOf(result) ?? { error: fileError({ code: 'inflated' }) }
  }
  const answer = await ask({ bytes, rules })
  if ('error' in answer) return { ...NOTHING, steps: SKIPPED, error: answer.error }
  if ('plan' in answer) return { ...answer.plan, read: answer.read, dropped: 0, steps: SKIPPED, error: undefined }
  const { read, headers, records, faults } = answer
  const list = new Steplist(options, { headers, campaign: options.campaign }, faults)
  const prepared = await list.run('pre_status', 'rule', rules.pre, records)
  const checked = await list.run('validation_status', 'schema', rules.schema, prepared)
  const made: RecordsTask = {
    ...{ read, records: await list.run('post_status', 'rule', rules.post, checked), faults: list.faults.values() },
  }
  const ended = await ask(made)
  const { steps, error, dropped } = list
  if ('plan' in ended) return { ...ended.plan, read, dropped, steps, error }
  return { ...NOTHING, steps, error: 'error' in ended ? ended.error : undefined }
}
