import { expect, test } from 'vitest'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { findSystemEntities, SYSTEM_ENTITIES } from './system-entity.ts'

const NOW = Date.UTC(2026, 4, 4, 15)
const find = (text: string, locale = 'pt') =>
  findSystemEntities(text, new Set(SYSTEM_ENTITIES), { locale, timezone: 'America/Sao_Paulo', now: NOW }).map(
    ({ kind, value, start, end }) => [kind, value, text.slice(start, end)],
  )

test.each<[string, readonly (readonly [string, string | number, string])[]]>([
  [
    'pago R$ 1.234,56 com 10% de desconto',
    [
      ['currency', 1234.56, 'R$ 1.234,56'],
      ['percentage', 10, '10%'],
    ],
  ],
  [
    'cpf 529.982.247-25, cep 01310-100',
    [
      ['cpf', '52998224725', '529.982.247-25'],
      ['cep', '01310100', '01310-100'],
    ],
  ],
  ['cpf 529.982.247-26', []],
  ['fale com ana@exemplo.com.br.', [['email', 'ana@exemplo.com.br', 'ana@exemplo.com.br']]],
  ['ligue (11) 98765-4321', [['phone', '+5511987654321', '(11) 98765-4321']]],
  ['veja https://exemplo.com/a?b=1.', [['url', 'https://exemplo.com/a?b=1', 'https://exemplo.com/a?b=1']]],
  ['veja www.ex.com/a?b=1', [['url', 'www.ex.com/a?b=1', 'www.ex.com/a?b=1']]],
  ['entre em loja.com.br/itens/3.', [['url', 'loja.com.br/itens/3', 'loja.com.br/itens/3']]],
  ['vence 12/05?', [['date', '2026-05-12', '12/05']]],
  ['até 12 de maio de 2027', [['date', '2027-05-12', '12 de maio de 2027']]],
  [
    'amanhã às 15h30',
    [
      ['date', '2026-05-05', 'amanhã às 15h30'],
      ['time', '15:30', 'amanhã às 15h30'],
    ],
  ],
  ['esperei 2 horas e 30 minutos', [['duration', 9000, '2 horas e 30 minutos']]],
  [
    'tenho 25 anos e 1,80 m',
    [
      ['age', 25, '25 anos'],
      ['measure', 1.8, '1,80 m'],
    ],
  ],
  ['está 35 °C', [['temperature', 35, '35 °C']]],
  [
    'o segundo e o 3º',
    [
      ['ordinal', 2, 'segundo'],
      ['ordinal', 3, '3º'],
    ],
  ],
  ['quero 3 pizzas', [['number', 3, '3']]],
  ['quero a segunda via', [['ordinal', 2, 'segunda']]],
  ['pode ter um set de mar', []],
  ['', []],
])('%j holds %j [N-5.7]', (text, entities) => {
  expect(find(text)).toEqual(entities)
})

test('reads English and Spanish as the prompt does [N-5.7]', () => {
  expect(find('book it for tomorrow at 5pm', 'en').map(([kind, value]) => [kind, value])).toEqual([
    ['date', '2026-05-05'],
    ['time', '17:00'],
  ])
  expect(find('cuesta 1,234.50 dólares', 'es-MX')).toEqual([['currency', 1234.5, '1,234.50 dólares']])
})

test('those alone that a project has [N-5.7]', () => {
  const place = { locale: 'pt', timezone: 'America/Sao_Paulo', now: NOW }
  expect(findSystemEntities('3 e ana@exemplo.com', new Set(['number']), place)).toHaveLength(1)
  expect(findSystemEntities('3 e ana@exemplo.com', new Set(), place)).toEqual([])
})

test('a long text takes no long time [N-5.7]', () => {
  const began = processorMs()
  for (const unit of ['1', '1 ', 'a@', '1.', 'R$ ', '12/', 'dia 1 ', '(11) ']) find(unit.repeat(4000 / unit.length))
  expect(processorMs() - began).toBeLessThan(4000)
})

test('takes no number from an address that is not asked for [P-1730]', () => {
  const place = { locale: 'pt', timezone: 'America/Sao_Paulo', now: NOW }
  for (const text of ['www.ex.com/a?b=1', 'https://ex.com/a?b=1', 'ana.2@ex.com'])
    expect(findSystemEntities(text, new Set(['number']), place)).toEqual([])
  expect(findSystemEntities('3 de www.ex.com/a?b=1', new Set(['number']), place)).toMatchObject([{ value: 3 }])
})
