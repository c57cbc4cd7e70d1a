import { latePart, useLatePart } from '#web/lazy-module.ts'

/** The calendars of all countries; loaded on first use because they are large. */
export const holidays = latePart(() => import('#domain/calendar/holiday.ts'))

/** Names of countries by code, or of a country's states; undefined while they load, and where none are known. */
export const useRegions = (country: string | undefined): { readonly [code: string]: string } | undefined => {
  const { value } = useLatePart(holidays)
  const found = value?.regions(country)
  return found === undefined || Object.keys(found).length === 0 ? undefined : found
}
