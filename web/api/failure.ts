import { isProblem } from './problem.ts'

/** A refusal says itself why. Of everything else it is said what could not be done, and why where that is known. */
export const failureOf = (error: unknown, couldNot: string): string => {
  if (!isProblem(error)) return couldNot
  if (error.status >= 400 && error.status < 500) return error.message
  return error.status === 0 || error.code === 'server.error' ? couldNot : `${couldNot} (${error.message})`
}
