/** When a person may be written to, on their own clock. */
export interface SendingWindow {
  /** 0 is Sunday. */
  readonly days: readonly number[]
  /** Minutes since midnight; `to` is exclusive, and on the day after where it is not later than `from`. */
  readonly from: number
  readonly to: number
}

/** Marketing: Monday to Saturday, 8 to 20 h. */
export const MARKETING_WINDOW: SendingWindow = { days: [1, 2, 3, 4, 5, 6], from: 480, to: 1200 }

/** States of Brazil by area code. */
const STATES: readonly (readonly [state: string, codes: string])[] = [
  ['SP', '11 12 13 14 15 16 17 18 19'],
  ['RJ', '21 22 24'],
  ['ES', '27 28'],
  ['MG', '31 32 33 34 35 37 38'],
  ['PR', '41 42 43 44 45 46'],
  ['SC', '47 48 49'],
  ['RS', '51 53 54 55'],
  ['DF', '61'],
  ['GO', '62 64'],
  ['TO', '63'],
  ['MT', '65 66'],
  ['MS', '67'],
  ['AC', '68'],
  ['RO', '69'],
  ['BA', '71 73 74 75 77'],
  ['SE', '79'],
  ['PE', '81 87'],
  ['AL', '82'],
  ['PB', '83'],
  ['RN', '84'],
  ['CE', '85 88'],
  ['PI', '86 89'],
  ['PA', '91 93 94'],
  ['AM', '92 97'],
  ['RR', '95'],
  ['AP', '96'],
  ['MA', '98 99'],
]
const STATE_OF = new Map(STATES.flatMap(([state, codes]) => codes.split(' ').map(code => [code, state] as const)))
const FOUR_HOURS = new Set(['65', '66', '67', '69', '92', '95', '97'])

/** The state and the clock of a Brazilian number, by its area code. */
export const placeInBrazil = (phone: string): { readonly state: string; readonly zone: string } => {
  const code = phone.slice(3, 5)
  const zone = code === '68' ? 'America/Rio_Branco' : FOUR_HOURS.has(code) ? 'America/Manaus' : 'America/Sao_Paulo'
  return { state: STATE_OF.get(code) ?? '', zone }
}

/** Local time in a zone. */
interface ZoneClock {
  /** YYYY-MM-DD */
  readonly day: string
  /** 0 is Sunday. */
  readonly weekday: number
  /** Since midnight. */
  readonly minute: number
}

const FORMATS = new Map<string, Intl.DateTimeFormat>()

const zoneClock = (time: number, zone: string): ZoneClock => {
  let format = FORMATS.get(zone)
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', ...parts })
    FORMATS.set(zone, format)
  }
  const found = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
  const day = `${found.year}-${found.month}-${found.day}`
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return { day, weekday, minute: Number(found.hour) * 60 + Number(found.minute) }
}

const STEP_MS = 15 * 60_000
const MAX_STEPS = 21 * 24 * 4

/**
 * The first moment (ms) from `time` on, to a quarter of an hour, at which the window is open in all the zones; `time`
 * itself where it is open now, undefined where it does not open within three weeks.
 */
export const windowOpens = (
  window: SendingWindow,
  time: number,
  zones: readonly string[],
  isHoliday: (day: string) => boolean,
): number | undefined => {
  const { days, from, to } = window
  const isOpen = (moment: number) =>
    zones.every(zone => {
      const { day, weekday, minute } = zoneClock(moment, zone)
      if (isHoliday(day)) return false
      if (from < to) return days.includes(weekday) && minute >= from && minute < to
      return minute >= from ? days.includes(weekday) : minute < to && days.includes((weekday + 6) % 7)
    })
  if (isOpen(time)) return time
  const first = Math.ceil((time + 1) / STEP_MS) * STEP_MS
  for (let step = 0; step < MAX_STEPS; step += 1) if (isOpen(first + step * STEP_MS)) return first + step * STEP_MS
  return undefined
}
