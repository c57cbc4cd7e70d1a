import { workerData } from 'node:worker_threads'
import { StoreReadOnly } from '../port.ts'
import { type AppendResult, type Failure, toFailure, type WriteRequest } from './message.ts'
import { serve } from './serve.ts'
import { Writer } from './writer.ts'

const file: string = workerData.file

/** Reopens a read-only file with every request, so writing recovers automatically. */
function open(): Writer | Failure {
  try {
    return new Writer(file)
  } catch (error) {
    if (error instanceof StoreReadOnly) return toFailure(error)
    throw error
  }
}

serve<WriteRequest, AppendResult>(() => {
  let writer = open()
  return {
    id: '',
    most: 1024,
    answer: requests => {
      if (!(writer instanceof Writer)) writer = open()
      const present = writer
      return present instanceof Writer ? present.commit(requests) : requests.map(() => present)
    },
    close: () => writer instanceof Writer && writer.close(),
  }
})
