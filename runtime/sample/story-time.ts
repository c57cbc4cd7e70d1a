export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** São Paulo has kept this distance from UTC all year since 2019. */
const SAO_PAULO = -3 * HOUR

/** Begin of a day in São Paulo, ms since 1970. */
export const midnightOf = (time: number): number => Math.floor((time + SAO_PAULO) / DAY) * DAY - SAO_PAULO

/** Whether a day, given by its begin, is no Saturday or Sunday. */
export const isWorkingDay = (midnight: number): boolean => ![0, 6].includes(weekdayOf(midnight))

/** 0: Sunday. */
export const weekdayOf = (midnight: number): number => new Date(midnight + SAO_PAULO).getUTCDay()

/** Working days before the first start, by the day of the story: two months of conversations follow its first week. */
const WORKING_DAYS: Readonly<Record<number, number>> = { 5: 47, 4: 46, 3: 45, 2: 44, 1: 9, 0: 1 }

/** A time of day in São Paulo, `09:40`, on a day of the story. */
export const storyTime = (now: Date, day: number, clock: string): Date => {
  let midnight = midnightOf(now.getTime())
  for (let left = WORKING_DAYS[day] ?? 0; left > 0; ) {
    midnight -= DAY
    if (isWorkingDay(midnight)) left -= 1
  }
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return new Date(midnight + hours * HOUR + minutes * MINUTE)
}
