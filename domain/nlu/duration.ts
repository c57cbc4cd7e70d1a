import type { Unit, UnitFamily } from '#domain/conversation/answer/unit.ts'

const unit = (factor: number, names: string): Unit => ({ quantity: 'duration', factor, names: names.split('|') })

/** In seconds, names folded; a month is the twelfth of a year of 365.25 days. */
export const DURATION: UnitFamily = new Map([
  ['s', unit(1, 's|sec|secs|second|seconds|seg|segs|segundo|segundos')],
  ['min', unit(60, 'min|mins|minute|minutes|minuto|minutos')],
  ['h', unit(3600, 'h|hr|hrs|hs|hour|hours|hora|horas')],
  ['d', unit(86_400, 'd|day|days|dia|dias')],
  ['w', unit(604_800, 'w|week|weeks|semana|semanas')],
  ['month', unit(2_629_800, 'month|months|mes|meses')],
  ['year', unit(31_557_600, 'y|year|years|yr|yrs|ano|anos')],
])
