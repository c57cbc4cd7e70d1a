import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredEvent } from '#schemas/event.ts'
import { StoreUnavailable } from '../port.ts'
import { EmbeddedLog } from './embedded-log.ts'
import { type ReadRequest, type ReadResult, type StoredRow, toEvent } from './message.ts'
import { WorkerChannel } from './worker-channel.ts'

const DEADLINE = 120_000

/**
 * Read-only events of a folder, also while a gateway writes them. Data that is invalid JSON is returned as empty, so
 * that a hash check can name the event. @throws StoreCorrupt or StoreUnavailable with one line
 */
export async function openEmbeddedLog(folder: string): Promise<EmbeddedLog> {
  const file = join(folder, 'events.sqlite')
  if (!existsSync(file)) throw new StoreUnavailable(`There is no ${file}`)
  const script = new URL('read-worker.ts', import.meta.url)
  const lost = () => undefined
  const { channel, id } = await WorkerChannel.open<ReadRequest, ReadResult>({ script, file, deadline: DEADLINE, lost })
  return new EmbeddedLog(id, channel, toEventOrEmpty)
}

function toEventOrEmpty(row: StoredRow): StoredEvent {
  try {
    return toEvent(row)
  } catch {
    const [position, stream, revision, id, type, version, time, actor, correlation, causation, level, hash] = row
    return toEvent([
      position,
      stream,
      revision,
      id,
      type,
      version,
      time,
      actor,
      correlation,
      causation,
      level,
      hash,
      '{}',
    ])
  }
}
