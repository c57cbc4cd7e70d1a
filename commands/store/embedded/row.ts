import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { START } from '../port.ts'
import type { EventRow, StoredRow } from './message.ts'

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
