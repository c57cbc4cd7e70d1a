import Holidays from 'date-holidays'

/** A holiday as the library gives it. */
type Library = ReturnType<Holidays['getHolidays']>[number]

export interface Holiday {
  /** YYYY-MM-DD, as the clock of the place shows it. */
  readonly day: string
  readonly name: string
  /** public, bank, school, optional or observance. */
  readonly type: string
}

/** A country by ISO 3166, and the code of a state of it; '' for the country as a whole. */
export interface Place {
  readonly country: string
  readonly state: string
}

/** States whose own law on this day hides, in the library, the national one of 2023 (Lei 14.759). */
const WITHOUT_CONSCIENCE_DAY = new Set(['AM', 'MT', 'RJ', 'SP'])
const CONSCIENCE_DAY = '11-20'
const NATIONAL_SINCE = 2024

const completed = ({ country, state }: Place, year: number, found: readonly Holiday[]): readonly Holiday[] => {
  const day = `${year}-${CONSCIENCE_DAY}`
  const missing = country === 'BR' && WITHOUT_CONSCIENCE_DAY.has(state) && year >= NATIONAL_SINCE
  if (!missing || found.some(holiday => holiday.day === day && holiday.type === 'public')) return found
  const added = { day, name: 'Dia da Consciência Negra', type: 'public' }
  return [...found, added].sort((a, b) => a.day.localeCompare(b.day))
}

const HOUR_MS = 3_600_000

/**
 * The calendar days that a holiday of the library touches. `date` says its beginning as the clock of the place shows it;
 * its end is exclusive, and an hour more or less is a change of the clock.
 */
const daysOf = ({ date, start, end }: Library): readonly string[] => {
  const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
  const hours = Number(date.slice(11, 13) || 0) + (end.getTime() - start.getTime()) / HOUR_MS
  const count = Math.max(1, Math.ceil((hours - 1) / 24))
  return Array.from({ length: count }, (_, day) => new Date(first + day * 24 * HOUR_MS).toISOString().slice(0, 10))
}

/** The holidays of a year in a place, one entry for each of their days, in their order; none where the place is not known. */
export const holidaysOf = (place: Place, year: number): readonly Holiday[] => {
  const { country, state } = place
  const known = new Holidays()
  if (!Object.hasOwn(known.getCountries() ?? {}, country)) return []
  const states = known.getStates(country) ?? {}
  const calendar = Object.hasOwn(states, state) ? new Holidays(country, state) : new Holidays(country)
  // One that begins in the last days of a year may end in the next.
  const found = [...calendar.getHolidays(year - 1), ...calendar.getHolidays(year)].flatMap(holiday =>
    daysOf(holiday).map(day => ({ day, name: holiday.name, type: holiday.type })),
  )
  const within = found.filter(({ day }) => day.startsWith(`${year}-`)).sort((a, b) => a.day.localeCompare(b.day))
  return completed(place, year, within)
}

/** Countries with known holidays, by code; those of a country's states instead, where one is given. */
export const regions = (country?: string): { readonly [code: string]: string } => {
  const known = new Holidays()
  return (country === undefined ? known.getCountries() : known.getStates(country)) ?? {}
}

/** Returns a test for holidays of some types in a place. Days are YYYY-MM-DD; each year is read once. */
export const createHolidayCheck = (place: Place, types: readonly string[]): ((day: string) => boolean) => {
  const years = new Map<number, ReadonlySet<string>>()
  return day => {
    const year = Number(day.slice(0, 4))
    const held =
      years.get(year) ??
      new Set(holidaysOf(place, year).flatMap(holiday => (types.includes(holiday.type) ? holiday.day : [])))
    years.set(year, held)
    return held.has(day)
  }
}
