import { Metadata, type ServiceError, status } from '@grpc/grpc-js'

/** Errors as the real server sends them: a status, and what it means in `exception`. */
const failure = (code: status, details: string, described: Readonly<Record<string, string>> = {}): ServiceError => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(described)) metadata.set(name, value)
  return Object.assign(new Error(details), { code, details, metadata })
}

export const unavailable = () => failure(status.UNAVAILABLE, 'The connection was cut')

/** The text and the status of 23.10. */
export const consumerTooSlow = () =>
  failure(
    status.ABORTED,
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  )

export const notReady = () => failure(status.UNKNOWN, 'Server Is Not Ready')

/** A read or subscription from a position at which no record begins: no exception is named, as in 23.10. */
export const invalidPosition = () => failure(status.UNKNOWN, 'Trying to read from an invalid position.')

export const notLeader = (host: string, port: number) =>
  failure(status.NOT_FOUND, `Leader info available`, {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  })

export const streamDeleted = (stream: string) =>
  failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  })

export const wrongExpectedVersion = (stream: string, expected: number, current: number) =>
  failure(status.FAILED_PRECONDITION, `Append failed due to WrongExpectedVersion. Stream: ${stream}`, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(expected),
    ...(current < 0 ? {} : { 'actual-version': String(current) }),
  })

export const tooLarge = (limit: number) =>
  failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  })
