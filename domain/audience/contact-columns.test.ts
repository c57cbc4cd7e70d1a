import { expect, test } from 'vitest'
import { agreedColumns, columnLetters, isSameName, proposedFields, suggestedColumns } from './contact-columns.ts'

test.each([
  ['Nome', 'TELEFONE', { nome: 0, phone: 1 }],
  ['Full name', 'Mobile number', { nome: 0, phone: 1 }],
  ['NOMBRE', 'Teléfono móvil', { nome: 0, phone: 1 }],
  ['Paciente', 'Nº do WhatsApp', { nome: 0 }],
  ['nome_do_cliente', 'Número do WhatsApp', { nome: 0, phone: 1 }],
])('finds name and number in the columns %s and %s [P-1947]', (name, phone, columns) => {
  expect(suggestedColumns([name, phone])).toEqual(columns)
})

test('compares names in three languages without capitals, accents and marks [P-1947]', () => {
  expect(isSameName('Cidade', 'city')).toBe(true)
  expect(isSameName('CIUDAD', 'cidade')).toBe(true)
  expect(isSameName('E-mail', 'correo electrónico')).toBe(true)
  expect(isSameName('first_name', 'Nombre')).toBe(true)
  expect(isSameName('Cidade', 'Estado')).toBe(false)
  expect(isSameName('1', '2')).toBe(false)
})

test('proposes fields of variables with the name, then known names, then what the template needs [P-1947]', () => {
  const names = ['Nome', 'Celular', 'Observação', 'Cidade', 'E-mail', 'Número do pedido', 'CPF']
  const known = suggestedColumns(names)
  expect(proposedFields(names, known, new Map())).toEqual({ nome: 0, phone: 1, field01: 3, field02: 4, field03: 5 })
  const used = new Map([
    ['field02', ['city']],
    ['field05', ['2']],
  ])
  expect(proposedFields(names, known, used)).toEqual({
    ...{ nome: 0, phone: 1, field02: 3, field01: 4, field03: 5, field05: 2 },
  })
})

test('names columns by letters, and leaves out those in which files differ [P-2988]', () => {
  expect([0, 1, 25, 26, 27, 99].map(columnLetters)).toEqual(['A', 'B', 'Z', 'AA', 'AB', 'CV'])
  expect(agreedColumns([{ nome: 0, field01: 2 }, { nome: 0, field01: 3, field02: 4 }, {}])).toEqual({
    nome: 0,
    field02: 4,
  })
  expect(agreedColumns([])).toEqual({})
})
