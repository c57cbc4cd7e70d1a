import type { FlowFile } from '#schemas/flow/file.ts'
import type { FlowJob, FlowState } from './flow-job.ts'

/** A job as it goes to another thread: its file as JSON, since copying an object of so many parts takes twice the time. */
export interface PackedJob {
  readonly job: FlowJob
  readonly file?: string
  /** Bytes and characters of all that it works on. */
  readonly size: number
}

const NO_FILE: FlowFile = { format: 'parley-flow', version: 1, operators: {}, links: {} }

export const packed = (job: FlowJob): PackedJob => {
  if (job.do !== 'change' || job.change.kind !== 'file') return { job, size: statesOf(job).reduce(plusBytes, 0) }
  const file = JSON.stringify(job.change.file)
  const size = statesOf(job).reduce(plusBytes, file.length)
  return { job: { ...job, change: { ...job.change, file: NO_FILE } }, file, size }
}

export const unpacked = ({ job, file }: PackedJob): FlowJob =>
  file === undefined || job.do !== 'change' || job.change.kind !== 'file'
    ? job
    : { ...job, change: { ...job.change, file: JSON.parse(file) as FlowFile } }

const plusBytes = (sum: number, state: FlowState) => state.reduce((bytes, { length }) => bytes + length, sum)

const statesOf = (job: FlowJob): readonly FlowState[] => {
  switch (job.do) {
    case 'change':
      return job.change.kind === 'restore' ? [job.state, job.change.past] : [job.state]
    case 'file':
    case 'merge':
    case 'references':
    case 'review':
      return [job.state]
    case 'difference':
      return [job.before, job.after]
    case 'missing':
      return [job.state, job.past]
    default:
      return job satisfies never
  }
}
