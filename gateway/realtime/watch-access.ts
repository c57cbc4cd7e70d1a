import type { Applied, ReadModels } from '#projections/port.ts'
import type { Rooms } from '#realtime/port.ts'

/** Entities that may change anyone's rights. */
const FOR_ALL = new Set(['usergroup', 'role', 'hierarchy', 'dialogtask', 'bot'])

/** Sessions whose access may have changed: ids, or all. */
const concerned = ({ touched }: Applied, read: ReadModels, rooms: Rooms): readonly string[] | 'all' => {
  if (touched.some(({ entity }) => FOR_ALL.has(entity))) return 'all'
  const sessions = new Set<string>()
  for (const { entity, id } of touched) {
    if (entity === 'session') sessions.add(id)
    if (entity === 'user') for (const access of read.sessionsOf(id)) sessions.add(access.session)
    if (entity === 'user' || entity === 'dialog' || entity === 'handler')
      for (const session of rooms.sessions((flow, { user }) => user === id || flow === id)) sessions.add(session)
  }
  return [...sessions]
}

const RETRY_MS = 250

/** Repeats a failed recheck until it succeeds, so that no revoked user stays. */
const recheck = (rooms: Rooms, sessions: readonly string[] | undefined): void => {
  rooms.recheck(sessions).catch(() => setTimeout(() => recheck(rooms, sessions), RETRY_MS).unref())
}

/** Has rooms and sockets ask again as soon as a right changes, so that a revoked editor is out at once. */
export const watchAccess = (read: ReadModels, rooms: Rooms, ended: () => void): (() => void) =>
  read.onApplied(applied => {
    const sessions = concerned(applied, read, rooms)
    if (sessions !== 'all' && sessions.length === 0) return
    recheck(rooms, sessions === 'all' ? undefined : sessions)
    ended()
  })
