import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { foldText } from '../fold-text.ts'
import type { Table } from '../table.ts'
import { foldedOf } from './row-plan.ts'

test('folds texts as if joined, for any whitespace', () => {
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

test('texts of lists are searched, from an event as from a row, without the ids of their items', () => {
  const column = { secret: false, secretWhen: null, personal: false, folded: false, sortedByTitleOf: null }
  const columns = [
    { ...column, name: 'lines', kind: 'list' as const, indexed: false, initial: '[]' },
    { ...column, name: 'words', kind: 'strings' as const, indexed: false, initial: '[]' },
  ]
  const table: Table = { name: 'x', type: 'X', title: 'a', parent: null, columns, search: ['a', 'lines', 'words'] }
  const values: Record<string, Json> = { a: 'Olá', lines: [{ id: 'id1', text: 'É já' }], words: ['Dois'] }
  const stored = (field: string): Json => (field === 'a' ? 'Olá' : JSON.stringify(values[field]))
  expect(foldedOf(table, field => values[field] ?? null)).toBe('ola \u0000 e ja \u0000 dois')
  expect(foldedOf(table, stored)).toBe('ola \u0000 e ja \u0000 dois')
})
