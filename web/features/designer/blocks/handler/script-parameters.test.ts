import { expect, it } from 'vitest'
import { scriptParameters } from './script-parameters.ts'

it('a script’s parameters are those of its function, however that is written', () => {
  expect(scriptParameters('// first\nfunction run(nome, itens = [],\n  $total) {}')).toEqual([
    'nome',
    'itens',
    '$total',
  ])
  expect(scriptParameters('const run = async (a, b) => a')).toEqual(['a', 'b'])
  expect(scriptParameters('run = function (a) {}')).toEqual(['a'])
  expect(scriptParameters('function run({ a }, ...rest) {}')).toEqual([])
  expect(scriptParameters('function other(a) {}')).toEqual([])
})
