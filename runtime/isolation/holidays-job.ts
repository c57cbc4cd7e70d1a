import { type Holiday, holidaysOf, type Place } from '#domain/calendar/holiday.ts'

interface HolidaysInput {
  readonly place: Place
  readonly year: number
}

export const run = ({ place, year }: HolidaysInput): readonly Holiday[] => holidaysOf(place, year)
