import { type ChoosableDays, isChoosable } from '#domain/conversation/message.ts'
import { h, icon } from './dom.ts'
import type { ViewContext } from './view-context.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** A day of the local calendar as `YYYY-MM-DD`. */
const isoOf = (day: Date): string => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`

/** Days that are looked at for one that can be chosen. */
const MAX_AHEAD = 800

/** The day itself, else the next one that can be chosen; the day itself again where there is none. */
const firstSelectableDay = (today: Date, days: ChoosableDays | undefined): Date => {
  const begins = days?.from ?? days?.only?.find(day => day >= isoOf(today)) ?? ''
  const from = begins > isoOf(today) ? new Date(`${begins}T00:00`) : today
  for (let ahead = 0; ahead < MAX_AHEAD; ahead += 1) {
    const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() + ahead)
    if (isChoosable(isoOf(day), days)) return day
  }
  return from
}

/** The weeks of a month, Sunday first; null outside of it. */
export const weeksOf = (year: number, month: number): readonly (readonly (Date | null)[])[] => {
  const before = new Date(year, month, 1).getDay()
  const days = new Date(year, month + 1, 0).getDate()
  const cells = Array.from({ length: Math.ceil((before + days) / 7) * 7 }, (_, at) => {
    const day = at - before + 1
    return day < 1 || day > days ? null : new Date(year, month, day)
  })
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Another day by a key; undefined for a key that moves nothing. */
export const dayByKey = (day: Date, key: string): Date | undefined => {
  const [year, month, date] = [day.getFullYear(), day.getMonth(), day.getDate()]
  const by = KEYS[key]
  if (by !== undefined) return new Date(year, month, date + by)
  // Not into the month after next: January 31st goes to the last of February.
  const inMonth = (other: number) => new Date(year, other, Math.min(date, new Date(year, other + 1, 0).getDate()))
  if (key === 'PageUp') return inMonth(month - 1)
  if (key === 'PageDown') return inMonth(month + 1)
  if (key === 'Home') return new Date(year, month, date - day.getDay())
  if (key === 'End') return new Date(year, month, date + 6 - day.getDay())
  return undefined
}

interface CalendarOptions {
  readonly context: ViewContext
  /** Also asks for a time of day. */
  readonly withTime: boolean
  readonly today: Date
  readonly days: ChoosableDays | undefined
  onChoose(iso: string, shown: string): void
}

/** A month as a grid: arrows move by days and weeks, Page Up and Down by months, Enter chooses. */
class CalendarView {
  readonly element: HTMLElement
  readonly #options: CalendarOptions
  readonly #title = h('span', { 'aria-live': 'polite' })
  readonly #body = h('tbody')
  readonly #time = h('input', { type: 'time', value: '09:00', required: true })
  #day: Date

  constructor(options: CalendarOptions) {
    this.#options = options
    this.#day = firstSelectableDay(options.today, options.days)
    const { t } = options.context
    const step = (key: string) => () => {
      this.#day = dayByKey(this.#day, key) ?? this.#day
      this.#draw()
    }
    const button = (name: 'previousmonth' | 'nextmonth', key: string, sign: 'left' | 'right') =>
      h('button', { type: 'button', 'aria-label': t(name), onclick: step(key) }, icon(sign))
    const table = h(
      'table',
      { role: 'grid', 'aria-label': t('choosedate'), onkeydown: (event: KeyboardEvent) => this.#move(event) },
      h('thead', {}, h('tr', {}, ...this.#weekdays())),
      this.#body,
    )
    const time = h('label', { class: 'field' }, t('choosetime'), this.#time)
    this.element = h(
      'div',
      { class: 'card days' },
      h('header', {}, button('previousmonth', 'PageUp', 'left'), this.#title, button('nextmonth', 'PageDown', 'right')),
      table,
      options.withTime ? time : undefined,
    )
    this.#draw()
  }

  #format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const { language } = this.#options.context
    return new Intl.DateTimeFormat(language === 'pt' ? 'pt-BR' : language, options)
  }

  #weekdays(): HTMLElement[] {
    const sunday = new Date(2026, 0, 4)
    return Array.from({ length: 7 }, (_, at) => {
      const day = new Date(sunday.getFullYear(), 0, sunday.getDate() + at)
      return h(
        'th',
        { scope: 'col', abbr: this.#format({ weekday: 'long' }).format(day) },
        this.#format({ weekday: 'narrow' }).format(day),
      )
    })
  }

  #draw(): void {
    const [year, month] = [this.#day.getFullYear(), this.#day.getMonth()]
    this.#title.textContent = this.#format({ month: 'long', year: 'numeric' }).format(this.#day)
    const rows = weeksOf(year, month).map(week => h('tr', {}, ...week.map(day => h('td', {}, day && this.#cell(day)))))
    this.#body.replaceChildren(...rows)
  }

  #cell(day: Date): HTMLElement {
    const isChosen = isoOf(day) === isoOf(this.#day)
    const isClosed = !isChoosable(isoOf(day), this.#options.days)
    const label = this.#format({ dateStyle: 'full' }).format(day)
    return h(
      'button',
      {
        type: 'button',
        'data-day': isoOf(day),
        tabindex: isChosen ? 0 : -1,
        // The keyboard passes over it like over the others, and hears why it does nothing.
        'aria-disabled': isClosed ? 'true' : undefined,
        'aria-label': isClosed ? this.#options.context.t('daynotoffered', { day: label }) : label,
        'aria-current': isoOf(day) === isoOf(this.#options.today) ? 'date' : undefined,
        onclick: () => !isClosed && this.#choose(day),
      },
      String(day.getDate()),
    )
  }

  #move(event: KeyboardEvent): void {
    const next = dayByKey(this.#day, event.key)
    if (next === undefined) return
    event.preventDefault()
    this.#day = next
    this.#draw()
    this.#body.querySelector<HTMLElement>(`[data-day="${isoOf(next)}"]`)?.focus()
  }

  #choose(day: Date): void {
    const shown = this.#format({ dateStyle: 'long' }).format(day)
    const { withTime, onChoose } = this.#options
    if (!withTime) onChoose(isoOf(day), shown)
    else if (this.#time.reportValidity()) onChoose(`${isoOf(day)}T${this.#time.value}`, `${shown}, ${this.#time.value}`)
  }
}

/** A calendar that sends the chosen day as the answer. */
export const calendarView = (context: ViewContext, withTime: boolean, days?: ChoosableDays): HTMLElement =>
  new CalendarView({
    context,
    withTime,
    days,
    today: new Date(),
    onChoose: (iso, shown) => context.sendText(iso, shown),
  }).element

/** A time of the day that is sent as the answer. */
export const timeView = (context: ViewContext): HTMLElement => {
  const { t } = context
  const input = h('input', { type: 'time', value: '09:00', required: true, 'aria-label': t('choosetime') })
  const send = () => {
    if (input.reportValidity()) context.sendText(input.value, input.value)
  }
  return h(
    'div',
    { class: 'card pick' },
    input,
    h('button', { type: 'button', class: 'primary', onclick: send }, t('send')),
  )
}
