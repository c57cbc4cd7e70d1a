import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import type { EventRow, StoredRow } from './message.ts'
import { toPosition } from './position.ts'

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
