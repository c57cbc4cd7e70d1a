/** A time of day. */
export interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const NAMED: ReadonlyMap<string, number> = new Map([
  ...['noon', 'midday', 'meio-dia', 'meio dia', 'mediodia', 'medio dia'].map(word => [word, 12] as const),
  ...['midnight', 'meia-noite', 'meia noite', 'medianoche', 'media noche'].map(word => [word, 0] as const),
])

/** Which half of the day words mean; the evening of some is the night of others, all of it is after noon. */
const MORNING = /^(?:am|in the morning|da manha|da madrugada|de la manana|de la madrugada)$/u
const AFTERNOON =
  /^(?:pm|in the afternoon|in the evening|at night|da tarde|da noite|de la tarde|de la noche|por la tarde|por la noche)$/u

const NIGHT = /noite|noche|night/u

const INTRODUCED = /^(?:at |as |a las |a la |ao |al |a |la |las |por volta das |around )/u
const WITH_MINUTES =
  /^(\d{1,2})(:| ?h ?|h:| horas e | hours and | horas y | horas con )(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?(h|hs|hrs?|horas?|hours?|min|mins|minutos|minutes|m))?(?: (.+))?$/u
const HOURS = /^(\d{1,2})(?: ?(h|hs|hrs?|horas?|hours?|o'clock|oclock|en punto|em ponto))?(?: (.+))?$/u
const DOTTED = /^(\d{1,2})\.(\d{2})(?: ([ap]m))?$/u

/** am and pm as one word with a space before it. */
const withHalf = (text: string): string => text.replace(/(?<=[\dh]) ?([ap])\.? ?m\.?$/u, ' $1m')

/** 12 at night is midnight, 12 pm and 12 in the afternoon are noon; 15h in the afternoon says it twice. */
const hourOf = (hour: number, half: string | undefined): number | undefined => {
  if (half === undefined) return hour
  if (MORNING.test(half)) return hour <= 12 ? hour % 12 : undefined
  if (!AFTERNOON.test(half) || hour === 0) return undefined
  if (hour === 12) return NIGHT.test(half) ? 0 : 12
  return hour < 12 ? hour + 12 : hour
}

const clockOf = (hour: number, minute: number, second: number, half: string | undefined): Clock | undefined => {
  const of24 = hourOf(hour, half)
  return of24 !== undefined && of24 < 24 && minute < 60 && second < 60 ? { hour: of24, minute, second } : undefined
}

/**
 * A bare number is an hour only after a word that says so, and of 24 hours: `às 8`, `a las 15`. English means two by
 * `at 8`, so that it takes `at 15` alone.
 */
const isHour = (hour: number, text: string): boolean =>
  /^(?:as|a las|a la) /u.test(text) || (INTRODUCED.test(text) && hour > 12)

/**
 * The time of day that a folded line names: `14:30`, `14h30`, `14h`, `2pm`, `2:30 p.m.`, `3 da tarde`, `noon`. Undefined
 * for none. `dotted` reads `14.30` too, which can be a date elsewhere.
 */
export const clockIn = (text: string, dotted = false): Clock | undefined => {
  const bare = withHalf(text).replace(INTRODUCED, '')
  const named = NAMED.get(bare)
  if (named !== undefined) return { hour: named, minute: 0, second: 0 }
  const [, hour, mark = '', minute, second, unit = '', half] = WITH_MINUTES.exec(bare) ?? []
  // 10h 11h are two times.
  if (hour !== undefined && mark.includes('h') && unit.startsWith('h')) return undefined
  if (hour !== undefined) return clockOf(Number(hour), Number(minute), Number(second ?? 0), half)
  const [, dottedHour, dottedMinute, dottedHalf] = DOTTED.exec(bare) ?? []
  if (dottedHour !== undefined)
    return dotted || dottedHalf !== undefined
      ? clockOf(Number(dottedHour), Number(dottedMinute), 0, dottedHalf)
      : undefined
  const [, full, hours, part] = HOURS.exec(bare) ?? []
  if (full === undefined || (hours === undefined && part === undefined && !isHour(Number(full), text))) return undefined
  return clockOf(Number(full), 0, 0, part)
}
