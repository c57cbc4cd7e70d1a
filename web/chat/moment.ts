/** Silence after which a message is preceded by its time. */
const PAUSE_MS = 30 * 60_000
const DAY_MS = 86_400_000

const localeOf = (language: string): string => (language === 'pt' ? 'pt-BR' : language)
const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Whether so much time lies between two messages that the second one says when it came. */
export const isPause = (before: number, at: number): boolean => at - before > PAUSE_MS

/** `09:15`. */
export const timeText = (at: number, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { hour: '2-digit', minute: '2-digit' }).format(at)

/** `today, 09:15`, `yesterday, 09:15`, else the date with the time. */
export const momentText = (at: number, language: string, now = Date.now()): string => {
  const days = Math.round((midnight(at) - midnight(now)) / DAY_MS)
  const day =
    days === 0 || days === -1
      ? new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium' }).format(at)
  return `${day}, ${timeText(at, language)}`
}
