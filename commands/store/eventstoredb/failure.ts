import {
  AccessDeniedError,
  isCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
} from '@kurrent/kurrentdb-client'
import { EventTooLarge, StoreReadOnly, StoreUnavailable, StreamTombstoned } from '../port.ts'

/** The wait was over before the answer came. */
export class DeadlineExceeded extends Error {
  override readonly name = 'Expired'
}

/**
 * The port's error when the outcome is certain; undefined when it is unknown. Only the server's own answers are
 * certain: after any other error the event may have been written.
 */
export const known = (error: unknown, stream: string): Error | undefined => {
  if (error instanceof StreamDeletedError) return new StreamTombstoned(`${stream} is removed for ever`)
  if (error instanceof MaxAppendSizeExceededError) return new EventTooLarge(`An append to ${stream} is over 1 MiB`)
  if (error instanceof AccessDeniedError) return new StoreReadOnly(`The event store denies access to ${stream}`)
  return undefined
}

export const isNotFound = (error: unknown): boolean => error instanceof StreamNotFoundError

export const unavailable = (error: unknown): StoreUnavailable => {
  if (error instanceof StoreUnavailable) return error
  const kind = error instanceof Error && isCommandError(error) ? `${error.type}: ` : ''
  const message = error instanceof Error ? error.message : String(error)
  return new StoreUnavailable(`The event store does not answer (${kind}${message})`, { cause: error })
}
