import { isProblem } from './problem.ts'

/** Message of a failure. A 4xx problem states its own reason; others get `couldNot`, with the reason if known. */
export const failureOf = (error: unknown, couldNot: string): string => {
  if (!isProblem(error)) return couldNot
  if (error.status >= 400 && error.status < 500) return error.message
  return error.status === 0 || error.code === 'server.error' ? couldNot : `${couldNot} (${error.message})`
}
