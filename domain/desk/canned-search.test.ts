import { expect, test } from 'vitest'
import { searchCanned } from './canned-search.ts'

const answer = (shortcut: string, text: string) => ({ shortcut, text })
const found = (answers: readonly { readonly shortcut: string; readonly text: string }[], typed: string, limit = 50) =>
  searchCanned(answers, typed, limit).map(({ shortcut }) => shortcut)

test('finds answers by their shortcut before those that contain the letters or have them in their text [P-2363]', () => {
  const answers = [answer('endereco', 'Confirmar'), answer('reenvio', 'Hoje'), answer('nota', 'Reenvio da nota')]
  expect(found(answers, 're')).toEqual(['reenvio', 'endereco', 'nota'])
  expect(found(answers, 'RÉ')).toEqual(['reenvio', 'endereco', 'nota'])
  expect(found(answers, '')).toEqual(['endereco', 'reenvio', 'nota'])
  expect(found(answers, '', 2)).toEqual(['endereco', 'reenvio'])
  expect(found(answers, 're', 1)).toEqual(['reenvio'])
})

test('finds answers by a number in their shortcut or text [P-2665]', () => {
  const answers = [
    answer('2via', 'A segunda via chega por e-mail.'),
    answer('prazo', 'Até 24 horas.'),
    answer('nota', ''),
  ]
  expect(found(answers, '2')).toEqual(['2via', 'prazo'])
  expect(found(answers, '24')).toEqual(['prazo'])
  expect(found(answers, '25')).toEqual([])
})

test('offers the first matches of 2,000 answers [P-2666]', () => {
  const answers = Array.from({ length: 2_000 }, (_, n) => answer(`r${n}`, `Pedido ${n} `.repeat(300)))
  expect(found(answers, 'r1', 3)).toEqual(['r1', 'r10', 'r11'])
  // By the text alone: 199 and 1990 to 1999 have it, in the order of the list.
  expect(found(answers, 'pedido 199', 3)).toEqual(['r199', 'r1990', 'r1991'])
  expect(found(answers, 'pedido 2000', 3)).toEqual([])
})
