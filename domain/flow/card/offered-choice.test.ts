import { expect, test } from 'vitest'
import { selectAll } from '#domain/expression/json-path.ts'
import type { Json } from '#schemas/event.ts'
import { offeredChoices } from './adaptive-card.ts'

const select = (rule: string, data: Json) => {
  const found = selectAll(rule, data)
  return found.ok ? found.value : []
}
const data = [{ nome: 'Segunda via', id: 2 }, { nome: 'Cancelar' }, { nome: 'Outros', id: 9 }]

test('options come from data by a rule for titles and one for values', () => {
  expect(offeredChoices(data, '$[*].nome', '$[*].nome', select)).toHaveLength(3)
  expect(offeredChoices(data.slice(0, 1), '$[*].nome', '$[*].id', select)).toEqual([
    { title: 'Segunda via', value: '2' },
  ])
})

test('uses a title without a value as the value', () => {
  expect(offeredChoices(data.slice(1, 2), '$[*].nome', '', select)).toEqual([{ title: 'Cancelar', value: 'Cancelar' }])
  expect(offeredChoices(data, '$[*].nada', '$[*].id', select)).toEqual([])
})
