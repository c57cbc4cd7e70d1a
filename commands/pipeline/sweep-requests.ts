import { type EventStore, WrongRevision } from '../store/port.ts'
import { ANSWER_RETENTION_MS, REQUEST_PREFIX } from './once.ts'

/** Streams deleted together, so that one disk write serves many. */
const TOGETHER = 64

/** Forgets the answers that are older than idempotency keys are good for; answers how many there were. */
export const sweepRequests = async (store: EventStore, now: Date): Promise<number> => {
  const head = await store.head()
  let swept = 0
  let old = new Set<string>()
  const forget = async () => {
    const done = await Promise.all([...old].map(stream => forgotten(store, stream, head, now)))
    swept += done.filter(Boolean).length
    old = new Set()
  }
  for await (const { stream, time } of store.readAll({ filter: { streamPrefixes: [REQUEST_PREFIX] } })) {
    if (!isOld(time, now)) break
    old.add(stream)
    if (old.size === TOGETHER) await forget()
  }
  await forget()
  return swept
}

/** Keeps the newest event of the log: read models check with it that they belong to this log. */
const forgotten = async (store: EventStore, stream: string, head: string, now: Date): Promise<boolean> => {
  for await (const { time, revision, position } of store.read(stream, { direction: 'backwards', limit: 1 })) {
    if (!isOld(time, now) || position === head) return false
    try {
      await store.delete(stream, revision)
      return true
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
  return false
}

const isOld = (time: string, now: Date) => now.getTime() - Date.parse(time) > ANSWER_RETENTION_MS
