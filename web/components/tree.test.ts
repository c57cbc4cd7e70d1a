import { describe, expect, it } from 'vitest'
import { treeRows } from './tree.ts'

const items = [
  { id: 'a', name: 'Aurora', parent: null },
  { id: 'v', name: 'varejo', parent: 'a' },
  { id: 't', name: 'Atendimento', parent: 'a' },
  { id: 's', name: 'São Paulo', parent: 'v' },
]
const names = (closed: string[] = [], wanted = '') =>
  treeRows(items, new Set(closed), wanted).map(row => `${row.depth}${row.item.name}`)

describe('the rows of a tree', () => {
  it('starts with the root and sorts children by name without regard to case [C-3.03]', () => {
    expect(names()).toEqual(['0Aurora', '1Atendimento', '1varejo', '2São Paulo'])
  })

  it('hides the contents of a closed branch', () => {
    expect(names(['v'])).toEqual(['0Aurora', '1Atendimento', '1varejo'])
  })

  it('finds without accents and keeps what lies above, closed or not', () => {
    expect(names(['v'], 'sao')).toEqual(['0Aurora', '1varejo', '2São Paulo'])
  })

  it('shows what hangs on a parent outside the list at the top', () => {
    expect(treeRows([{ id: 'x', name: 'X', parent: 'gone' }], new Set()).map(row => row.depth)).toEqual([0])
  })
})
