import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import {
  EventTooLarge,
  START,
  StoreCorrupt,
  StoreReadOnly,
  StoreUnavailable,
  type StreamMetadata,
  StreamTombstoned,
  WrongRevision,
} from '../port.ts'

/** An event as it crosses a thread; `data` is JSON text. The order is that of the table's columns. */
export type EventRow = readonly [
  id: string,
  type: string,
  version: number,
  time: string,
  actor: string | null,
  correlation: string,
  causation: string | null,
  level: string | null,
  hash: string,
  data: string,
]

export type StoredRow = readonly [position: number, stream: string, revision: number, ...event: EventRow]

/** Index of the data's text. */
export const DATA = 12

export interface AppendRequest {
  readonly kind: 'append'
  readonly stream: string
  readonly expected: number
  readonly rows: readonly EventRow[]
}

export interface RemoveRequest {
  readonly kind: 'delete' | 'tombstone'
  readonly stream: string
  readonly expected: number
}

export interface MetadataRequest {
  readonly kind: 'metadata'
  readonly stream: string
  readonly metadata: StreamMetadata
}

/** Writes what is there already, to see whether it can be written. */
interface ProbeRequest {
  readonly kind: 'probe'
  readonly stream: ''
}

export type WriteRequest = AppendRequest | RemoveRequest | MetadataRequest | ProbeRequest

/** `position` is that of the last event; `written` is false when a retry found its events already there. */
export interface AppendResult {
  readonly revision: number
  readonly position: number
  readonly written: boolean
}

export interface StreamRequest {
  readonly kind: 'stream'
  readonly stream: string
  readonly backwards: boolean
  /** Inclusive; null starts at the end that the direction starts from. */
  readonly from: number | null
  readonly limit: number
}

export interface LogRequest {
  readonly kind: 'log'
  /** Exclusive. */
  readonly after: number
  /** Inclusive; null reads up to the present head. */
  readonly upTo: number | null
  readonly limit: number
  readonly streamPrefixes: readonly string[]
  readonly types: readonly string[]
}

interface LookRequest {
  readonly kind: 'revision' | 'metadata'
  readonly stream: string
}

export type ReadRequest = StreamRequest | LogRequest | LookRequest | { readonly kind: 'head' }

/** `next` is the next start, null at the end; `head` is the log's head at the read. */
export interface Chunk {
  readonly rows: readonly StoredRow[]
  readonly next: number | null
  readonly head: number
}

export type ReadResult = Chunk | number | StreamMetadata

const DIGITS = 16

/** Zero-padded, so that positions compare as strings in the order of the log. */
export function toPosition(sequence: number): string {
  return sequence === 0 ? START : String(sequence).padStart(DIGITS, '0')
}

/** @throws RangeError when the text was never a position of this store */
export function fromPosition(position: string): number {
  if (position === START) return 0
  if (!/^\d{16}$/.test(position)) throw new RangeError(`${position} is not a position of this store`)
  return Number(position)
}

export function toRow(event: NewEvent): EventRow {
  const { id, type, version, time, actor, correlation, causation, level, hash, data } = event
  return [id, type, version, time, actor, correlation, causation, level, hash, JSON.stringify(data)]
}

/** From the text that is stored, so that what is delivered live equals what is read later. */
export function toEvent(row: StoredRow): StoredEvent {
  const [at, stream, revision, id, type, version, time, actor, correlation, causation, level, hash, text] = row
  const position = toPosition(at)
  const data = JSON.parse(text)
  return { stream, revision, position, id, type, version, time, actor, correlation, causation, level, hash, data }
}

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
