/** Words of calendars in English, Portuguese and Spanish, folded. */
const MONTHS: readonly string[] = [
  'january|jan|janeiro|enero|ene',
  'february|feb|fevereiro|fev|febrero',
  'march|mar|marco|marzo',
  'april|apr|abril|abr',
  'may|maio|mai|mayo',
  'june|jun|junho|junio',
  'july|jul|julho|julio',
  'august|aug|agosto|ago',
  'september|sept|sep|setembro|set|septiembre|setiembre',
  'october|oct|outubro|out|octubre',
  'november|nov|novembro|noviembre',
  'december|dec|dezembro|dez|diciembre|dic',
]

/** Sunday first, as `Date` counts them. Spanish `mar` is the month alone. */
const WEEKDAYS: readonly string[] = [
  'sunday|sun|domingo|dom',
  'monday|mon|segunda|segunda-feira|segunda feira|2a feira|2ª feira|seg|lunes|lun',
  'tuesday|tues|tue|terca|terca-feira|terca feira|3a feira|3ª feira|ter|martes',
  'wednesday|wed|quarta|quarta-feira|quarta feira|4a feira|4ª feira|qua|miercoles|mie',
  'thursday|thurs|thur|thu|quinta|quinta-feira|quinta feira|5a feira|5ª feira|qui|jueves|jue',
  'friday|fri|sexta|sexta-feira|sexta feira|6a feira|6ª feira|sex|viernes|vie',
  'saturday|sat|sabado|sab',
]

/** Days from today. */
const RELATIVE: readonly (readonly [days: number, words: string])[] = [
  [0, 'today|hoje|hoy'],
  [1, 'tomorrow|amanha|manana'],
  [2, 'day after tomorrow|the day after tomorrow|depois de amanha|pasado manana'],
  [-1, 'yesterday|ontem|ayer'],
  [-2, 'day before yesterday|the day before yesterday|anteontem|antes de ontem|anteayer|antier'],
]

const places = (lists: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((words, place) => words.split('|').map(word => [word, place] as const)))

const BY_MONTH = places(MONTHS)
const BY_WEEKDAY = places(WEEKDAYS)
const BY_RELATIVE = new Map(RELATIVE.flatMap(([days, words]) => words.split('|').map(word => [word, days] as const)))

/** 1 to 12. */
export const monthNamed = (word: string): number | undefined => {
  const place = BY_MONTH.get(word)
  return place === undefined ? undefined : place + 1
}

/** 0 for Sunday to 6. */
export const weekdayNamed = (word: string): number | undefined => BY_WEEKDAY.get(word)

/** Days from today: 1 for tomorrow. */
export const daysFromToday = (word: string): number | undefined => BY_RELATIVE.get(word)
