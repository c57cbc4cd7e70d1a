import type { FlowJob, FlowState } from './flow-job.ts'

/** A job as it goes to another thread: its file as JSON, since copying an object of so many parts takes twice the time. */
export interface PackedJob {
  readonly job: FlowJob
  /** Bytes and characters of all that it works on. */
  readonly size: number
  readonly states: readonly FlowState[]
}

export const packed = (job: FlowJob): PackedJob => {
  const states = statesOf(job)
  const size = states.reduce(plusBytes, 0)
  if ('text' in job) return { job, size: job.text.length, states }
  if (job.do !== 'change') return { job, size, states }
  const { change } = job
  if (change.kind === 'drawing') return { job, size: plusBytes(size, change.drawing), states }
  if (change.kind !== 'file') return { job, size, states }
  const file = typeof change.file === 'string' ? change.file : JSON.stringify(change.file)
  const length = file.length + (change.script?.length ?? 0)
  return { job: { ...job, change: { ...change, file } }, size: size + length, states }
}

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
    case 'members':
      return [job.state, ...(job.released && job.released !== job.state ? [job.released] : [])]
    case 'difference':
      return [job.before, job.after]
    case 'missing':
      return [job.state, job.past]
    case 'look':
      return [job.state ?? []]
    case 'parse':
      return []
    default:
      return job satisfies never
  }
}
