import { expect, test } from 'vitest'
import { membersOf } from './use-try.ts'

const VALUES = {
  resultado: { total: 12.5, itens: [{ nome: 'Bolo', qtd: 2 }], 'com espaço': 1, cliente: { nome: 'Ana' } },
  nome: 'Rui',
}
const paths = (typed: string) => membersOf(VALUES, typed).map(({ path }) => path)

test.each([
  ['resultado.', ['resultado.total', 'resultado.itens', 'resultado.cliente']],
  ['resultado.TOT', ['resultado.total']],
  ['resultado.cliente.', ['resultado.cliente.nome']],
  ['resultado.itens.', ['resultado.itens[0].nome', 'resultado.itens[0].qtd']],
  ['resultado.itens[0].q', ['resultado.itens[0].qtd']],
  ['resultado.itens[7].', []],
  ['resultado', []],
  ['nome.', []],
  ['outro.', []],
  ['resultado..', []],
  ['resultado.constructor.', []],
])('offers after "%s" the members of a tried result: %j [P-1844]', (typed, expected) => {
  expect(paths(typed)).toEqual(expected)
})
