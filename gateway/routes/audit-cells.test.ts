import { expect, test } from 'vitest'
import type { AuditItem } from '#projections/query-results.ts'
import { AUDIT_COLUMNS, auditCells, referencesIn } from './audit.ts'

const item = (more: Partial<AuditItem>): AuditItem => ({
  entity: 'bot',
  entityid: 'b1',
  name: 'Vendas',
  action: 'changed',
  service: 'bot',
  user: { id: 'u1', username: 'ana' },
  groups: ['Construção'],
  roles: [],
  hierarchy: 'root',
  time: '2026-11-24T12:00:00.000Z',
  revision: 2,
  changes: [],
  origin: null,
  ...more,
})

const cellOf = (line: AuditItem, column: (typeof AUDIT_COLUMNS)[number], titles = {}) =>
  auditCells(line, titles)[AUDIT_COLUMNS.indexOf(column)]

test('shows each changed field before and after, references by title, secrets hidden [P-590]', () => {
  const line = item({
    entity: 'user',
    changes: [
      { path: 'firstname', before: 'Ana', after: 'Bia' },
      { path: 'usergroup', before: null, after: ['g1', 'g2'] },
      { path: 'password', before: null, after: null, secret: true },
    ],
  })
  expect(referencesIn([line])).toEqual({ usergroup: ['g1', 'g2'] })
  const titles = { usergroup: { g1: 'Construção' } }
  expect(cellOf(line, 'before', titles)).toBe('firstname: Ana\nusergroup: \npassword: •••')
  expect(cellOf(line, 'after', titles)).toBe('firstname: Bia\nusergroup: Construção, g2\npassword: •••')
  expect(cellOf(line, 'changes')).toBe(JSON.stringify(line.changes))
})

test('shows blocks and links of a flow by name [P-590]', () => {
  const line = item({
    entity: 'dialog',
    action: 'edited',
    changes: [
      { path: 'blocks.added', before: null, after: [{ id: 'n1', type: 'text', title: 'Saudação' }] },
      {
        path: 'blocks.changed',
        before: null,
        after: [{ id: 'n2', type: 'prompt', title: '', fields: ['pos', 'text'] }],
      },
      { path: 'links.removed', before: [{ id: 'l', from: 'n1', to: 'n2' }], after: null },
    ],
  })
  expect(cellOf(line, 'after')).toBe(
    'blocks.added: Saudação (text)\nblocks.changed: prompt [pos, text]\nlinks.removed: ',
  )
  expect(cellOf(line, 'before')).toBe('blocks.added: \nblocks.changed: \nlinks.removed: n1 → n2')
})
