import { answerQuestion, type WorkerQuestion } from '#domain/expression/interruptible.ts'

self.onmessage = ({ data }: MessageEvent<WorkerQuestion>) => {
  void answerQuestion(data, answer => self.postMessage(answer))
}
