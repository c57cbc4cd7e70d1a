import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { type Failure, toFailure } from './message.ts'

export interface Numbered<Request> {
  readonly number: number
  readonly request: Request
}

/** From the store to a worker: requests, or null to close. */
export type ToWorker<Request> = readonly Numbered<Request>[] | null

/** From a worker to the store: `ready` or `failed` first, then answers; `closed` last. */
export type FromWorker<Result> =
  | { readonly ready: string }
  | { readonly failed: Failure }
  | { readonly answers: readonly { readonly number: number; readonly result: Result | Failure }[] }
  | { readonly closed: true }

interface Service<Request, Result> {
  /** Sent to the store when the worker is ready. */
  readonly id: string
  /** Limit of waiting requests taken at once. */
  readonly most: number
  answer(requests: readonly Request[]): readonly (Result | Failure)[]
  close(): void
}

/** Runs a service in a worker: takes everything that waits, answers it with one message. */
export function serve<Request, Result>(start: () => Service<Request, Result>): void {
  const port = parentPort
  if (!port) throw new Error('serve() runs in a worker')
  const tell = (message: FromWorker<Result>) => port.postMessage(message)
  let service: Service<Request, Result>
  try {
    service = start()
  } catch (error) {
    tell({ failed: toFailure(error) })
    port.close()
    return
  }
  tell({ ready: service.id })
  port.on('message', (first: ToWorker<Request>) => {
    const { waiting, closing } = drain(port, first, service.most)
    if (waiting.length > 0) {
      const results = service.answer(waiting.map(({ request }) => request))
      tell({ answers: waiting.map(({ number }, index) => ({ number, result: results[index] ?? unanswered })) })
    }
    if (!closing) return
    service.close()
    tell({ closed: true })
    port.close()
  })
}

const unanswered: Failure = { failure: 'StoreUnavailable', message: 'The store gave no answer' }

function drain<Request>(port: MessagePort, first: ToWorker<Request>, most: number) {
  const waiting: Numbered<Request>[] = []
  let message: ToWorker<Request> | undefined = first
  while (message) {
    waiting.push(...message)
    if (waiting.length >= most) return { waiting, closing: false }
    message = receiveMessageOnPort(port)?.message
  }
  return { waiting, closing: message === null }
}
