import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { readConfirm } from './confirm-answer.ts'

const read = (said: string | boolean) => {
  const result = readConfirm(said)
  return result.ok ? result.value : undefined
}

describe('confirm [D-5.19]', () => {
  test.each([
    ...[
      'sim',
      'Sim',
      'SIM!',
      ' s ',
      'siiim',
      'sim sim',
      'sim, por favor',
      'Sim por favor',
      'claro',
      'claro que sim',
      'isso mesmo',
    ],
    ...[
      'com certeza',
      'pode ser',
      'tá bom',
      'beleza',
      'uhum',
      'ok',
      'OK.',
      'Okay',
      'yes',
      'y',
      'Yes, please!',
      'please yes',
    ],
    ...[
      'sure',
      'of course',
      "that's right",
      'that’s right',
      'sí',
      'si',
      'Sí, claro',
      'por supuesto',
      'vale',
      'cómo no',
      'true',
    ],
    ...['1', '1️⃣', '👍', '👍🏽', '✅ sim', 'sim👍', '✔️', '\u200fsim\u200f', 'sim, obrigado', 'ok ok'],
  ])('%j is yes', said => {
    expect(read(said)).toBe(true)
  })

  test.each([
    ...[
      'não',
      'Não.',
      'nao',
      'NÃO',
      'n',
      'ñ',
      'nãooo',
      'não não',
      'não, obrigada',
      'nao obrigado',
      'não quero',
      'agora não',
      'não mesmo',
    ],
    ...[
      'claro que não',
      'de jeito nenhum',
      'nunca',
      'negativo',
      'no',
      'No, thanks',
      'no thank you',
      'nope',
      'not now',
      'never',
    ],
    ...[
      'no, gracias',
      'claro que no',
      'para nada',
      'todavía no',
      'false',
      '2',
      '👎',
      '👎🏿',
      '❌',
      'não ❌',
      "I don't",
    ],
  ])('%j is no', said => {
    expect(read(said)).toBe(false)
  })

  test.each([
    ...[
      '',
      ' ',
      '?',
      'sim ou não',
      'sim, não',
      'sim e não',
      'não sei',
      'no sé',
      "I don't know",
      'talvez',
      'maybe',
      'obrigado',
    ],
    ...[
      'please',
      '3',
      '0',
      '12',
      '-1',
      '1%',
      '1 2',
      'simples',
      'nota',
      'ok não',
      'não, quero outro',
      '👍👎',
      '½',
      'cancelar',
      'boleto',
      'sim'.repeat(100),
    ],
  ])('%j is neither', said => {
    expect(read(said)).toBeUndefined()
  })

  test('a pressed button is what it says', () => {
    expect([read(true), read(false)]).toEqual([true, false])
  })

  test('survives odd texts at once', () => {
    const began = processorMs()
    for (const text of ODD_TEXTS) expect(read(text)).toBeUndefined()
    expect(processorMs() - began).toBeLessThan(1_000)
  })

  test('never throws', () => {
    const near = fc
      .array(fc.constantFrom('sim', 'não', ',', ' ', '👍', 'please', 'ok', '.'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(anyText(), near), said => {
        expect([true, false, undefined]).toContain(read(said))
      }),
    )
  })
})
