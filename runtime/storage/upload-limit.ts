const HOUR_MS = 3_600_000

/** Counts the uploads of each person per hour. Returns the seconds to wait, 0 for none. */
export const uploadLimit = (most: number, now: () => number = Date.now): ((user: string) => number) => {
  const counts = new Map<string, number>()
  let hour = 0
  return user => {
    const time = now()
    if (Math.floor(time / HOUR_MS) !== hour) counts.clear()
    hour = Math.floor(time / HOUR_MS)
    const count = (counts.get(user) ?? 0) + 1
    counts.set(user, count)
    return count > most ? Math.ceil(((hour + 1) * HOUR_MS - time) / 1000) : 0
  }
}
