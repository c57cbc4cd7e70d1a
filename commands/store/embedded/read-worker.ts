import { workerData } from 'node:worker_threads'
import { type Failure, type ReadRequest, type ReadResult, toFailure } from './message.ts'
import { Reader } from './reader.ts'
import { serve } from './serve.ts'

serve<ReadRequest, ReadResult>(() => {
  const reader = new Reader(workerData.file)
  const answer = (request: ReadRequest): ReadResult | Failure => {
    try {
      return reader.answer(request)
    } catch (error) {
      return toFailure(error)
    }
  }
  return { id: reader.id, most: 1, answer: requests => requests.map(answer), close: () => reader.close() }
})
