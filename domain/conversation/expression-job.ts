import type { JsonObject } from '#schemas/event.ts'
import type { ExpressionJob } from '../expression/run-job.ts'
import type { EvaluationJob } from './effect.ts'

/** A job of a block as a worker takes it. */
export const expressionJob = (job: EvaluationJob, context: JsonObject): ExpressionJob => {
  switch (job.kind) {
    case 'template':
      return { ...job, context }
    case 'expression':
      return { kind: 'expression', engine: job.parser, source: job.text, context }
    case 'pattern':
      return { kind: 'pattern', source: job.text, text: job.input }
    case 'path':
      return { kind: 'path', parser: job.parser, source: job.text, input: job.input }
    default:
      return job satisfies never
  }
}
