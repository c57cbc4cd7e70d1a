import { expect, test } from 'vitest'
import { foldText } from '../fold-text.ts'
import type { Table } from '../table.ts'
import { foldedOf } from './row-plan.ts'

test('texts are searched as if they were one, whatever is between and around them', () => {
  const texts = [' Olá  Loja ', '', 'ÁRVORE', '  ', 'plain', '\t']
  const table: Table = {
    name: 'x',
    type: 'X',
    title: 'a',
    parent: null,
    columns: [],
    search: ['0', '1', '2', '3', '4', '5'],
  }
  expect(foldedOf(table, field => texts[Number(field)] ?? null)).toBe(foldText(texts.join(' \u0000 ')))
  expect(foldedOf(table, () => null)).toBe('')
})
