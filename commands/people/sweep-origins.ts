import { ORIGIN_DAYS, originStream } from '#schemas/events/origin.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

const DAY_MS = 86_400_000
/** Days before the limit that a sweep checks: a server that was off for longer finds the rest at its next start. */
const CHECKED_DAYS = 400

/** Removes the streams of addresses and browsers that are older than ORIGIN_DAYS. Returns their number. */
export const sweepOrigins = async (store: EventStore, now: Date): Promise<number> => {
  let swept = 0
  const newest = now.getTime() - (ORIGIN_DAYS + 1) * DAY_MS
  for (let day = 0; day < CHECKED_DAYS; day += 1) {
    const stream = originStream(new Date(newest - day * DAY_MS).toISOString())
    const revision = await store.revision(stream)
    if (revision === 0) continue
    await store.delete(stream, revision).catch(error => {
      if (!(error instanceof WrongRevision)) throw error
    })
    swept += 1
  }
  return swept
}
