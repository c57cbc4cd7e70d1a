import { describe, expect, test } from 'vitest'
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

describe('date [D-5.19]', () => {
  test.each([
    ['2026-05-12', '2026-05-12'],
    ['2026-5-2', '2026-05-02'],
    ['2026/05/12', '2026-05-12'],
    ['2026-05-12T14:30', '2026-05-12'],
    ['2026-05-12T01:30:00Z', '2026-05-11'],
    ['12/05/2026', '2026-05-12'],
    ['1/2/1985', '1985-02-01'],
    ['12-05-2026', '2026-05-12'],
    ['12.05.2026', '2026-05-12'],
    ['12 05 2026', '2026-05-12'],
    ['12/05/26', '2026-05-12'],
    ['12/05/85', '1985-05-12'],
    ['12/05/46', '2046-05-12'],
    ['12/05/47', '1947-05-12'],
    ['12/05', '2026-05-12'],
    ['04/05', '2026-05-04'],
    ['03/05', '2027-05-03'],
    ['29/02', '2028-02-29'],
    ['29/02/2025', undefined],
    ['31/04', undefined],
    ['31/04/2026', undefined],
    ['00/05/2026', undefined],
    ['12/13/2026', undefined],
    ['2026-02-30', undefined],
    ['2026-02-30T10:00:00Z', undefined],
    ['0000-01-01', undefined],
    ['12/05-2026', undefined],
    ['12/05/2026/1', undefined],
    ['hoje', '2026-05-04'],
    ['Today', '2026-05-04'],
    ['hoy', '2026-05-04'],
    ['agora', '2026-05-04'],
    ['amanhã!', '2026-05-05'],
    ['TOMORROW', '2026-05-05'],
    ['mañana', '2026-05-05'],
    ['ontem', '2026-05-03'],
    ['yesterday', '2026-05-03'],
    ['ayer.', '2026-05-03'],
    ['depois de amanhã', '2026-05-06'],
    ['pasado mañana', '2026-05-06'],
    ['the day after tomorrow', '2026-05-06'],
    ['anteontem', '2026-05-02'],
    ['segunda', '2026-05-11'],
    ['Segunda-feira', '2026-05-11'],
    ['monday', '2026-05-11'],
    ['lunes', '2026-05-11'],
    ['terça', '2026-05-05'],
    ['sexta-feira', '2026-05-08'],
    ['5ª feira', '2026-05-07'],
    ['próxima sexta', '2026-05-08'],
    ['na próxima sexta', '2026-05-08'],
    ['sexta que vem', '2026-05-08'],
    ['next friday', '2026-05-08'],
    ['on Friday', '2026-05-08'],
    ['el viernes que viene', '2026-05-08'],
    ['miércoles', '2026-05-06'],
    ['sábado', '2026-05-09'],
    ['domingo', '2026-05-10'],
    ['sun', '2026-05-10'],
    ['segunda passada', '2026-04-27'],
    ['last friday', '2026-05-01'],
    ['el martes pasado', '2026-04-28'],
    ['12 de maio', '2026-05-12'],
    ['12 de maio de 2027', '2027-05-12'],
    ['1º de janeiro', '2027-01-01'],
    ['primeiro de maio', '2027-05-01'],
    ['dia 12 de maio', '2026-05-12'],
    ['12 mai', '2026-05-12'],
    ['12/mai/2026', '2026-05-12'],
    ['12-dez-26', '2026-12-12'],
    ['May 12', '2026-05-12'],
    ['May 12th, 2026', '2026-05-12'],
    ['12th of May', '2026-05-12'],
    ['Sept. 3, 2026', '2026-09-03'],
    ['el 12 de mayo del 2026', '2026-05-12'],
    ['3 marzo', '2027-03-03'],
    ['30 de fevereiro', undefined],
    ['32 de maio', undefined],
    ['12 de blabla', undefined],
    ['segunda, 11/05', '2026-05-11'],
    ['seg 11/05/2026', '2026-05-11'],
    ['Monday, May 11', '2026-05-11'],
    ['terça, 11/05', undefined],
    ['amanhã às 15h', '2026-05-05'],
    ['15h', undefined],
    ['maio', undefined],
    ['maio de 2026', undefined],
    ['12', undefined],
    ['2026', undefined],
    ['20260512', undefined],
    ['quando der', undefined],
    ['\u200f12/05/2026\u200f', '2026-05-12'],
    ['١٢/٠٥/٢٠٢٦', undefined],
    ['½/05', undefined],
  ])('%j is %j', (said, date) => {
    expect(read(said, 'date')).toBe(date)
  })

  test('the month comes first in the United States alone', () => {
    expect(read('05/12/2026', 'date', { locale: 'en-US' })).toBe('2026-05-12')
    expect(read('12/25', 'date', { locale: 'en-US' })).toBe('2026-12-25')
    expect(read('25/12/2026', 'date', { locale: 'en-US' })).toBeUndefined()
    for (const locale of ['en', 'en-GB', 'pt-BR', 'es', ''])
      expect(read('05/12/2026', 'date', { locale })).toBe('2026-12-05')
  })

  test('today is that of the place', () => {
    const now = Date.parse('2026-05-04T23:30:00-03:00')
    expect(read('hoje', 'date', { now })).toBe('2026-05-04')
    expect(read('hoje', 'date', { now, timezone: 'Europe/Lisbon' })).toBe('2026-05-05')
    expect(read('hoje', 'date', { now, timezone: 'Nowhere/At_All' })).toBe('2026-05-04')
    expect(read('hoje', 'date', { now: Number.NaN })).toBeUndefined()
    expect(read('31/12', 'date', { now: Date.parse('2026-12-31T23:59:00-03:00') })).toBe('2026-12-31')
    expect(read('amanhã', 'date', { now: Date.parse('2028-02-28T12:00:00-03:00') })).toBe('2028-02-29')
  })
})
