import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#schemas/event.ts'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import type { AnswerPlace } from './answer-result.ts'
import { type AnswerInput, type AnswerSpec, readAnswer, wantedOf } from './read-answer.ts'

const PLACE: AnswerPlace = { locale: 'pt-BR', now: Date.parse('2026-05-04T13:00:00Z'), timezone: 'America/Sao_Paulo' }
const CONTEXT = { options: [{ title: 'Boleto', value: 'bill' }], fuzzy: true }

const answer = (said: AnswerInput, data: JsonObject, place = PLACE): Json | undefined => {
  const result = readAnswer(said, wantedOf({ data }, CONTEXT), place)
  return result.ok ? result.value : undefined
}

describe('readAnswer', () => {
  test.each<[AnswerInput, JsonObject, Json | undefined]>([
    [{ text: ' oi ' }, { type: 'text' }, 'oi'],
    [{ text: 'oi' }, {}, 'oi'],
    [{ text: 'oi' }, { type: 'text', validationType: 'Email' }, undefined],
    [{ text: 'Quero um', value: 'quero um boleto' }, { type: 'text' }, 'quero um boleto'],
    [{ value: 5 }, { type: 'text' }, '5'],
    [{ value: { a: 1 } }, { type: 'text' }, undefined],
    [{ text: '1.234,5' }, { type: 'number' }, 1234.5],
    [{ text: 'Dois', value: '2' }, { type: 'number' }, 2],
    [{ text: '2', value: 'two' }, { type: 'number' }, 2],
    [{ text: 'x', value: 1.234 }, { type: 'number' }, 1.234],
    [{ value: true }, { type: 'number' }, undefined],
    [{ text: '529.982.247-25' }, { type: 'number', validationType: 'CPF' }, '52998224725'],
    [{ text: '1,80 m' }, { type: 'number', validationType: 'Dimension', unit: 'cm' }, 180],
    [{ text: 'amanhã' }, { type: 'time' }, '2026-05-05'],
    [{ text: '14h30' }, { type: 'time', dateExtractType: 'time' }, '14:30'],
    [{ text: 'sim' }, { type: 'confirm' }, true],
    [{ text: 'Claro que não', value: 'false' }, { type: 'confirm' }, false],
    [{ value: true }, { type: 'confirm' }, true],
    [{ value: 1 }, { type: 'confirm' }, true],
    [{ text: 'boelto' }, { type: 'choice' }, 'bill'],
    [{ text: 'Boleto', value: 'bill' }, { type: 'choice' }, 'bill'],
    [{ text: 'Boleto', value: 'gone' }, { type: 'choice' }, 'bill'],
    [{ text: 'nada disso' }, { type: 'choice' }, undefined],
    [{ text: 'Rua 1' }, { type: 'location' }, { address: 'Rua 1' }],
    [{ location: { latitude: 1, longitude: 2 } }, { type: 'location' }, { geo: { latitude: 1, longitude: 2 } }],
    [{ value: { geo: { latitude: 1, longitude: 2 } } }, { type: 'location' }, { geo: { latitude: 1, longitude: 2 } }],
    [{ location: {}, text: 'Rua 1' }, { type: 'location' }, undefined],
    [
      { attachments: [{ contentType: 'image/png', contentUrl: 'u' }], text: 'here' },
      { type: 'attachment' },
      { contentType: 'image/png', contentUrl: 'u' },
    ],
    [{ text: 'a.png' }, { type: 'attachment' }, undefined],
    [{}, { type: 'text' }, undefined],
    [{}, { type: 'location' }, undefined],
  ])('%j to %j keeps %j', (said, data, value) => {
    expect(answer(said, data)).toEqual(value)
  })

  test('the same words at the same moment give the same value, elsewhere another', () => {
    const said = { text: 'hoje' }
    expect(answer(said, { type: 'time' })).toBe('2026-05-04')
    const later = { ...PLACE, now: PLACE.now + 86_400_000 }
    expect(answer(said, { type: 'time' }, later)).toBe('2026-05-05')
    expect(answer({ text: '1.234' }, { type: 'number' }, { ...PLACE, locale: 'en' })).toBe(1.234)
  })

  test('never throws, for any answer to any question', () => {
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>
    const said = fc.record(
      {
        text: fc.oneof(anyText(), fc.constantFrom(...ODD_TEXTS)),
        value: json,
        location: fc.dictionary(anyText(5), json),
        attachments: fc.array(fc.dictionary(anyText(5), json), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    )
    const odd = fc.dictionary(fc.constantFrom('type', 'validationType', 'unit', 'dateExtractType'), json)
    const real = fc.record({
      type: fc.constantFrom('text', 'number', 'time', 'confirm', 'choice', 'location', 'attachment'),
      validationType: fc.constantFrom('none', 'CPF', 'Age', 'Currency', 'Ordinal', 'Email', 'MobilePhone', 'IP'),
      unit: fc.constantFrom('', 'year', 'BRL', 'x'),
      dateExtractType: fc.constantFrom('date', 'datetime', 'year'),
    })
    fc.assert(
      fc.property(said, fc.oneof(real, odd), (input, data) => {
        const result = readAnswer(input as AnswerInput, wantedOf({ data }, CONTEXT), PLACE)
        if (result.ok) expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('wantedOf', () => {
  test.each<[JsonObject, AnswerSpec]>([
    [{}, { kind: 'text', validationType: 'none' }],
    [{ data: null }, { kind: 'text', validationType: 'none' }],
    [{ data: 'x' }, { kind: 'text', validationType: 'none' }],
    [{ data: [] }, { kind: 'text', validationType: 'none' }],
    [{ data: { type: 'text', validationType: 'URL' } }, { kind: 'text', validationType: 'URL' }],
    [{ data: { type: 'haiku', validationType: 7 } }, { kind: 'text', validationType: 'none' }],
    [{ data: { type: ['number'] } }, { kind: 'text', validationType: 'none' }],
    [{ data: { type: 'number' } }, { kind: 'number', validationType: 'none', unit: '' }],
    [
      { data: { type: 'number', validationType: 'Age', unit: 'year' } },
      { kind: 'number', validationType: 'Age', unit: 'year' },
    ],
    [{ data: { type: 'time' } }, { kind: 'time', dateExtractType: 'date' }],
    [{ data: { type: 'time', dateExtractType: 'month' } }, { kind: 'time', dateExtractType: 'month' }],
    [{ data: { type: 'confirm' } }, { kind: 'confirm' }],
    [{ data: { type: 'choice', options: 'x' } }, { kind: 'choice', ...CONTEXT }],
    [{ data: { type: 'location' } }, { kind: 'location' }],
    [{ data: { type: 'attachment' } }, { kind: 'attachment', denied: [] }],
    [JSON.parse('{"__proto__": {"data": {"type": "number"}}}'), { kind: 'text', validationType: 'none' }],
  ])('%j wants %j', (properties, wanted) => {
    expect(wantedOf(properties, CONTEXT)).toEqual(wanted)
  })

  test('an attachment is bounded as its channel says', () => {
    const wanted = wantedOf({ data: { type: 'attachment' } }, { ...CONTEXT, denied: ['image'], maxBytes: 5 })
    expect(wanted).toEqual({ kind: 'attachment', denied: ['image'], maxBytes: 5 })
    const attachments = [{ contentType: 'image/png', contentUrl: 'u' }]
    expect(readAnswer({ attachments }, wanted, PLACE)).toEqual({ ok: false })
  })
})
