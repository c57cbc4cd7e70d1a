import { useEffect, useRef, useState } from 'react'
import type { JsonObject } from '#schemas/event.ts'
import { api } from '#web/api/client.ts'
import { isProblem } from '#web/api/problem.ts'
import { useDesigner } from '../../session/designer.ts'
import type { Failure } from './tried.ts'

interface Tried<T> {
  readonly isRunning: boolean
  readonly result: T | undefined
  readonly run: (properties: JsonObject, values: JsonObject) => void
}

const failureOf = (error: unknown): Failure =>
  isProblem(error)
    ? { code: error.code, detail: error.message }
    : { code: '', detail: error instanceof Error ? error.message : String(error) }

/** Tries a block on the server: its `call`, `feed` or `script`. Only the last answer that was asked for is shown. */
export const useTry = <T extends { readonly failure?: Failure }>(what: string): Tried<T> => {
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
      const path = `/${address.kind}/${address.id}/try/${what}`
      api
        .post<T>(path, { properties, values }, { signal: own.signal })
        .catch((error: unknown): T => ({ time: 0, failure: failureOf(error) }) as unknown as T)
        .then(result => own.signal.aborted || setState({ isRunning: false, result }))
    },
  }
}
