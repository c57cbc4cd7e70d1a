import { describe, expect, test } from 'vitest'
import { formatCpf } from '#domain/brazil/document.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { readNumber } from './number-answer.ts'

const read = (said: string | number, validation: string) => {
  const result = readNumber(said, validation, '', 'pt-BR')
  return result.ok ? result.value : undefined
}

const DOCUMENTS: readonly (readonly [validation: string, said: string | number, figures: string | undefined])[] = [
  ['CPF', '529.982.247-25', '52998224725'],
  ['CPF', '52998224725', '52998224725'],
  ['CPF', '529 982 247 25', '52998224725'],
  ['CPF', '000.000.001-91', '00000000191'],
  ['CPF', 191, '00000000191'],
  ['CPF', '191', undefined],
  ['CPF', '529.982.247-26', undefined],
  ['CPF', '111.111.111-11', undefined],
  ['CPF', 'CPF 529.982.247-25', undefined],
  ['CPF', '52998224725 😀', undefined],
  ['CPF', '٥٢٩٩٨٢٢٤٧٢٥', undefined],
  ['CPF', '\u202a529.982.247‑25\u202c', '52998224725'],
  ['CNPJ', '11.222.333/0001-81', '11222333000181'],
  ['CNPJ', '12abc34501de35', '12ABC34501DE35'],
  ['CNPJ', '11.222.333/0001-82', undefined],
  ['CEP', '01310-100', '01310100'],
  ['CEP', '01.310-100', '01310100'],
  ['CEP', 1_310_100, '01310100'],
  ['CEP', '00000-000', undefined],
  ['CEP', '1310-100', undefined],
  ['PIS', '120.38619.49-4', '12038619494'],
  ['PIS', '120.38619.49-5', undefined],
  [
    'Boleto',
    '00190.00009 01149.718601 68524.522114 6 75860000102656',
    '00190000090114971860168524522114675860000102656',
  ],
  ['Boleto', '838600000050096000190009000801782309000343062712', '838600000050096000190009000801782309000343062712'],
  ['Boleto', '0019000009 01149.718601 68524.522112 6 75860000102656', undefined],
  ['CreditCard', '4111 1111 1111 1111', '4111111111111111'],
  ['CreditCard', '4111-1111-1111-1111', '4111111111111111'],
  ['CreditCard', '378282246310005', '378282246310005'],
  ['CreditCard', '4111 1111 1111 1112', undefined],
  ['CreditCard', '0000 0000 0000 0000', undefined],
  ['CreditCard', '42', undefined],
  ['CreditCard', '4111a1111b1111c1111', undefined],
]

describe('documents', () => {
  test.each(DOCUMENTS)(
    '%s %j keeps %j [D-5.27] [D-5.28] [D-5.29] [D-5.30] [D-5.31] [D-5.34]',
    (kind, said, figures) => {
      expect(read(said, kind)).toBe(figures)
    },
  )
})

interface DocumentCase {
  readonly doc: string
  readonly op: string
  readonly input: unknown
  readonly expected: unknown
}
const KINDS: Readonly<Record<string, string>> = { boleto: 'Boleto', cep: 'CEP', cnpj: 'CNPJ', cpf: 'CPF', pis: 'PIS' }
/** Numbers of postal objects, which one library calls postal codes (domain/brazil/corpus.test.ts). */
const isPostalObject = (input: unknown) => /^[A-Z]{2}\d{9}[A-Z]{2}$/u.test(`${input}`)

describe('documents of the corpus', () => {
  test('are taken and refused as there', () => {
    const cases = corpusJson<readonly DocumentCase[]>('documents/br.json')
    const typed = cases.filter(
      ({ op, input }) => op === 'isValid' && typeof input === 'string' && !isPostalObject(input),
    )
    expect(typed.length).toBeGreaterThan(70)
    for (const { doc, input, expected } of typed) {
      const figures = read(`${input}`, KINDS[doc] ?? '')
      expect([doc, input, figures !== undefined]).toEqual([doc, input, expected])
      if (figures !== undefined) expect(`${input}`.toUpperCase().replace(/[^0-9A-Z]/gu, '')).toBe(figures)
    }
  })
})

test('a masked document reads back as its figures', () => {
  expect(read(formatCpf('52998224725'), 'CPF')).toBe('52998224725')
})
