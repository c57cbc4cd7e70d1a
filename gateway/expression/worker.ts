import { parentPort } from 'node:worker_threads'
import { answerQuestion, type WorkerQuestion } from '#domain/expression/interruptible.ts'

parentPort?.on('message', (question: WorkerQuestion) => {
  void answerQuestion(question, answer => parentPort?.postMessage(answer))
})
