import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import type { AnswerPlace } from './answer-result.ts'
import { readTime } from './time-answer.ts'

/** Monday, 4 May 2026, 10:20:30 in São Paulo. */
const PLACE: AnswerPlace = {
  locale: 'pt-BR',
  now: Date.parse('2026-05-04T10:20:30-03:00'),
  timezone: 'America/Sao_Paulo',
}

const read = (said: string, type: string, place: Partial<AnswerPlace> = {}) => {
  const result = readTime(said, type, { ...PLACE, ...place })
  return result.ok ? result.value : undefined
}

describe('time, datetime and parts [D-5.19]', () => {
  test.each([
    ['14:30', '14:30'],
    ['9:05', '09:05'],
    ['14:30:15', '14:30'],
    ['14h30', '14:30'],
    ['14h30min', '14:30'],
    ['14 h', '14:00'],
    ['14h', '14:00'],
    ['14hs', '14:00'],
    ['8 horas', '08:00'],
    ['8 horas e 30 minutos', '08:30'],
    ['2pm', '14:00'],
    ['2 p.m.', '14:00'],
    ['2:30 PM', '14:30'],
    ['12 am', '00:00'],
    ['12pm', '12:00'],
    ['13pm', '13:00'],
    ['13am', undefined],
    ['0 pm', undefined],
    ['3 da tarde', '15:00'],
    ['às 8 da noite', '20:00'],
    ['12 da noite', '00:00'],
    ['a las 8 de la mañana', '08:00'],
    ['3 in the afternoon', '15:00'],
    ['meio-dia', '12:00'],
    ['Noon', '12:00'],
    ['medianoche', '00:00'],
    ['agora', '10:20'],
    ['às 8', '08:00'],
    ['a las 20', '20:00'],
    ['at 15', '15:00'],
    ['at 8', undefined],
    ['14.30', '14:30'],
    ['14h 30', '14:30'],
    ['2.30pm', '14:30'],
    ['amanhã às 15h', '15:00'],
    ['2026-05-12T14:30:00', '14:30'],
    ['2026-05-12T14:30:00Z', '11:30'],
    ['14', undefined],
    ['24:00', undefined],
    ['12:60', undefined],
    ['14:30:60', undefined],
    ['-1:00', undefined],
    ['hoje', undefined],
    ['1e1:00', undefined],
    ['half past two', undefined],
  ])('time: %j is %j', (said, time) => {
    expect(read(said, 'time')).toBe(time)
  })

  test.each([
    ['2026-05-12T14:30', '2026-05-12T14:30:00'],
    ['2026-05-12 14:30:15', '2026-05-12T14:30:15'],
    ['2026-05-12T14:30:15.123Z', '2026-05-12T11:30:15'],
    ['2026-05-12T14:30+02:00', '2026-05-12T09:30:00'],
    ['2026-05-12T14:30:00-0300', '2026-05-12T14:30:00'],
    ['12/05/2026 14:30', '2026-05-12T14:30:00'],
    ['12/05 às 14h30', '2026-05-12T14:30:00'],
    ['amanhã às 15h', '2026-05-05T15:00:00'],
    ['amanhã, 15h', '2026-05-05T15:00:00'],
    ['tomorrow at 3pm', '2026-05-05T15:00:00'],
    ['2.30 pm tomorrow', '2026-05-05T14:30:00'],
    ['10.30', undefined],
    ['3pm tomorrow', '2026-05-05T15:00:00'],
    ['15h de amanhã', '2026-05-05T15:00:00'],
    ['3 da tarde de amanhã', '2026-05-05T15:00:00'],
    ['às 10h do dia 12/05', '2026-05-12T10:00:00'],
    ['sexta 10h', '2026-05-08T10:00:00'],
    ['10h no sábado', '2026-05-09T10:00:00'],
    ['mañana a las 8', '2026-05-05T08:00:00'],
    ['el 12 de mayo a las 14:30', '2026-05-12T14:30:00'],
    ['May 12, 2026 at 2pm', '2026-05-12T14:00:00'],
    ['12 de maio de 2026 ao meio-dia', '2026-05-12T12:00:00'],
    ['12 de maio de 2026 meio-dia', '2026-05-12T12:00:00'],
    ['agora', '2026-05-04T10:20:30'],
    ['15h', '2026-05-04T15:00:00'],
    ['10:20', '2026-05-04T10:20:00'],
    ['10:19', '2026-05-05T10:19:00'],
    ['amanhã', '2026-05-05T00:00:00'],
    ['ontem às 25h', undefined],
    ['sexta sábado', undefined],
    ['10h 11h', undefined],
  ])('datetime: %j is %j', (said, datetime) => {
    expect(read(said, 'datetime')).toBe(datetime)
  })

  test.each([
    ['day', '12', 12],
    ['day', 'dia 5', 5],
    ['day', '1º', 1],
    ['day', '12/05', 12],
    ['day', 'amanhã', 5],
    ['day', '0', undefined],
    ['day', '32', undefined],
    ['day', '1,5', undefined],
    ['month', '5', 5],
    ['month', 'maio', 5],
    ['month', 'DEZ.', 12],
    ['month', 'mês de março', 3],
    ['month', 'May 2026', 5],
    ['month', '05/2026', 5],
    ['month', '12/05/2026', 5],
    ['month', '13', undefined],
    ['month', '0', undefined],
    ['month', 'smarch', undefined],
    ['year', '2026', 2026],
    ['year', 'ano 1985', 1985],
    ['year', 'em 2020', 2020],
    ['year', 'maio de 2027', 2027],
    ['year', '12/05/1985', 1985],
    ['year', 'amanhã', 2026],
    ['year', '85', undefined],
    ['year', '0999', undefined],
    ['year', '20261', undefined],
    ['year', '２０２６', undefined],
  ])('%s: %j is %j', (type, said, part) => {
    expect(read(said, type)).toBe(part)
  })

  const TYPES = ['date', 'time', 'datetime', 'day', 'month', 'year', '', 'toString']

  test.each(TYPES)('%j survives odd texts at once', type => {
    const began = processorMs()
    for (const text of ODD_TEXTS) expect(typeof readTime(text, type, PLACE).ok).toBe('boolean')
    for (const word of ['a ', '1 ', '12/', 'de ', '1:', 'segunda '])
      expect(typeof readTime(word.repeat(200 / word.length), type, PLACE).ok).toBe('boolean')
    expect(processorMs() - began).toBeLessThan(1_000)
  })

  test('never throws, for any input, locale, time and zone', () => {
    const near = fc
      .array(fc.constantFrom('12', '/', '05', 'de', ' ', 'maio', 'às', '14h', ':', '30', 'sexta', '-', 'T', 'pm'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(
        fc.oneof(anyText(), near),
        fc.constantFrom(...TYPES),
        fc.oneof(anyText(8), fc.constantFrom('pt', 'en-US')),
        fc.oneof(fc.double(), fc.integer({ min: -9e15, max: 9e15 })),
        fc.oneof(anyText(8), fc.constantFrom('UTC', 'Asia/Kolkata')),
        (said, type, locale, now, timezone) => {
          expect(typeof readTime(said, type, { locale, now, timezone }).ok).toBe('boolean')
        },
      ),
      { numRuns: 2_000 },
    )
  })

  const moment = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })

  test('reads stored values back unchanged', () => {
    fc.assert(
      fc.property(moment, date => {
        const iso = date.toISOString().slice(0, 19)
        expect(read(iso, 'datetime')).toBe(iso)
        expect(read(iso.slice(0, 10), 'date')).toBe(iso.slice(0, 10))
        expect(read(iso.slice(11, 16), 'time')).toBe(iso.slice(11, 16))
      }),
    )
  })

  test.each(['pt-BR', 'es-ES', 'en-US', 'en-GB'])('dates as %s writes them read back', locale => {
    fc.assert(
      fc.property(moment, fc.constantFrom('short', 'medium', 'long', 'full'), (date, dateStyle) => {
        const style =
          dateStyle === 'short' ? ({ year: 'numeric', month: '2-digit', day: '2-digit' } as const) : { dateStyle }
        const said = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC', calendar: 'gregory' }).format(date)
        // Before October 1582 Intl counts days by the Julian calendar.
        if (date.getUTCFullYear() > 1600)
          expect([said, read(said, 'date', { locale })]).toEqual([said, date.toISOString().slice(0, 10)])
      }),
    )
  })
})
