import { parentPort } from 'node:worker_threads'
import { answerQuestion, type WorkerQuestion } from '#domain/expression/interruptible.ts'
import { type ExpressionJob, prepareJob } from '#domain/expression/run-job.ts'
import { prepareRecords } from './records.ts'

const prepare = (job: ExpressionJob) => (job.kind === 'records' ? prepareRecords(job) : prepareJob(job))

parentPort?.on('message', (question: WorkerQuestion) => {
  void answerQuestion(question, answer => parentPort?.postMessage(answer), prepare)
})
