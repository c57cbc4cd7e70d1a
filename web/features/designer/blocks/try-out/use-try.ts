import { useEffect, useRef, useState } from 'react'
import type { JsonObject } from '#schemas/event.ts'
import { isProblem } from '#web/api/problem.ts'
import { useDesigner } from '../../session/designer.ts'
import type { Failure } from './tried.ts'

interface Tried<T> {
  readonly isRunning: boolean
  readonly result: T | undefined
  readonly run: (properties: JsonObject, values: JsonObject) => void
}

export interface TryInput {
  readonly params: { readonly kind: string; readonly id: string }
  readonly body: { readonly properties: JsonObject; readonly values: JsonObject }
  readonly signal: AbortSignal
}

interface Attempt<T> {
  send(input: TryInput): Promise<T>
  /** The result of an attempt that the server did not answer or refused. */
  failed(failure: Failure): T
}

const failureOf = (error: unknown): Failure =>
  isProblem(error)
    ? { code: error.code, detail: error.message }
    : { code: '', detail: error instanceof Error ? error.message : String(error) }

/** Tries a block on the server. Only the last answer that was asked for is shown. */
export const useTry = <T>({ send, failed }: Attempt<T>): Tried<T> => {
  const { address } = useDesigner()
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly result?: T }>({ isRunning: false })
  const asked = useRef<AbortController>(undefined)
  useEffect(() => () => asked.current?.abort(), [])
  return {
    isRunning: state.isRunning,
    result: state.result,
    run: (properties, values) => {
      asked.current?.abort()
      const own = new AbortController()
      asked.current = own
      setState({ isRunning: true })
      const { kind, id } = address
      send({ params: { kind, id }, body: { properties, values }, signal: own.signal })
        .catch((error: unknown) => failed(failureOf(error)))
        .then(result => own.signal.aborted || setState({ isRunning: false, result }))
    },
  }
}
