const HOUR = 3_600_000
const DAY = 24 * HOUR
/** São Paulo has kept this distance from UTC all year since 2019. */
const SAO_PAULO = -3 * HOUR
const SUNDAY = 0
const SATURDAY = 6

/** A time of day in São Paulo, `09:40`, on the working day that lies so many before the given moment: 1 is the last. */
export const workingTime = (now: Date, daysBefore: number, clock: string): Date => {
  let midnight = Math.floor((now.getTime() + SAO_PAULO) / DAY) * DAY
  for (let left = daysBefore; left > 0; ) {
    midnight -= DAY
    const weekday = new Date(midnight).getUTCDay()
    if (weekday !== SUNDAY && weekday !== SATURDAY) left -= 1
  }
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return new Date(midnight - SAO_PAULO + hours * HOUR + minutes * 60_000)
}
