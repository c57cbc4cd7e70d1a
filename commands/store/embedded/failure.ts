import {
  EventTooLarge,
  StoreCorrupt,
  StoreReadOnly,
  StoreUnavailable,
  StreamTombstoned,
  WrongRevision,
} from '../port.ts'

/** An error as it crosses a thread: classes do not survive the crossing. */
export interface Failure {
  readonly failure: string
  readonly message: string
  readonly revision?: { readonly stream: string; readonly expected: number; readonly actual: number }
}

const byName: Record<string, new (message: string) => Error> = {
  StreamTombstoned,
  EventTooLarge,
  StoreReadOnly,
  StoreUnavailable,
  StoreCorrupt,
}

export function toFailure(error: unknown): Failure {
  if (error instanceof WrongRevision) {
    const { name, message, stream, expected, actual } = error
    return { failure: name, message, revision: { stream, expected, actual } }
  }
  return error instanceof Error
    ? { failure: error.name, message: error.message }
    : { failure: 'Error', message: String(error) }
}

export function fromFailure(failure: Failure): Error {
  if (failure.revision) {
    const { stream, expected, actual } = failure.revision
    return new WrongRevision(stream, expected, actual)
  }
  return new (byName[failure.failure] ?? Error)(failure.message)
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'failure' in value
}

/** SQLite's extended result code, or 0 when the error is not SQLite's. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
}

const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26
/** The calls that come before a commit is on the disk; any other I/O error leaves the outcome unknown. */
const IOERR_BEFORE_COMMIT = new Set([IOERR | (3 << 8), IOERR | (6 << 8), IOERR | (18 << 8), IOERR | (19 << 8)])

/** Maps an SQLite error to an error of the port. Errors of the port pass unchanged. */
export function storageError(error: unknown, file: string): Error {
  const code = sqliteCode(error)
  const reason = asError(error).message
  switch (code & 0xff) {
    case 0:
      return isWriteRefusal(error) ? new StoreReadOnly(`${file} cannot be made (${reason})`) : asError(error)
    case CORRUPT:
    case NOTADB:
      return new StoreCorrupt(`${file} is damaged (${reason})`)
    case FULL:
      return new StoreReadOnly(`The disk of ${file} is full; nothing was written`)
    case READONLY:
    case CANTOPEN:
      return new StoreReadOnly(`${file} cannot be written (${reason}); nothing was written`)
    default:
      return IOERR_BEFORE_COMMIT.has(code)
        ? new StoreReadOnly(`${file} cannot be written (${reason}); nothing was written`)
        : new StoreUnavailable(`${file} failed (${reason})`)
  }
}

const WRITE_REFUSALS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']

function isWriteRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && WRITE_REFUSALS.includes(String(error.code))
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
