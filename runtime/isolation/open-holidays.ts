import type { Holiday, Place } from '#domain/calendar/holiday.ts'
import { throwIfDropped } from './job-result.ts'
import { HOLIDAYS } from './jobs.ts'
import type { WorkPool } from './work.ts'

/** Holidays of a year in a place. */
export type HolidaysOf = (place: Place, year: number) => Promise<readonly Holiday[]>

/** Years of places that are remembered. */
const MAX_YEARS = 1000

/** Loads the calendars of all countries, 2.4 MB of code, on the thread of the caller. */
export const INLINE_HOLIDAYS: HolidaysOf = async (place, year) => {
  const { holidaysOf } = await import('#domain/calendar/holiday.ts')
  return holidaysOf(place, year)
}

/** Reads holidays in the pool: loading the calendars takes some 300 ms. Rejects when no process can do it. */
export const openHolidays = (pool: WorkPool): HolidaysOf => {
  const known = new Map<string, Promise<readonly Holiday[]>>()
  const read = async (place: Place, year: number): Promise<readonly Holiday[]> => {
    const result = throwIfDropped(await pool.run(HOLIDAYS, { place, year }, { from: { level: '' } }))
    if (result.ok) return result.value
    throw new Error(`holidays were not read: ${result.code}`)
  }
  return (place, year) => {
    const key = JSON.stringify([place.country, place.state, year])
    const held = known.get(key) ?? read(place, year)
    held.catch(() => known.delete(key))
    if (known.size >= MAX_YEARS) known.clear()
    known.set(key, held)
    return held
  }
}
